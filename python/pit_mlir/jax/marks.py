# ===- marks.py - pit_mlir.jax.sparse ----------------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`pit_mlir.jax.sparse`: says in a function of JAX where zeros come from, where the compiler does not see it.

Masks and lengths become a selection, which the compiler finds by itself. A mark of values is a primitive of its own: a selection in
StableHLO with an attribute, which becomes the attribute `pit.sparse` of the op in linalg. To `jax.jit` it is a selection.
"""

import functools

import jax
from jax import numpy as jnp
from jax.extend import core
from jax.interpreters import batching, mlir

from ..attributes import ABSENT, check_axes, check_values, values_attribute
from ..errors import ArgumentError

# What `lower_child` looks for in StableHLO.
ATTRIBUTE = "pit.sparse"

_values = core.Primitive("pit_sparse")


def _select(x, absent):
    return jnp.where(x != absent, x, jnp.asarray(absent, x.dtype))


@_values.def_impl
def _(x, **mark):
    return x


@_values.def_abstract_eval
def _(x, **mark):
    return x


def _batch(arguments, axes, mark_axes, **mark):
    (x,), (batched,) = arguments, axes
    moved = tuple(axis + (axis >= batched) for axis in mark_axes)
    return _values.bind(x, mark_axes=moved, **mark), batched


batching.primitive_batchers[_values] = _batch


def _lower(context, x, absent, mark_axes, granularity, at_most):
    found = mlir.lower_fun(functools.partial(_select, absent=ABSENT[absent]), multiple_results=False)(context, x)
    op = found[0].owner
    op = op if hasattr(op, "attributes") else op.operation
    op.attributes[ATTRIBUTE] = mlir.ir.StringAttr.get(values_attribute(mark_axes, absent, granularity, at_most))
    return found


mlir.register_lowering(_values, _lower)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2, 3, 4))
def _marked(x, absent, axes, granularity, at_most):
    return _values.bind(x, absent=absent, mark_axes=axes, granularity=granularity, at_most=at_most)


@_marked.defjvp
def _(absent, axes, granularity, at_most, primals, tangents):
    y = _marked(*primals, absent, axes, granularity, at_most)
    # Of the result, as what is known of that where it is absent holds here, too.
    return y, jnp.where(y != ABSENT[absent], tangents[0], jnp.zeros((), tangents[0].dtype))


def sparse(x, source="values", by=None, axes=None, absent="zero", granularity=None, at_most=None):
    """Says that most of an array is absent, and where that comes from, as `pit_mlir.sparse` does for torch. The result
    is `x` with the absent value where it is absent.

    source       "values": where `x` has the absent value, as after a ReLU;
                 "mask": where `by`, of truth values or numbers, is zero; it lies along `axes`;
                 "lengths": at positions at or behind `by[sequence]`; `axes` are those of sequences and positions
    by           the mask or the lengths, an array
    axes         which axes of `x` the pattern lies along; for values all by default
    absent       "zero" or "neg_inf"
    granularity  of values: the extents of a micro-tile along `axes`, such as (32, 1)
    at_most      of values: the most live elements of a row, on average, which is the caller's promise

    Differentiable in `x`, and under `jax.vmap`. Inside `pit_mlir.jax.jit` the compiler uses it; elsewhere it is a
    selection. Raises ArgumentError.
    """
    x = jnp.asarray(x)
    if absent not in ABSENT:
        raise ArgumentError(f"absent: expected zero or neg_inf, got {absent!r}")
    if source == "values":
        axes = check_axes(x.ndim, range(x.ndim) if axes is None else axes)
        check_values(axes, by, granularity, at_most)
        return _marked(x, absent, tuple(axes), None if granularity is None else tuple(granularity), at_most)
    if source not in ("mask", "lengths"):
        raise ArgumentError(f"source: expected values, mask or lengths, got {source!r}")
    if granularity is not None or at_most is not None:
        raise ArgumentError("granularity, at_most: are of source 'values'")
    if by is None:
        raise ArgumentError(f"by: source '{source}' takes an array")
    if axes is None:
        raise ArgumentError(f"axes: source '{source}' takes the axes that it lies along")
    by, axes = jnp.asarray(by), check_axes(x.ndim, axes)
    extents = tuple(x.shape[axis] for axis in axes)
    if source == "lengths":
        if len(axes) != 2 or by.shape != extents[:1] or not jnp.issubdtype(by.dtype, jnp.integer):
            raise ArgumentError(f"by: expected {extents[0]} lengths, for two axes, got {by.dtype} {list(by.shape)} for {len(axes)}")
        live = jnp.arange(extents[1]) < by[:, None]
    else:
        if by.shape != extents:
            raise ArgumentError(f"by: expected a mask {list(extents)}, got {list(by.shape)}")
        live = by if by.dtype == jnp.bool_ else by != 0
    # To the axes of x: in its order, with extents of 1 elsewhere.
    order = sorted(range(len(axes)), key=lambda n: axes[n])
    live = live.transpose(order).reshape([x.shape[a] if a in axes else 1 for a in range(x.ndim)])
    return jnp.where(live, x, jnp.asarray(ABSENT[absent], x.dtype))
