# ===- values.py - What a program takes and gives, and NumPy arrays as that -------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What a program takes and gives (`ValueSpec`), and NumPy arrays as that.

A reader takes (value, spec) and returns (address, owner): where the elements lie, row-major
without gaps, and what keeps them there. It copies only what lies otherwise. Readers for other
packages are found by `reader_of`; none of these packages is imported for it.
"""

import struct

import numpy as np

from .errors import ArgumentError
from .runtime import DTYPES


def _small_float(name):
    try:
        import ml_dtypes
    except ImportError:
        return None
    return np.dtype(getattr(ml_dtypes, name))


def _numpy_types():
    """For each MLIR type, the NumPy types that hold it: what results have first, then others
    with the same bits. Without the package ml_dtypes, bf16 are uint16 with their bits."""
    bf16, f8, e5m2 = (_small_float(name) for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"))
    d = np.dtype
    return {
        "f16": [d("f2")],
        "bf16": ([bf16] if bf16 else []) + [d("u2")],
        "f32": [d("f4")],
        "f64": [d("f8")],
        "i1": [d("?")],
        "i8": [d("i1"), d("u1")],
        "i16": [d("i2"), d("u2")],
        "i32": [d("i4"), d("u4")],
        "i64": [d("i8"), d("u8")],
        "f8E4M3FN": ([f8] if f8 else []) + [d("u1")],
        "f8E5M2": ([e5m2] if e5m2 else []) + [d("u1")],
    }


_NUMPY_TYPES = None


def numpy_types(name):
    global _NUMPY_TYPES
    if _NUMPY_TYPES is None:
        _NUMPY_TYPES = _numpy_types()
    return _NUMPY_TYPES[name]


class ValueSpec:
    """The type of an argument or a result: `type` as MLIR spells it, `rank` (-1 for a scalar),
    `extents` (None for one that is known at run time)."""

    def __init__(self, what, number, dtype, rank, extents, on_device=False):
        self.what, self.number, self.dtype, self.rank = what, number, dtype, rank
        self.extents = tuple(extents)
        self.type, self.bytes = DTYPES[dtype]
        self.is_static = None not in self.extents
        # A scalar is a number and no array, whatever its shape.
        self.numpy_type = numpy_types(self.type)[0] if rank >= 0 else None
        self.numpy_others = numpy_types(self.type)[1:]
        # Whether the program reads it in a CUDA device's memory.
        self.on_device = on_device
        # Set by torch's reader.
        self.torch_type = None

    def __str__(self):
        if self.rank < 0:
            return f"a scalar {self.type}"
        return f"{self.type} [{', '.join('?' if e is None else str(e) for e in self.extents)}]"

    def __repr__(self):
        return str(self)

    def fits(self, shape):
        return len(shape) == self.rank and all(e is None or e == s for e, s in zip(self.extents, shape))

    def refuse(self, got):
        """The exception for a value that is something else."""
        return ArgumentError(f"{self.what} {self.number}: expected {self}, got {got}")


def read_numpy(array, spec):
    if array.dtype != spec.numpy_type and array.dtype not in spec.numpy_others:
        raise spec.refuse(f"{array.dtype} {list(array.shape)}")
    if array.shape != spec.extents and not spec.fits(array.shape):
        raise spec.refuse(f"{array.dtype} {list(array.shape)}")
    flags = array.flags
    if not flags.c_contiguous or not flags.aligned:
        array = np.array(array, order="C", copy=True)
    return array.__array_interface__["data"][0], array


def _read_number(value, spec):
    """Python's and NumPy's numbers, for tensors of rank 0."""
    if spec.rank != 0:
        raise spec.refuse(f"the number {value!r}")
    array = np.asarray(value)
    if array.dtype != spec.numpy_type:
        if spec.type == "bf16" and spec.numpy_type == np.dtype("u2"):
            array = np.asarray(bf16_bits(float(value)), "u2")
        else:
            given, array = array, array.astype(spec.numpy_type)
            if spec.type.startswith("i") and array != given:
                raise spec.refuse(f"the number {value!r}")
    return read_numpy(array, spec)


def _read_interface(value, spec):
    return read_numpy(np.asarray(value), spec)


def _read_dlpack(value, spec):
    from .dlpack import read

    return read(value, spec)


def _read_cuda_interface(value, spec):
    from .dlpack import read_cuda_interface

    return read_cuda_interface(value, spec)


def _refuse(value, spec):
    raise spec.refuse(f"{type(value).__name__}, which is no array")


READERS = {np.ndarray: read_numpy, int: _read_number, float: _read_number, bool: _read_number}


def reader_of(value):
    """The reader for values of this type. What is found is remembered."""
    kind = type(value)
    reader = READERS.get(kind)
    if reader is not None:
        return reader
    if any(base.__module__.split(".")[0] == "torch" and base.__name__ == "Tensor" for base in kind.__mro__):
        from .torch_values import read_torch as reader
    elif isinstance(value, np.generic):
        reader = _read_number
    elif isinstance(value, np.ndarray):
        reader = _read_interface
    elif hasattr(value, "__cuda_array_interface__"):
        reader = _read_cuda_interface
    elif hasattr(value, "__dlpack__"):
        reader = _read_dlpack
    elif hasattr(value, "__array_interface__"):
        reader = _read_interface
    else:
        reader = _refuse
    READERS[kind] = reader
    return reader


def bf16_bits(value):
    """A float as bf16, to the nearest, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if bits & 0x7FFFFFFF > 0x7F800000:
        return bits >> 16 | 0x40
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF


def scalar_bytes(value, spec):
    """A scalar argument as the bytes that the program reads."""
    try:
        if spec.type == "bf16":
            return struct.pack("<H", bf16_bits(float(value)))
        if spec.type in ("f16", "f32", "f64"):
            return struct.pack({"f16": "<e", "f32": "<f", "f64": "<d"}[spec.type], float(value))
        if spec.type == "i1":
            return struct.pack("<B", bool(value))
        if spec.type in ("i8", "i32", "i64"):
            return struct.pack({"i8": "<b", "i32": "<i", "i64": "<q"}[spec.type], value.__index__())
    except (struct.error, OverflowError, TypeError, ValueError, AttributeError) as error:
        raise spec.refuse(f"{value!r} ({error})") from None
    raise spec.refuse(f"{value!r}: scalars of this type are not passed")


def scalar_value(data, spec):
    """A scalar result of the bytes that the program wrote."""
    if spec.type == "bf16":
        return struct.unpack("<f", b"\0\0" + data[:2])[0]
    letter = {"f16": "e", "f32": "f", "f64": "d", "i1": "?", "i8": "b", "i32": "i", "i64": "q"}[spec.type]
    return struct.unpack("<" + letter, data[: spec.bytes])[0]
