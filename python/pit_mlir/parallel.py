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
from .frames import Frame

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
        self.lib, self.context, self.handle, self.device = _library(), runtime.Context(), _void_p(), device
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

    def share(self, buffer, stream=None):
        self._check(self.lib.pit_comm_share(self.handle, stream, ctypes.byref(buffer)))

    def all_reduce(self, value, dtype, out=None, stream=None):
        """Adds up an array of all ranks, in place or into `out`. `dtype` is MLIR's name of the element type."""
        address, shape = _address_of(value)
        number = {name: number for number, (name, _) in runtime.DTYPES.items()}[dtype]
        to = address if out is None else _address_of(out)[0]
        count = 1
        for extent in shape:
            count *= extent
        self._check(self.lib.pit_comm_all_reduce(self.handle, stream, address, to, count, number))

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


def _address_of(value):
    """Where an array of a device lies, and its shape."""
    if hasattr(value, "data_ptr"):
        if not value.is_contiguous():
            raise ArgumentError("a tensor that does not lie row-major without gaps")
        return value.data_ptr(), tuple(value.shape)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None or interface.get("strides"):
        raise ArgumentError(f"expected an array of a CUDA device that lies row-major without gaps, got {type(value).__name__}")
    return interface["data"][0], tuple(interface["shape"])


class Memory:
    """An array in a device's memory that this module allocated. Freed with it; what runs on it must have ended."""

    def __init__(self, context, spec, shape):
        self.context, self.spec, self.shape = context, spec, tuple(shape)
        self.size, self.address = _size_of(spec, shape), _void_p()
        context.check(_library().pit_cuda_allocate(context.handle, self.size, ctypes.byref(self.address)))

    @property
    def __cuda_array_interface__(self):
        data = (self.address.value or 0, False)
        return {"shape": self.shape, "typestr": self.spec.numpy_type.str, "data": data, "strides": None, "version": 3}

    def numpy(self):
        """A copy on the host; call `Communicator.check` before."""
        import numpy as np

        found = np.empty(self.shape, self.spec.numpy_type)
        place = found.__array_interface__["data"][0]
        self.context.check(_library().pit_cuda_copy_out(self.context.handle, None, place, self.address, self.size))
        self.context.check(_library().pit_cuda_stream_synchronize(self.context.handle, None))
        return found

    def __del__(self):
        if getattr(self, "address", None):
            _library().pit_cuda_free(self.context.handle, self.address)


def _size_of(spec, shape):
    size = spec.bytes
    for extent in shape:
        size *= extent
    return size


