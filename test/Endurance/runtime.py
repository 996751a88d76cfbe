# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs (shared objects of pit-compile) through the C ABI of the runtime, with ctypes alone."""
import ctypes
import math
import os

DTYPES = {1: "f16", 2: "bf16", 3: "f32", 4: "f64", 5: "i1", 6: "i8", 7: "i32", 8: "i64"}
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i32": 4, "i64": 8}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64))]


class ValueType(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("extents", ctypes.POINTER(ctypes.c_int64))]


Pointers = ctypes.POINTER(ctypes.c_void_p)
SHAPES = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, Pointers, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
CALL = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, Pointers, Pointers, ctypes.c_void_p, ctypes.c_int64)


class EntryPoint(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("num_arguments", ctypes.c_int64), ("arguments", ctypes.POINTER(ValueType)),
                ("num_results", ctypes.c_int64), ("results", ctypes.POINTER(ValueType)), ("shapes", SHAPES), ("call", CALL)]


class ProgramTable(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int32), ("runtime_version", ctypes.c_int32), ("target", ctypes.c_char_p),
                ("chip", ctypes.c_char_p), ("num_entries", ctypes.c_int64), ("entries", ctypes.POINTER(EntryPoint))]


def types_of(values, count):
    """(dtype, extents) of tensors; -1 is an extent that the caller chooses."""
    return [(DTYPES[values[i].dtype], [values[i].extents[axis] for axis in range(values[i].rank)]) for i in range(count)]


class Runtime:
    """libpit_runtime.so in a folder, and one context."""

    def __init__(self, folder):
        # Programs find the same library: it lies beside them.
        self.library = ctypes.CDLL(os.path.join(os.path.abspath(folder), "libpit_runtime.so.0"), mode=ctypes.RTLD_GLOBAL)
        self.library.pit_program_find.restype = ctypes.POINTER(EntryPoint)
        self.library.pit_context_last_error.restype = ctypes.c_size_t
        self.context = ctypes.c_void_p()
        self.check(self.library.pit_context_create(ctypes.byref(self.context)))

    def check(self, status):
        if status:
            text = ctypes.create_string_buffer(1000)
            self.library.pit_context_last_error(self.context, text, ctypes.c_size_t(len(text)))
            raise RuntimeError(f"status {status}: {text.value.decode()}")

    def load(self, path):
        table = ctypes.POINTER(ProgramTable)()
        self.check(self.library.pit_program_load(self.context, os.path.abspath(path).encode(), ctypes.byref(table)))
        entry = self.library.pit_program_find(table, b"main")
        if not entry:
            raise RuntimeError(f"{path} has no function main")
        return entry.contents

    def check_device(self, stream):
        """Waits for the stream, and raises what kernels have reported."""
        self.check(self.library.pit_cuda_check(self.context, ctypes.c_void_p(stream)))

    def close(self):
        self.library.pit_context_destroy(self.context)


class Call:
    """A call of an entry point. Addresses are those of memory that the program can reach, and that the caller keeps."""

    def __init__(self, runtime, entry, shapes):
        """`shapes` of the arguments. Afterwards: `results`, (dtype, shape) of each, and `workspace_bytes`."""
        self.runtime, self.entry, self.keep = runtime, entry, []
        self.arguments = [(dtype, list(shape)) for (dtype, _), shape in zip(types_of(entry.arguments, entry.num_arguments), shapes)]
        self.argument_list = self.make_list([0] * len(shapes), self.arguments)
        types = types_of(entry.results, entry.num_results)
        extents, workspace = (ctypes.c_int64 * (1 + sum(len(shape) for _, shape in types)))(), ctypes.c_int64()
        runtime.check(entry.shapes(runtime.context, self.argument_list, extents, ctypes.byref(workspace)))
        values = iter(extents)
        self.results = [(dtype, [next(values) for _ in shape]) for dtype, shape in types]
        self.workspace_bytes = workspace.value

    def make_list(self, addresses, types):
        tensors = [Tensor(address, next(key for key, name in DTYPES.items() if name == dtype), len(shape),
                          (ctypes.c_int64 * max(1, len(shape)))(*shape), None) for address, (dtype, shape) in zip(addresses, types)]
        self.keep += tensors
        return (ctypes.c_void_p * max(1, len(tensors)))(*[ctypes.addressof(tensor) for tensor in tensors])

    def place(self, arguments, results, workspace=0):
        """Takes the addresses of all that is passed; a workspace of 0 leaves it to the runtime."""
        self.argument_list, self.result_list = self.make_list(arguments, self.arguments), self.make_list(results, self.results)
        self.workspace = workspace

    def __call__(self, stream=None, own_workspace=True):
        workspace = self.workspace if own_workspace else 0
        status = self.entry.call(self.runtime.context, stream, self.argument_list, self.result_list, workspace or None,
                                 self.workspace_bytes if workspace else 0)
        if status:
            self.runtime.check(status)


def num_bytes(dtype, shape):
    return SIZES[dtype] * math.prod(shape)
