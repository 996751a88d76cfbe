# ===- marks.py - pit_mlir.sparse inside of models --------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`pit_mlir.sparse`: says inside a model where zeros come from, where the compiler does not see it.

Masks and lengths become a selection, which the compiler finds by itself. That most of a tensor's values are
zero cannot be seen in a program: an operator of its own carries that mark through the graph.
"""

import contextlib
import threading

import torch

from ..attributes import ABSENT, check_axes, check_values, values_attribute
from ..errors import ArgumentError


@torch.library.custom_op("pit_mlir::sparse_values", mutates_args=())
def _sparse_values(x: torch.Tensor, absent: str, mark: str) -> torch.Tensor:
    return x.clone()


@_sparse_values.register_fake
def _(x, absent, mark):
    return torch.empty_like(x)


def _keep_result(ctx, inputs, output):
    ctx.save_for_backward(output)
    ctx.absent = ABSENT[inputs[1]]


def _gradient_of_live(context, grad):
    # Of the result, as what is known of that where it is absent holds here, too.
    (result,) = context.saved_tensors
    return torch.where(result != context.absent, grad, torch.zeros((), dtype=grad.dtype, device=grad.device))


_sparse_values.register_autograd(lambda context, grad: (_gradient_of_live(context, grad), None, None), setup_context=_keep_result)


class _GradientOfLive(torch.autograd.Function):
    """The tensor itself, without a copy, with the gradient that the operator above has."""

    @staticmethod
    def forward(context, x, absent):
        context.save_for_backward(x)
        context.absent = absent
        return x.view_as(x)

    @staticmethod
    def backward(context, grad):
        return _gradient_of_live(context, grad), None


_traced = threading.local()


@contextlib.contextmanager
def traced():
    """Within it, marks and layers are recorded by who traces, as inside of a compilation."""
    before, _traced.on = getattr(_traced, "on", False), True
    try:
        yield
    finally:
        _traced.on = before


def is_traced():
    return torch.compiler.is_compiling() or getattr(_traced, "on", False)


def sparse(x, source="values", by=None, axes=None, absent="zero", granularity=None, at_most=None):
    """Says that most of a tensor is absent, and where that comes from. The result is `x` with the absent value
    where it is absent.

    source       "values": where `x` has the absent value, as after a ReLU;
                 "mask": where `by`, of truth values or numbers, is zero; it lies along `axes`;
                 "lengths": at positions at or behind `by[sequence]`; `axes` are those of sequences and positions
    by           the mask or the lengths, a tensor
    axes         which axes of `x` the pattern lies along; for values all by default
    absent       "zero" or "neg_inf"
    granularity  of values: the extents of a micro-tile along `axes`, such as (32, 1)
    at_most      of values: the most live elements of a row, on average, which is the caller's promise

    Outside of compilation values are returned as they are, without a copy. Differentiable in `x`: the gradient is
    zero where `x` is absent. Raises ArgumentError.
    """
    if absent not in ABSENT:
        raise ArgumentError(f"absent: expected zero or neg_inf, got {absent!r}")
    if source == "values":
        axes = check_axes(x.dim(), range(x.dim()) if axes is None else axes)
        check_values(axes, by, granularity, at_most)
        if not is_traced():
            return _GradientOfLive.apply(x, ABSENT[absent]) if x.requires_grad else x
        return torch.ops.pit_mlir.sparse_values(x, absent, values_attribute(axes, absent, granularity, at_most))
    if source not in ("mask", "lengths"):
        raise ArgumentError(f"source: expected values, mask or lengths, got {source!r}")
    if granularity is not None or at_most is not None:
        raise ArgumentError("granularity, at_most: are of source 'values'")
    if not isinstance(by, torch.Tensor):
        raise ArgumentError(f"by: source '{source}' takes a tensor, got {type(by).__name__}")
    if axes is None:
        raise ArgumentError(f"axes: source '{source}' takes the axes that it lies along")
    axes = check_axes(x.dim(), axes)
    extents = [x.shape[axis] for axis in axes]
    if source == "lengths":
        if len(axes) != 2 or by.dim() != 1 or by.shape[0] != extents[0] or by.dtype.is_floating_point:
            raise ArgumentError(f"by: expected {extents[0]} lengths, for two axes, got {by.dtype} {list(by.shape)} for {len(axes)}")
        live = torch.arange(extents[1], device=x.device) < by.unsqueeze(1)
    else:
        if list(by.shape) != extents:
            raise ArgumentError(f"by: expected a mask {extents}, got {list(by.shape)}")
        live = by if by.dtype is torch.bool else by != 0
    # To the axes of x: in its order, with extents of 1 elsewhere.
    order = sorted(range(len(axes)), key=lambda n: axes[n])
    live = live.permute(order).reshape([x.shape[a] if a in axes else 1 for a in range(x.dim())])
    return torch.where(live, x, torch.full((), ABSENT[absent], dtype=x.dtype, device=x.device))


def lower_marks(module):
    """Makes selections of the graph's marks of values, which the importer knows, at places of their own. Returns
    the attribute for each place."""
    found, graph = {}, module.graph
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target is not torch.ops.pit_mlir.sparse_values.default:
            continue
        x, absent, mark = node.args
        place = f"pit.sparse.{len(found)}"
        found[place] = mark
        value, absent = x.meta["val"], ABSENT[absent]
        trace = f'  File "{place}", line 1, in sparse\n'
        with graph.inserting_before(node):
            live = graph.call_function(torch.ops.aten.ne.Scalar, (x, absent))
            other = graph.call_function(torch.ops.aten.full.default, ([], absent), {"dtype": value.dtype, "device": value.device})
            chosen = graph.call_function(torch.ops.aten.where.self, (live, x, other))
        live.meta = {"val": torch.ops.aten.ne.Scalar(value, absent), "stack_trace": trace}
        other.meta = {"val": value.new_empty(()), "stack_trace": trace}
        chosen.meta = {**node.meta, "val": value, "stack_trace": trace}
        node.replace_all_uses_with(chosen)
        graph.erase_node(node)
    return found
