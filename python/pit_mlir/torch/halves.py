# ===- halves.py - What forward keeps for backward ---------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What forward keeps for backward, which are two programs.

A mask that forward makes of lengths or of chosen experts, and keeps as a tensor of numbers, is a tensor like any other in backward: nothing says that
most of it is zero. So what is cheaply made of integers and truth values is made again in backward, where its zeros are then found. Of the
rest, the CPU keeps what backward reads: exponentials take longer than memory there. On a GPU the cut that keeps the fewest bytes is taken, as inductor
does (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, is the idea)."""

import operator

import torch
from torch._functorch import config
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch.fx.passes.tools_common import legalize_graph
from torch.utils.checkpoint import CheckpointPolicy

from .graphs import value_of

aten = torch.ops.aten

# Element by element, or views: by their names without the overload.
_CHEAP = {
    getattr(aten, name)
    for name in (
        "eq ne lt le gt ge logical_and logical_or logical_not logical_xor bitwise_and bitwise_or bitwise_not where add sub rsub mul neg abs minimum maximum "
        "clamp _to_copy view reshape unsqueeze squeeze expand permute transpose t slice select alias clone detach arange full full_like zeros ones zeros_like "
        "ones_like scalar_tensor lift_fresh_copy _unsafe_view unsqueeze_copy expand_copy constant_pad_nd"
    ).split()
    if hasattr(aten, name)
} | {torch.ops.prims.convert_element_type, torch.ops.prims.iota}


def _is_cheap(node):
    if node.op != "call_function":
        return False
    target = node.target
    return getattr(target, "overloadpacket", None) in _CHEAP or target in (operator.add, operator.mul, operator.sub)


def _holds_no_floats(node):
    value = value_of(node)
    if not isinstance(value, torch.Tensor):
        return not isinstance(value, (list, tuple))
    return not (value.is_floating_point() or value.is_complex())


def tag_masks(graph):
    """Has what is cheaply made of integers and truth values be made again where backward reads it. Returns the nodes."""
    made = set()
    for node in graph.nodes:
        if not _is_cheap(node) or not isinstance(value_of(node), torch.Tensor):
            continue
        if "tangents" in node.name or any(not (given in made or _holds_no_floats(given)) for given in node.all_input_nodes):
            continue
        made.add(node)
        node.meta["recompute"] = CheckpointPolicy.MUST_RECOMPUTE
    return made


# They move elements, each as it is.
_VIEWS = {getattr(aten, name) for name in "view reshape unsqueeze squeeze expand permute transpose t alias clone detach _unsafe_view".split()}


def _packet(node):
    return getattr(node.target, "overloadpacket", None) if isinstance(node, torch.fx.Node) and node.op == "call_function" else None


def _number(given):
    """The number that all elements of an operand are, or None."""
    if isinstance(given, (int, float)):
        return given
    while _packet(given) in _VIEWS:
        given = given.args[0]
    if _packet(given) in (aten.full, aten.scalar_tensor, aten.full_like):
        number = given.args[0 if _packet(given) is aten.scalar_tensor else 1]
        return number if isinstance(number, (int, float)) else None
    return None


def _mask_of_weights(node):
    """The mask outside of which attention's weights are zero, exactly, or None. That is so where rows in which nothing is left, which a softmax gives as
    NaN, are written as zeros: where(not any(scores != -inf), 0, softmax(scores)), scores = where(mask, x, -inf)."""
    if _packet(node) is not aten.where or _number(node.args[1]) != 0 or _packet(node.args[2]) is not aten._softmax:
        return None
    empty, softmax = node.args[0], node.args[2]
    scores, dim = softmax.args[0], softmax.args[1]
    if _packet(scores) is not aten.where or _number(scores.args[2]) != -float("inf"):
        return None
    if _packet(empty) not in (aten.bitwise_not, aten.logical_not) or _packet(empty.args[0]) is not aten.any:
        return None
    found, *where = empty.args[0].args
    rank = value_of(scores).dim()
    if not where or where[0] % rank != dim % rank or where[1:] != [True]:
        return None
    if _packet(found) is not aten.ne or found.args[0] is not scores or _number(found.args[1]) != -float("inf"):
        return None
    return scores.args[0]


def write_zeros(graph, num_forward):
    """Has backward see which of attention's weights are zero: it gets them as a tensor of numbers, of which nothing says so. They are
    chosen by their mask there once more, which changes none. `num_forward` outputs are those of forward."""
    outputs = next(iter(reversed(graph.nodes))).args[0][:num_forward]
    forward, worklist = set(), [node for node in outputs if isinstance(node, torch.fx.Node)]
    while worklist:
        node = worklist.pop()
        if node not in forward:
            forward.add(node)
            worklist.extend(node.all_input_nodes)
    made = {node for node in graph.nodes if node.meta.get("recompute") == CheckpointPolicy.MUST_RECOMPUTE}

    def replace(node, chosen):
        for user in list(node.users):
            if user is chosen:
                continue
            if user not in forward and _packet(user) not in _VIEWS:
                user.replace_input_with(node, chosen)
            elif _packet(user) in _VIEWS and user.args[0] is node:
                with graph.inserting_after(chosen):
                    moved = graph.create_node("call_function", user.target, (chosen, *user.args[1:]), user.kwargs)
                moved.meta.update(user.meta, recompute=CheckpointPolicy.MUST_RECOMPUTE)
                replace(user, moved)
                if not moved.users:
                    graph.erase_node(moved)

    for node in list(graph.nodes):
        mask = _mask_of_weights(node)
        # One that is not made again would be kept, as large as the weights.
        if mask is None or not (mask in made or mask.op == "placeholder"):
            continue
        with graph.inserting_after(node):
            chosen = graph.call_function(aten.where.self, (mask, node, node.args[1]))
        chosen.meta.update(node.meta, recompute=CheckpointPolicy.MUST_RECOMPUTE)
        replace(node, chosen)
        if not chosen.users:
            graph.erase_node(chosen)


def is_ordered(graph):
    """Whether each node stands behind those that it reads."""
    seen = set()
    for node in graph.nodes:
        if not seen.issuperset(node.all_input_nodes):
            return False
        seen.add(node)
    return True


def cut(joint, inputs, *, num_fwd_outputs, **more):
    """`partition_fn` of AOTAutograd: forward and backward of a graph of both."""
    tag_masks(joint.graph)
    is_on_gpu = any(isinstance(value_of(node), torch.Tensor) and value_of(node).is_cuda for node in joint.graph.nodes)
    if is_on_gpu:
        # Backward of attention computes scores again. As a subexpression of both halves they would be kept: all queries by all keys.
        with config.patch(cse=False):
            halves = min_cut_rematerialization_partition(joint, inputs, num_fwd_outputs=num_fwd_outputs, **more)
    else:
        # On a GPU, backward of attention is one op, which finds that itself.
        write_zeros(joint.graph, num_fwd_outputs)
        halves = default_partition(joint, inputs, num_fwd_outputs=num_fwd_outputs, **more)
    # With experts behind a router, halves of torch 2.11 had nodes in front of what they read.
    for module in halves:
        if not is_ordered(module.graph):
            legalize_graph(module)
            module.recompile()
    return halves
