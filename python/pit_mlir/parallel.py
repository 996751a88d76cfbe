# ===- parallel.py - Programs on several GPUs -------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Programs on several GPUs of one host, a rank for each.

    comm = pit_mlir.parallel.Communicator.from_environment()          # of torchrun
    program = pit_mlir.compile("layer.mlir", "cuda", pipeline=f"shard-experts={comm.ranks}")
    step = pit_mlir.parallel.Step(program, comm, [x, gate, w1, w2])   # this rank's parts, on its device
    step.run()
    comm.check()
    y, = step.results

A rank is a process, or a thread of one. All ranks make the same calls in the same order.
"""

import ctypes
import json
import os

from . import runtime
from .errors import ArgumentError
from .steps import Memory, Step, address_of

__all__ = ["Communicator", "Memory", "Step"]

_void_p, _int32, _int64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


class _Buffer(ctypes.Structure):
    _fields_ = [("parts", _void_p), ("own", _void_p), ("pitch", _int64), ("bytes", _int64)]


_Id = ctypes.c_uint8 * 16
_buffer_p = ctypes.POINTER(_Buffer)
_SIGNATURES = {
    "pit_comm_name_id": (_int32, [_void_p, ctypes.c_char_p, _void_p]),
    "pit_comm_create": (_int32, [_void_p, _void_p, _int32, _int32, _int64, ctypes.POINTER(_void_p)]),
    "pit_comm_from_nccl": (_int32, [_void_p, _void_p, _int64, _int32, ctypes.POINTER(_void_p)]),
    "pit_comm_rank": (_int32, [_void_p]),
    "pit_comm_ranks": (_int32, [_void_p]),
    "pit_comm_maps": (_int32, [_void_p]),
    "pit_comm_fork": (_int32, [_void_p, _void_p, ctypes.POINTER(_void_p)]),
    "pit_comm_join": (_int32, [_void_p, _void_p]),
    "pit_comm_share": (_int32, [_void_p, _void_p, _buffer_p]),
    "pit_comm_all_reduce": (_int32, [_void_p, _void_p, _void_p, _void_p, _int64, _int32]),
    "pit_comm_destroy": (None, [_void_p]),
    "pit_comm_status": (_int32, [_void_p]),
    "pit_comm_abort": (None, [_void_p, ctypes.c_char_p]),
    "pit_comm_check": (_int32, [_void_p, _void_p]),
    "pit_comm_buffer_create": (_int32, [_void_p, _int64, _int64, ctypes.POINTER(_buffer_p)]),
    "pit_comm_buffer_destroy": (_int32, [_void_p, _buffer_p]),
    "pit_comm_gather": (_int32, [_void_p, _void_p, _buffer_p, _int64, _void_p, _int64]),
    "pit_comm_barrier": (_int32, [_void_p, _void_p, _int32]),
    "pit_comm_push": (_int32, [_void_p, _void_p, _int32, _buffer_p, _int64, _void_p, _int64]),
    "pit_comm_join_own": (_int32, [_void_p, _void_p]),
    "pit_comm_arrivals": (_int32, [_void_p, _int32, ctypes.POINTER(_void_p)]),
    "pit_comm_await": (_int32, [_void_p, _void_p, _int32]),
}


def _library():
    lib = runtime.library()
    if not hasattr(lib, "pit_comm_is_typed"):
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
        lib.pit_comm_is_typed = True
    return lib


class Communicator:
    """Rank `rank` of `ranks`, see pit_comm.h. `name` is a text that all ranks of this communicator know, and no
    others. `limit` is in seconds: no call and no barrier waits longer, and the end or an error of one rank is an
    exception on all others. `device` is the number of the CUDA device, by default the rank modulo their number.
    Raises ArgumentError and DeviceError."""

    def __init__(self, rank, ranks, name, limit=60.0, device=None):
        self._open(rank % max(runtime.device_count(), 1) if device is None else device)
        self.rank, self.ranks, identity = rank, ranks, _Id()
        self._check(self.lib.pit_comm_name_id(self.context.handle, name.encode(), identity))
        milliseconds = max(int(limit * 1000), 1)
        self._check(self.lib.pit_comm_create(self.context.handle, identity, rank, ranks, milliseconds, ctypes.byref(self.handle)))

    def _open(self, device):
        self.lib, self.context, self.handle, self.device = _library(), runtime.OwnContext(), _void_p(), device
        self._check(self.lib.pit_cuda_use_device(self.context.handle, device))

    @classmethod
    def from_nccl(cls, nccl, device, limit=60.0, maps=True):
        """Of the ranks of a communicator of NCCL, the address of an ncclComm_t (torch's `_comm_ptr()` of a process group's
        backend), which is kept by the caller. With `maps=False`, or where GPUs cannot map each other's memory, NCCL moves
        the data. `all_reduce` needs it."""
        made = cls.__new__(cls)
        made._open(device)
        milliseconds = max(int(limit * 1000), 1)
        made._check(made.lib.pit_comm_from_nccl(made.context.handle, nccl, milliseconds, int(maps), ctypes.byref(made.handle)))
        made.rank, made.ranks = made.lib.pit_comm_rank(made.handle), made.lib.pit_comm_ranks(made.handle)
        return made

    _made = 0

    @classmethod
    def from_environment(cls, limit=60.0):
        """What torchrun and others say: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT."""
        try:
            rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
            name = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}:{cls._made}"
        except (KeyError, ValueError) as error:
            raise ArgumentError(f"no rank in the environment: {error}") from None
        cls._made += 1
        device = os.environ.get("LOCAL_RANK")
        return cls(rank, ranks, name, limit, int(device) if device else None)

    def _check(self, status, what=""):
        self.context.check(status, what)

    def status(self):
        """Raises DeviceError if the communicator is broken."""
        self._check(self.lib.pit_comm_status(self.handle))

    def abort(self, message):
        """Breaks it on all ranks."""
        self.lib.pit_comm_abort(self.handle, message.encode())

    def check(self, stream=None):
        """Waits for the stream, at most for the limit, and raises what went wrong, on this rank or another."""
        self._check(self.lib.pit_comm_check(self.handle, stream))
        self._check(self.lib.pit_cuda_check(self.context.handle, stream))

    def barrier(self, channel, stream=None):
        self._check(self.lib.pit_comm_barrier(self.handle, stream, channel))

    def buffer(self, size, unit=1):
        """A `pit_comm_buffer` with `size` bytes on each rank. All ranks call it."""
        made = _buffer_p()
        self._check(self.lib.pit_comm_buffer_create(self.handle, size, unit, ctypes.byref(made)))
        return made.contents

    def gather(self, buffer, offset, piece, size, stream=None):
        self._check(self.lib.pit_comm_gather(self.handle, stream, ctypes.byref(buffer), offset, piece, size))

    def push(self, channel, buffer, offset, piece, size, stream=None):
        """As `gather`, and sets a word on each other rank when the piece is there; `arrivals` says where, `join_own` waits for
        this rank's own piece."""
        self._check(self.lib.pit_comm_push(self.handle, stream, channel, ctypes.byref(buffer), offset, piece, size))

    def join_own(self, stream=None):
        """Later work of `stream` waits for this rank's own pieces of earlier pushes."""
        self._check(self.lib.pit_comm_join_own(self.handle, stream))

    def arrivals(self, channel):
        """The address of an i32 for each other rank, not 0 once its push of the channel is there."""
        words = _void_p()
        self._check(self.lib.pit_comm_arrivals(self.handle, channel, ctypes.byref(words)))
        return words.value

    def await_pushes(self, channel, stream=None):
        """Later work of `stream` waits for all ranks' pushes of the channel; takes their words back."""
        self._check(self.lib.pit_comm_await(self.handle, stream, channel))

    def fork(self, stream=None):
        """A stream (an address) for gathers and barriers beside kernels of `stream`, which starts where that one is now."""
        side = _void_p()
        self._check(self.lib.pit_comm_fork(self.handle, stream, ctypes.byref(side)))
        return side.value

    def join(self, stream=None):
        """Later work of `stream` waits for the stream that `fork` gave."""
        self._check(self.lib.pit_comm_join(self.handle, stream))

    def share(self, buffer, stream=None):
        self._check(self.lib.pit_comm_share(self.handle, stream, ctypes.byref(buffer)))

    def all_reduce(self, value, dtype, out=None, stream=None):
        """Adds up an array of all ranks, in place or into `out`. `dtype` is MLIR's name of the element type."""
        address, shape = address_of(value)
        number = {name: number for number, (name, _) in runtime.DTYPES.items()}[dtype]
        to = address if out is None else address_of(out)[0]
        count = 1
        for extent in shape:
            count *= extent
        self.all_reduce_at(address, to, count, number, stream)

    def all_reduce_at(self, address, to, count, dtype, stream=None):
        """The same by addresses; `dtype` is the number of the C ABI."""
        self._check(self.lib.pit_comm_all_reduce(self.handle, stream, address, to, count, dtype))

    def close(self):
        """Leaves; all work on this rank's streams must have ended."""
        if self.handle:
            self.lib.pit_comm_destroy(self.handle)
            self.handle = _void_p()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if exception[0] is not None:
            self.abort(f"{exception[0].__name__}: {exception[1]}"[:200])
        self.close()
