# ===- runtime.py - PIT's C runtime by ctypes -------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""PIT's C runtime (pit_runtime.h) by ctypes: contexts, programs, devices."""

import ctypes
import os
import shutil
import sys
import tempfile
import threading

from .errors import ArgumentError, DeviceError, Error, ExecutionError, OutOfMemoryError

# pit_status.
OK, INVALID_ARGUMENT, OUT_OF_MEMORY, CAPACITY, BAD_INDEX, UNSUPPORTED, DEVICE = range(7)

# pit_dtype: MLIR's name and bytes of each number.
DTYPES = {
    1: ("f16", 2),
    2: ("bf16", 2),
    3: ("f32", 4),
    4: ("f64", 8),
    5: ("i1", 1),
    6: ("i8", 1),
    7: ("i32", 4),
    8: ("i64", 8),
    9: ("f8E4M3FN", 1),
    10: ("i16", 2),
    11: ("f8E5M2", 1),
}

_void_p, _int32, _int64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


class _ValueType(ctypes.Structure):
    _fields_ = [("dtype", _int32), ("rank", _int32), ("extents", ctypes.POINTER(_int64))]


SHAPES = ctypes.CFUNCTYPE(_int32, _void_p, _void_p, _void_p, _void_p)
CALL = ctypes.CFUNCTYPE(_int32, _void_p, _void_p, _void_p, _void_p, _void_p, _int64)


class _EntryPoint(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("num_arguments", _int64),
        ("arguments", ctypes.POINTER(_ValueType)),
        ("num_results", _int64),
        ("results", ctypes.POINTER(_ValueType)),
        ("shapes", SHAPES),
        ("call", CALL),
    ]


class _Program(ctypes.Structure):
    _fields_ = [
        ("version", _int32),
        ("runtime_version", _int32),
        ("target", ctypes.c_char_p),
        ("chip", ctypes.c_char_p),
        ("num_entries", _int64),
        ("entries", ctypes.POINTER(_EntryPoint)),
        # Only in programs for version 8 of the runtime and later.
        ("phases", ctypes.c_char_p),
        # Only in programs for version 9 and later: an address for each entry.
        ("handlers", ctypes.POINTER(_void_p)),
    ]


class _DeviceInfo(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 128),
        ("major", _int32),
        ("minor", _int32),
        ("multiprocessors", _int32),
        ("driver_version", _int32),
        ("memory_bytes", _int64),
    ]


_SIGNATURES = {
    "pit_runtime_version": (_int32, []),
    "pit_num_threads": (_int64, []),
    "pit_set_num_threads": (None, [_int64]),
    "pit_context_create": (_int32, [ctypes.POINTER(_void_p)]),
    "pit_context_destroy": (None, [_void_p]),
    "pit_context_status": (_int32, [_void_p]),
    "pit_context_last_error": (ctypes.c_size_t, [_void_p, ctypes.c_char_p, ctypes.c_size_t]),
    "pit_context_clear_error": (None, [_void_p]),
    "pit_program_load": (_int32, [_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.POINTER(_Program))]),
    "pit_cuda_device_count": (_int32, [_void_p, ctypes.POINTER(_int32)]),
    "pit_cuda_get_device_info": (_int32, [_void_p, _int32, ctypes.POINTER(_DeviceInfo)]),
    "pit_cuda_use_device": (_int32, [_void_p, _int32]),
    "pit_cuda_check": (_int32, [_void_p, _void_p]),
    "pit_cuda_allocate": (_int32, [_void_p, ctypes.c_size_t, ctypes.POINTER(_void_p)]),
    "pit_cuda_free": (_int32, [_void_p, _void_p]),
    "pit_cuda_copy_in": (_int32, [_void_p, _void_p, _void_p, _void_p, ctypes.c_size_t]),
    "pit_cuda_copy_out": (_int32, [_void_p, _void_p, _void_p, _void_p, ctypes.c_size_t]),
    "pit_cuda_stream_synchronize": (_int32, [_void_p, _void_p]),
}


def find_runtime():
    """The path of libpit_runtime.so.0: what PIT_MLIR_RUNTIME names, what the wheel brought
    along, what lies where `pit-compile` of a build or an installation is."""
    named = os.environ.get("PIT_MLIR_RUNTIME")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(here, "lib", "libpit_runtime.so.0")
    if os.path.exists(beside):
        return beside
    from .compiler import find_compiler

    tool = find_compiler()
    if tool:
        lib = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(tool))), "lib")
        for folder in (lib, os.path.join(lib, "x86_64-linux-gnu")):
            path = os.path.join(folder, "libpit_runtime.so.0")
            if os.path.exists(path):
                return path
    return "libpit_runtime.so.0"