class Step:
    """A program for several ranks on this rank's part of the arguments, for many runs.

    program    compiled with the option shard-experts of the number of ranks
    arguments  arrays on this rank's device, row-major without gaps, which stay in place: parts of equal size on all
               ranks for what `splits` calls rows and experts. A rank with fewer rows has rows of zeros in its gate.
    name       the function, if the program has several
    out        arrays for the results, as the arguments; new ones by default

    `results` are these arrays, which each run computes anew. All ranks make the same steps. Buffers belong
    to the communicator and stay as long as it."""

    def __init__(self, program, comm, arguments, name=None, out=None):
        plans = [plan for plan in program.phases if name in (None, plan["name"])]
        if len(plans) != 1:
            raise ArgumentError(f"expected one function for several ranks{f' named {name}' if name else ''}, found {len(plans)}")
        self.plan, self.comm, self.program = plans[0], comm, program
        if self.plan["ranks"] != comm.ranks:
            raise ArgumentError(f"the program is for {self.plan['ranks']} ranks, the communicator has {comm.ranks}")
        if len(arguments) != len(self.plan["inputs"]):
            raise ArgumentError(f"{self.plan['name']} takes {len(self.plan['inputs'])} arguments, not {len(arguments)}")
        self._kept, self.splits, self._out = list(arguments), self.plan["inputs"], out
        if out is not None and len(out) != len(self.plan["results"]):
            raise ArgumentError(f"{self.plan['name']} has {len(self.plan['results'])} results, not {len(out)}")
        # Text of the plan to (address, shape).
        self._values = {f"input {i}": _address_of(value) for i, value in enumerate(arguments)}
        self._steps, self._gathered, self._shared, results = [], set(), [], {}
        for number, phase in enumerate(self.plan["phases"]):
            self._bind(number, phase, program[phase["entry"]], results)
        self.results = [results[i] for i in range(len(self.plan["results"]))]
        self._close()

    def _bind(self, number, phase, entry, results):
        """Arguments and results of a phase, and in front of it what it gathers and a barrier."""
        comm, frame = self.comm, Frame(entry.inputs, entry.outputs, self.comm.context)
        needed = [text for text in phase["arguments"] if text.startswith("gather") and text not in self._gathered]
        self._gathered.update(needed)
        for spec, text in zip(entry.inputs, phase["arguments"]):
            if text in needed and not self._is_in_place(text):
                self._gather(spec, text)
        if needed:
            self._steps.append(("barrier", None))
        for i, (spec, text) in enumerate(zip(entry.inputs, phase["arguments"])):
            if text == "rank":
                frame.set_scalar(i, comm.rank)
                continue
            address, shape = self._values[text]
            if len(shape) != spec.rank or not spec.fits(shape):
                raise ArgumentError(f"{entry.name}: {text}: expected {spec}, got {list(shape)}")
            frame.words[4 * i] = address
            frame.set_shape(i, shape)
        shapes = frame.result_shapes(entry._shapes)
        for i, (spec, text, shape) in enumerate(zip(entry.outputs, phase["results"], shapes)):
            memory = self._place(spec, text, shape)
            if text.startswith("result"):
                results[int(text.split()[1])] = memory
            frame.words[4 * (len(entry.inputs) + i)] = self._values[text][0]
            frame.set_shape(len(entry.inputs) + i, shape)
        self._kept.append(frame)
        self._steps.append(("call", (number, entry, frame)))
        # Mapped parts need no step.
        if not comm.lib.pit_comm_maps(comm.handle):
            self._steps += [("share", buffer) for buffer in self._shared]
        self._shared = []

    def _gather_of(self, text):
        return self.plan["gathers"][int(text.split()[1])]

    def _is_in_place(self, text):
        return self._gather_of(text)["in_place"]

    def _gather(self, spec, text):
        """Room for the pieces of all ranks on each of them."""
        gather = self._gather_of(text)
        address, shape = self._values[gather["of"]]
        if gather["dim"] != 0:
            raise ArgumentError(f"{text}: pieces are put together along dimension 0, not {gather['dim']}")
        size = _size_of(spec, shape)
        buffer = self.comm.buffer(max(size * self.comm.ranks, 1))
        self._values[text] = (buffer.own, (shape[0] * self.comm.ranks, *shape[1:]))
        self._steps.append(("gather", (buffer, address, size)))

    def _place(self, spec, text, shape):
        """Where a result goes: into a buffer of all ranks if others read it there."""
        readers = [i for i, g in enumerate(self.plan["gathers"]) if g["of"] == text and g["in_place"]]
        if self._out is not None and text.startswith("result"):
            given = self._out[int(text.split()[1])]
            address, found = _address_of(given)
            if found != tuple(shape):
                raise ArgumentError(f"out {text.split()[1]}: expected {list(shape)}, got {list(found)}")
            self._values[text] = (address, found)
            return given
        if not readers:
            memory = Memory(self.comm.context, spec, shape)
            self._kept.append(memory)
            self._values[text] = (memory.address.value or 0, tuple(shape))
            return memory
        row = _size_of(spec, shape[1:])
        buffer = self.comm.buffer(max(_size_of(spec, shape), 1), max(row, 1))
        self._values[text] = (buffer.own, tuple(shape))
        self._shared.append(buffer)
        for i in readers:
            rows = self.comm.ranks * (buffer.pitch // max(row, 1))
            if rows >= 1 << 31:
                raise ArgumentError(f"{text}: all ranks together have {rows} rows, which 32 bits cannot number")
            self._values[f"gather {i}"] = (buffer.parts, (rows, *shape[1:]))
        return None

    def _close(self):
        """A run may overwrite what peers still read for the one before, unless a barrier is in between; and the first
        barrier of a run needs another channel than the last one."""
        kinds = [kind for kind, _ in self._steps]
        count = kinds.count("barrier")
        last = len(kinds) - 1 - kinds[::-1].index("barrier") if count else -1
        pushed = {f"gather {i}" for i, g in enumerate(self.plan["gathers"]) if not g["in_place"]}
        read_late = any(
            pushed & set(self.plan["phases"][what[0]]["arguments"]) for kind, what in self._steps[last + 1 :] if kind == "call"
        )
        # In place: written by a phase in front of which there is no barrier.
        first = kinds.index("barrier") if count else 0
        written = {g["of"] for g in self.plan["gathers"] if g["in_place"]}
        early = any(
            written & set(self.plan["phases"][what[0]]["results"]) for kind, what in self._steps[:first] if kind == "call"
        )
        if count and (read_late or early or count == 1):
            self._steps.append(("barrier", None))
        places = [i for i, (kind, _) in enumerate(self._steps) if kind == "barrier"]
        for number, place in enumerate(places):
            is_odd_one = number == len(places) - 1 and number % 2 == 0
            self._steps[place] = ("barrier", 2 if is_odd_one else number % 2)

    def run(self, stream=None):
        """Enqueues one run on the stream (an address; torch's `cuda_stream`), which can be captured as a graph. Raises
        what is known by then; `Communicator.check` waits, and says the rest."""
        comm = self.comm
        for kind, what in self._steps:
            if kind == "barrier":
                comm.barrier(what, stream)
            elif kind == "share":
                comm.share(what, stream)
            elif kind == "gather":
                comm.gather(what[0], 0, what[1], what[2], stream)
            else:
                _, entry, frame = what
                status = entry._call(comm.context.handle, stream, frame.arguments, frame.results, None, 0)
                if status:
                    raise comm.context.error(status, entry.name)
