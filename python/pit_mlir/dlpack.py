# ===- dlpack.py - Arrays of any package, by DLPack and the CUDA array interface --===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Arrays of any package, by DLPack and by `__cuda_array_interface__`, without copies."""

import ctypes

import numpy as np

from .errors import ArgumentError

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

# DLDataTypeCode and bits of MLIR's types; integers and bytes stand for bits, too.
_CODES = {
    "f16": {(2, 16)},
    "bf16": {(4, 16), (1, 16)},
    "f32": {(2, 32)},
    "f64": {(2, 64)},
    "i1": {(6, 8)},
    "i8": {(0, 8), (1, 8)},
    "i16": {(0, 16), (1, 16)},
    "i32": {(0, 32), (1, 32)},
    "i64": {(0, 64), (1, 64)},
    "f8E4M3FN": {(10, 8), (1, 8)},
    "f8E5M2": {(12, 8), (1, 8)},
}
_NAMES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}


class DeviceArray:
    """Device memory that a value owns: where it is, on which device, and its shape."""

    def __init__(self, address, device, shape, owner):
        self.address, self.device, self.shape, self.owner = address, device, shape, owner


def _is_contiguous(shape, strides):
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent == 0:
            return True
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _copy_on_host(address, bytes_each, shape, strides):
    """A copy without gaps of strided elements in host memory."""
    low = sum((e - 1) * s for e, s in zip(shape, strides) if s < 0)
    high = sum((e - 1) * s for e, s in zip(shape, strides) if s > 0)
    raw = (ctypes.c_uint8 * ((high - low + 1) * bytes_each)).from_address(address + low * bytes_each)
    elements = np.frombuffer(raw, dtype=f"u{bytes_each}")[-low:]
    view = np.lib.stride_tricks.as_strided(elements, shape, [s * bytes_each for s in strides])
    return np.array(view, order="C", copy=True)


def read(value, spec):
    """A reader (see values.py) of anything that has `__dlpack__`. The producer's stream is made to
    wait for by the legacy default stream, which calls without another one use."""
    kind, index = value.__dlpack_device__()
    on_device = int(kind) in (CUDA, CUDA_MANAGED)
    try:
        capsule = value.__dlpack__(stream=1) if on_device else value.__dlpack__()
    except Exception as error:  # Whatever a package raises for what it does not export.
        raise ArgumentError(f"{spec.what} {spec.number}: {type(value).__name__} cannot be exported: {error}") from None
    tensor = _Tensor.from_address(_get_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if (tensor.code, tensor.bits) not in _CODES[spec.type] or tensor.lanes != 1 or not spec.fits(shape):
        raise spec.refuse(f"{_NAMES.get(tensor.code, 'code ' + str(tensor.code))}{tensor.bits} {list(shape)}")
    if int(kind) not in (CPU, CUDA, CUDA_HOST, CUDA_MANAGED):
        raise ArgumentError(f"{spec.what} {spec.number}: lies on a device of DLPack's kind {int(kind)}")
    address = (tensor.data or 0) + tensor.byte_offset
    if tensor.strides:
        strides = tuple(tensor.strides[i] for i in range(tensor.ndim))
        if not _is_contiguous(shape, strides):
            if on_device:
                raise ArgumentError(f"{spec.what} {spec.number}: is not contiguous; make a copy that is")
            copy = _copy_on_host(address, spec.bytes, shape, strides)
            return copy.__array_interface__["data"][0], copy
    if not on_device and address % spec.bytes:
        copy = np.frombuffer(ctypes.string_at(address, spec.bytes * int(np.prod(shape))), f"u{spec.bytes}")
        return copy.__array_interface__["data"][0], copy.reshape(shape)
    owner = _Shaped(capsule, shape)
    return address, DeviceArray(address, index, shape, capsule) if on_device else owner


class _Shaped:
    """Keeps a capsule, whose destructor gives the memory back, and says what shape it has."""

    def __init__(self, capsule, shape):
        self.capsule, self.shape = capsule, shape


def read_cuda_interface(value, spec):
    """A reader of anything that has `__cuda_array_interface__`, such as CuPy's and Numba's arrays."""
    from . import runtime

    interface = value.__cuda_array_interface__
    shape, name = tuple(interface["shape"]), np.dtype(interface["typestr"])
    if (name != spec.numpy_type and name not in spec.numpy_others) or not spec.fits(shape):
        raise spec.refuse(f"{name} {list(shape)}")
    strides = interface.get("strides")
    if strides is not None and not _is_contiguous(shape, [s // spec.bytes for s in strides]):
        raise ArgumentError(f"{spec.what} {spec.number}: is not contiguous; make a copy that is")
    if interface.get("mask") is not None:
        raise ArgumentError(f"{spec.what} {spec.number}: has a mask, which programs do not take")
    stream = interface.get("stream")
    if stream not in (None, 1):
        context = runtime.shared_context()
        context.check(runtime.library().pit_cuda_stream_synchronize(context.handle, stream))
    return interface["data"][0], DeviceArray(interface["data"][0], None, shape, value)