_lock = threading.Lock()
_library = None


def library():
    """The C runtime, opened at the first call."""
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                path = find_runtime()
                try:
                    # Not for all to see: programs find it by its name in the process.
                    opened = ctypes.CDLL(path)
                except OSError as error:
                    raise Error(f"cannot open PIT's runtime: {error}") from None
                for name, (result, arguments) in _SIGNATURES.items():
                    function = getattr(opened, name)
                    function.restype, function.argtypes = result, arguments
                _library = opened
    return _library


class Context:
    """A pit_context: where errors of calls are kept. Used by one call at a time on the CPU; for
    CUDA it also owns what was loaded to the device, and lives as long as the process."""

    def __init__(self, is_default=False):
        handle = _void_p()
        if not is_default and library().pit_context_create(ctypes.byref(handle)) != OK:
            raise MemoryError("no memory for a context of PIT's runtime")
        self.handle = handle.value
        self._lock = threading.Lock()

    def error(self, status, what=""):
        """The exception for a call that returned `status`; forgets the error."""
        lib = library()
        with self._lock:
            size = lib.pit_context_last_error(self.handle, None, 0)
            buffer = ctypes.create_string_buffer(size + 1)
            lib.pit_context_last_error(self.handle, buffer, size + 1)
            lib.pit_context_clear_error(self.handle)
        message = buffer.value.decode("utf-8", "replace") or f"status {status}"
        if what:
            message = f"{what}: {message}"
        if status == INVALID_ARGUMENT:
            return ArgumentError(message)
        if status in (UNSUPPORTED, DEVICE):
            return DeviceError(message)
        if status == OUT_OF_MEMORY:
            return OutOfMemoryError(message, status)
        return ExecutionError(message, status)

    def check(self, status, what=""):
        if status != OK:
            raise self.error(status, what)


class OwnContext(Context):
    """One that ends with its last user, and takes what was loaded to the device along."""

    def __del__(self):
        # At the end of the process nothing has to be freed, and little is left to do it with.
        if getattr(self, "handle", None) and not sys.is_finalizing():
            library().pit_context_destroy(self.handle)
            self.handle = None


_default = None


def default_context():
    """The runtime's own context, which handlers for XLA use on devices."""
    global _default
    if _default is None:
        library()
        _default = Context(is_default=True)
    return _default


_shared = None


def shared_context():
    """The context of all calls on devices: it keeps what is loaded there."""
    global _shared
    if _shared is None:
        library()
        with _lock:
            if _shared is None:
                _shared = Context()
    return _shared


_ready = threading.local()


def make_current(index):
    """Has this thread use the device with that number, which torch says is its current one: a thread that has not called CUDA through torch,
    such as one of autograd's, has no context of the driver yet."""
    devices = _ready.__dict__.setdefault("devices", set())
    if index not in devices:
        context = shared_context()
        context.check(library().pit_cuda_use_device(context.handle, index))
        devices.add(index)


def device_count():
    """How many CUDA devices there are; 0 without a driver."""
    count = _int32()
    context = Context()
    if library().pit_cuda_device_count(context.handle, ctypes.byref(count)) != OK:
        return 0
    return count.value


def device_capability(index):
    """(major, minor) of a CUDA device. Raises DeviceError where there is none."""
    context, info = shared_context(), _DeviceInfo()
    context.check(library().pit_cuda_get_device_info(context.handle, index, ctypes.byref(info)))
    return info.major, info.minor


# What was opened at each path: the system takes the name for the file, and gives what it has of that name.
_opened = {}


def load_program(path):
    """Opens a shared object with a program; it stays loaded until the process ends. One that was written again
    since it was opened is opened by another name."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise Error(f"cannot load the program: {error}") from None
    identity = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    with _lock:
        is_known = _opened.get(path, identity) == identity
    copy = None
    if not is_known:
        descriptor, copy = tempfile.mkstemp(prefix="pit-mlir-", suffix=".so")
        os.close(descriptor)
        shutil.copyfile(path, copy)
    try:
        context, program = Context(), ctypes.POINTER(_Program)()
        status = library().pit_program_load(context.handle, os.fsencode(copy or path), ctypes.byref(program))
        if status != OK:
            raise context.error(status, "cannot load the program")
    finally:
        if copy:
            os.unlink(copy)
    if is_known:
        with _lock:
            _opened[path] = identity
    return program.contents
