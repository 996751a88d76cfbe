# ===- extents.py - Symbolic extents as those of tensors --------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Symbolic extents as those of tensors. With `dynamic=True` a graph takes extents as numbers, of which the importer knows nothing: it checks that each is
not negative, and a reshape becomes one that may do anything. Here an extent is read off a tensor that has it, and a reshape says which axes it joins
and which it parts."""

import math

import torch

from .graphs import value_of

aten = torch.ops.aten
_VIEWS = (aten.view.default, aten.reshape.default, aten._unsafe_view.default)


def _expression(extent):
    return extent.node.expr if isinstance(extent, torch.SymInt) else extent


def _shape_of(node):
    return [_expression(extent) for extent in value_of(node).shape]


def _is_symbolic(node):
    value = value_of(node) if isinstance(node, torch.fx.Node) else None
    return isinstance(value, torch.Tensor) and any(isinstance(extent, torch.SymInt) for extent in value.shape)


def _read_off_tensors(graph):
    """Replaces numbers that a tensor among the arguments has as an extent."""
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    places = {}
    for node in placeholders:
        if isinstance(value_of(node), torch.Tensor):
            for axis, extent in enumerate(_shape_of(node)):
                places.setdefault(extent, (node, axis))
    for node in placeholders:
        value = value_of(node)
        if not isinstance(value, torch.SymInt) or not node.users or _expression(value) not in places:
            continue
        tensor, axis = places[_expression(value)]
        with graph.inserting_after(placeholders[-1]):
            size = graph.call_function(aten.sym_size.int, (tensor, axis))
        size.meta["val"] = value
        node.replace_all_uses_with(size)


def match_axes(before, after):
    """Which axes of one shape become which of another: pairs of lists of axes whose products are equal, as short as they get; None where there are none.
    An axis of extent 1 is in the list of a neighbour."""
    groups, i, j = [], 0, 0
    while i < len(before) and j < len(after):
        left, right, first, other = before[i], after[j], i, j
        i, j = i + 1, j + 1
        while left != right:
            # The side that is a part of the other one takes one more.
            if i < len(before) and (j == len(after) or _divides(left, right)):
                left, i = left * before[i], i + 1
            elif j < len(after):
                right, j = right * after[j], j + 1
            else:
                return None
        groups.append((list(range(first, i)), list(range(other, j))))
    if not groups:
        return None
    for rest, axes, side in ((range(i, len(before)), before, 0), (range(j, len(after)), after, 1)):
        if any(axes[axis] != 1 for axis in rest):
            return None
        groups[-1][side].extend(rest)
    return groups


def _divides(part, whole):
    """Whether a product may grow to another one. Of symbols: whether the quotient has none in its denominator."""
    if isinstance(part, int) and isinstance(whole, int):
        return part == 0 or whole % part == 0 and part < whole
    quotient = whole / part
    return quotient.as_numer_denom()[1] == 1


def _annotate(node, original, value):
    node.meta.update({key: original.meta[key] for key in ("stack_trace", "nn_module_stack") if key in original.meta})
    node.meta["val"] = value
    return value


def _part_views(graph):
    """Reshapes with several symbolic extents, as joined and parted axes."""
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target not in _VIEWS or not _is_symbolic(node):
            continue
        source, sizes = node.args[0], list(node.args[1])
        before, after = _shape_of(source), _shape_of(node)
        if before == after:
            node.replace_all_uses_with(source)
            graph.erase_node(node)
            continue
        if not before or not after:
            continue
        # Where it is not known which axes become which, all of them become one first.
        groups = match_axes(before, after) or [(list(range(len(before))), list(range(len(after))))]
        value = value_of(source)
        with graph.inserting_before(node):
            # From behind, so that axes in front keep their numbers.
            for old, new in reversed(groups):
                shape = list(value.shape)
                if len(old) > 1:
                    source = graph.call_function(aten.flatten.using_ints, (source, old[0], old[-1]))
                    shape[old[0] : old[-1] + 1] = [math.prod(shape[old[0] : old[-1] + 1])]
                    value = _annotate(source, node, value.new_empty(shape))
                if len(new) > 1:
                    source = graph.call_function(aten.unflatten.int, (source, old[0], [sizes[axis] for axis in new]))
                    shape[old[0] : old[0] + 1] = [value_of(node).shape[axis] for axis in new]
                    value = _annotate(source, node, value.new_empty(shape))
        source.meta["val"] = value_of(node)
        node.replace_all_uses_with(source)
        graph.erase_node(node)


def _drop_expansions(graph):
    for node in list(graph.nodes):
        if node.op == "call_function" and node.target is aten.expand.default and _is_symbolic(node) and _shape_of(node) == _shape_of(node.args[0]):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def simplify(graph):
    """Rewrites the graph in place; it computes the same."""
    if not any(isinstance(value_of(node), torch.SymInt) for node in graph.nodes):
        return
    _drop_expansions(graph)
    _part_views(graph)
    _read_off_tensors(graph)
    graph.eliminate_dead_code()
