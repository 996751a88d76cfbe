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


def is_ordered(graph):
    """Whether each node stands behind those that it reads."""
    seen = set()
    for node in graph.nodes:
        if not seen.issuperset(node.all_input_nodes):
            return False
        seen.add(node)
    return True


def cut(joint, inputs, **more):
    """`partition_fn` of AOTAutograd: forward and backward of a graph of both."""
    tag_masks(joint.graph)
    is_on_gpu = any(isinstance(value_of(node), torch.Tensor) and value_of(node).is_cuda for node in joint.graph.nodes)
    halves = (min_cut_rematerialization_partition if is_on_gpu else default_partition)(joint, inputs, **more)
    # With experts behind a router, halves of torch 2.11 had nodes in front of what they read.
    for module in halves:
        if not is_ordered(module.graph):
            legalize_graph(module)
            module.recompile()
    return halves
