# ===- ffi.py - Compiled programs as calls of XLA ---------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiled programs as calls of XLA's foreign function interface.

A compiled program brings a handler in machine code for each entry point, so that a call inside
`jax.jit` runs no Python: arrays stay where XLA has them, and errors of the call are XLA's.
"""

import ctypes
import os
import threading

import jax

from .. import runtime
from ..errors import ArgumentError, Error, count_of
from ..values import numpy_types

# XLA's name of what a program is compiled for.
_PLATFORMS = {"cpu": "cpu", "cuda": "CUDA"}

_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_lock = threading.Lock()
_names = set()


def register(entry):
    """Makes an entry point known to XLA and returns its name there. The name is that of the program in the
    cache, so that executables that JAX keeps on disk find it again in another process."""
    if not entry.handler:
        raise Error(f"{entry.name} was compiled by a version of PIT that makes no handlers for XLA: compile it again")
    program = entry.program
    name = f"pit_{os.path.splitext(os.path.basename(program.path))[0]}_{entry.name}"
    with _lock:
        if name not in _names:
            jax.ffi.register_ffi_target(name, _capsule(entry.handler, None, None), platform=_PLATFORMS[program.target])
            _names.add(name)
    return name


def call_entry(entry, results, leaves):
    """Calls an entry point with arrays of JAX, or with what it traces; a tuple of arrays with the shapes and
    types `results`. Under `jax.vmap` it is called for one after the other."""
    return tuple(jax.ffi.ffi_call(register(entry), tuple(results), vmap_method="sequential")(*leaves))


def _result_shapes(entry, arrays):
    if entry._is_static:
        return entry._static_shapes
    frame = entry._new_frame()
    for number, (spec, array) in enumerate(zip(entry.inputs, arrays)):
        if spec.rank < 0:
            raise ArgumentError(f"{entry.name}: extents of results may depend on {spec.what} {number}, a number that XLA has at run time")
        frame.set_shape(number, array.shape)
    return frame.result_shapes(entry._shapes)


def call(program, *arrays):
    """Calls a compiled program of MLIR from JAX, also inside `jax.jit`, where no Python runs for it.

    program  what `pit_mlir.compile` or `pit_mlir.load` returned, or an entry point of it
    arrays   arrays of the types and shapes of its arguments, on the platform that it was compiled for; for a
             number that is an argument, an array of rank 0 (on the CPU)

    Returns an array, or a tuple of them. Not differentiable: `pit_mlir.jax.jit` is. Raises ArgumentError while
    JAX traces; errors of calls are XLA's, and those of kernels on a device are raised by `check`.
    """
    entry = program if hasattr(program, "outputs") else program.main
    if len(arrays) != len(entry.inputs):
        raise ArgumentError(f"{entry.name} takes {count_of(len(entry.inputs), 'argument')}, not {len(arrays)}")
    types = [numpy_types(spec.type) for spec in entry.inputs]
    arrays = [a if hasattr(a, "dtype") else jax.numpy.asarray(a, of[0]) for a, of in zip(arrays, types)]
    for spec, of, array in zip(entry.inputs, types, arrays):
        if array.dtype not in of or not (spec.fits(array.shape) or spec.rank < 0 and not array.shape):
            raise spec.refuse(f"{array.dtype} {list(array.shape)}")
    shapes = [() if shape is None else shape for shape in _result_shapes(entry, arrays)]
    results = [jax.ShapeDtypeStruct(shape, numpy_types(spec.type)[0]) for spec, shape in zip(entry.outputs, shapes)]
    found = call_entry(entry, results, arrays)
    return found[0] if len(found) == 1 else found


def check(*arrays):
    """Waits for arrays, or pytrees of them, and raises what kernels of compiled programs reported on the GPUs where
    they lie, such as an index out of range: results count only behind it. On the CPU calls do that themselves.
    Raises ExecutionError, DeviceError."""
    leaves = jax.block_until_ready(jax.tree_util.tree_leaves(arrays))
    devices = {device for leaf in leaves for device in leaf.devices() if device.platform == "gpu"}
    # Handlers use the runtime's own context.
    context, lib = runtime.default_context(), runtime.library()
    for device in sorted(devices, key=lambda device: device.id):
        context.check(lib.pit_cuda_use_device(context.handle, device.local_hardware_id))
        context.check(lib.pit_cuda_check(context.handle, None))
