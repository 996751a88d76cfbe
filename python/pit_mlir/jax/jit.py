# ===- jit.py - pit_mlir.jax.jit --------------------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`pit_mlir.jax.jit`: a function of JAX as programs that PIT compiled."""

import functools
import logging

import jax
import numpy as np
from jax import dtypes

from .. import api, targets
from ..errors import ArgumentError, Error
from . import ffi
from .importer import to_mlir

log = logging.getLogger("pit_mlir")


def _shape_of(leaf):
    # JAX's rules: Python's numbers have its default types, and 64 bits only where it has them on.
    array = jax.api_util.shaped_abstractify(leaf)
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


class _Leaves:
    """A function of arrays alone, compiled for each set of shapes; differentiable, as its derivative is
    compiled in the same way. Traced by JAX, a call of it is a call of XLA."""

    def __init__(self, function, target, fallback, options):
        self.function, self.target, self.fallback, self.options = function, target, fallback, options
        self.programs = {}
        self.differentiable = jax.custom_vjp(self._call)
        self.differentiable.defvjp(self._forward, self._backward)
        self._derivative = None

    def __call__(self, *leaves):
        return self.differentiable(*leaves)

    def _forward(self, *leaves):
        # Not `_call`: who differentiates twice differentiates this.
        return self.differentiable(*leaves), leaves

    def _backward(self, leaves, cotangents):
        floats = tuple(n for n, leaf in enumerate(leaves) if dtypes.issubdtype(jax.numpy.result_type(leaf), np.inexact))
        if self._derivative is None:
            self._derivative = {}
        if floats not in self._derivative:
            count = len(leaves)

            def derivative(*values):
                given, cotangent = list(values[:count]), values[count:]

                def of_floats(*some):
                    for number, value in zip(floats, some):
                        given[number] = value
                    return tuple(self.function(*given))

                _, pull = jax.vjp(of_floats, *(given[n] for n in floats))
                return pull(tuple(cotangent))

            self._derivative[floats] = _Leaves(derivative, self.target, self.fallback, self.options)
        found = iter(self._derivative[floats](*leaves, *cotangents))
        return tuple(
            next(found) if n in floats else np.zeros(np.shape(leaf), dtype=dtypes.float0) for n, leaf in enumerate(leaves)
        )

    def _program(self, shapes):
        key = tuple((s.shape, str(s.dtype)) for s in shapes)
        if key not in self.programs:
            try:
                text = to_mlir(self.function, shapes)
                self.programs[key] = api.compile_mlir(text, self.target, **self.options)["main"]
            except Error as error:
                if self.fallback == "error":
                    raise
                log.warning("a function runs in JAX: %s", error)
                self.programs[key] = None
        return self.programs[key]

    def _call(self, *leaves):
        shapes = [_shape_of(leaf) for leaf in leaves]
        program = self._program(shapes)
        if program is None:
            return tuple(jax.jit(self.function)(*leaves))
        return ffi.call_entry(program, jax.eval_shape(self.function, *shapes), leaves)


def _default():
    return "cuda" if jax.default_backend() == "gpu" else "cpu"


def jit(function=None, *, target="auto", static_argnums=(), fallback="jax", **options):
    """Compiles a function of JAX with PIT; called as `jax.jit`'s result is.

    function        of arrays and pytrees of them; written for dense arrays
    target          see `pit_mlir.compile`; "auto" is where JAX's arrays are by default
    static_argnums  arguments that are constants of the program
    fallback        "jax": what does not compile runs as `jax.jit`, the reason is logged; "error"
    options         those of `pit_mlir.compile`

    What it returns is a `jax.jit` of a function that calls the compiled programs, one for each set of shapes. So
    it composes with JAX: `jax.grad` and `jax.vjp` go through it, with derivatives that are compiled in the same
    way, and inside `jax.jit` a program is a call of XLA without Python. Under `jax.vmap` it is called for one
    after the other. Raises pit_mlir.Error while it compiles. Errors of calls, such as an index out of range, are
    XLA's (`jax.errors.JaxRuntimeError`); those of kernels on a device are raised by `pit_mlir.jax.check`.
    """
    if function is None:
        return functools.partial(jit, target=target, static_argnums=static_argnums, fallback=fallback, **options)
    if fallback not in ("jax", "error"):
        raise ArgumentError(f"fallback: expected 'jax' or 'error', got {fallback!r}")
    api.make_options("cpu", options)
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    found = {}

    @functools.wraps(function)
    def compiled(*args, **kwargs):
        chosen = targets.resolve(_default() if target == "auto" else target)
        constants = tuple((n, args[n]) for n in static if n < len(args))
        rest = [None if n in static else value for n, value in enumerate(args)]
        leaves, structure = jax.tree_util.tree_flatten((rest, kwargs))
        key = (structure, constants)
        if key not in found:
            results = [None]

            def of_leaves(*values):
                given, named = jax.tree_util.tree_unflatten(structure, values)
                for number, value in constants:
                    given[number] = value
                flat, results[0] = jax.tree_util.tree_flatten(function(*given, **named))
                return tuple(flat)

            found[key] = (_Leaves(of_leaves, chosen, fallback, options), results)
        run, results = found[key]
        flat = run(*leaves)
        if results[0] is None:
            jax.eval_shape(run.function, *leaves)
        return jax.tree_util.tree_unflatten(results[0], flat)

    return jax.jit(compiled, static_argnums=static)
