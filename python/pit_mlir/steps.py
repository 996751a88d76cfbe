# ===- steps.py - A program on one of several GPUs --------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""A program for several ranks on the arguments of one; `pit_mlir.parallel` has the rest."""

import ctypes

from . import runtime
from .errors import ArgumentError
from .frames import Frame

_void_p = ctypes.c_void_p
# Barriers have the channels in front of these, which are for what is pushed while a phase runs.
_PUSH_CHANNELS = range(3, 16)
# Bytes of all ranks' pieces up to which a kernel moves them in front of the first barrier: that takes less time than to say
# of each piece that it is there.
MOST_IN_FRONT = 4 << 20


def address_of(value):
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
        context.check(runtime.library().pit_cuda_allocate(context.handle, self.size, ctypes.byref(self.address)))

    @property
    def __cuda_array_interface__(self):
        data = (self.address.value or 0, False)
        return {"shape": self.shape, "typestr": self.spec.numpy_type.str, "data": data, "strides": None, "version": 3}

    def numpy(self):
        """A copy on the host; call `Communicator.check` before."""
        import numpy as np

        found = np.empty(self.shape, self.spec.numpy_type)
        place = found.__array_interface__["data"][0]
        self.context.check(runtime.library().pit_cuda_copy_out(self.context.handle, None, place, self.address, self.size))
        self.context.check(runtime.library().pit_cuda_stream_synchronize(self.context.handle, None))
        return found

    def __del__(self):
        if getattr(self, "address", None):
            runtime.library().pit_cuda_free(self.context.handle, self.address)


def _size_of(spec, shape):
    size = spec.bytes
    for extent in shape:
        size *= extent
    return size


class Step:
    """A program for several ranks on this rank's part of the arguments, for many runs.

    program    for several ranks: with a shard.grid, or compiled with the option shard-experts
    arguments  arrays on this rank's device, row-major without gaps, which stay in place: parts of equal size on all
               ranks for what `splits` calls rows and experts. A rank with fewer rows has rows of zeros in its gate.
    name       the function, if the program has several
    out        arrays for the results, as the arguments; new ones by default

    `results` are these arrays, which each run computes anew. All ranks make the same steps. Buffers belong
    to the communicator and stay as long as it; so do kernels that graphs of a run launch. What only a later phase needs
    of other ranks is pushed on the communicator's side stream meanwhile."""

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
        # Text of the plan to a spec, and to (address, shape).
        self._specs = {}
        for phase in self.plan["phases"]:
            self._specs.update(zip(phase["arguments"], program[phase["entry"]].inputs))
        self._values = {f"input {i}": address_of(value) for i, value in enumerate(arguments)}
        # What a run does: kind, operands, and whether that is beside the host's stream.
        self._steps, self._gathered, self._shared, results = [], set(), [], {}
        # Text of the arrivals that a phase waits for to the channel of their pushes.
        self._channels = {}
        self._push_ahead()
        for number, phase in enumerate(self.plan["phases"]):
            self._bind(number, phase, program[phase["entry"]], results)
        self.results = [results[i] for i in range(len(self.plan["results"]))]
        self._close()

    def _push_ahead(self):
        """At the start of a run: what a phase does not wait for before it begins. Peers have read what was pushed in the run
        before, as they passed its last barrier; `_close` sees to that."""
        texts = [text for phase in self.plan["phases"] for text in phase["arguments"] if text.startswith("arrivals")]
        if not self.comm.lib.pit_comm_maps(self.comm.handle):
            return
        channels = iter(_PUSH_CHANNELS)
        for text in texts:
            gathered = "gather " + text.split()[1]
            _, _, size = room = self._make_room(gathered)
            self._gathered.add(gathered)
            channel = next(channels, None) if size * self.comm.ranks > MOST_IN_FRONT else None
            if channel is None:
                # The barrier in front of the first phase that gathers waits for it.
                self._steps.append(("gather", room, False))
                continue
            if not self._channels:
                self._steps.append(("fork", None, False))
            self._steps.append(("push", (channel, *room), True))
            self._channels[text] = channel
            self._values[text] = (self.comm.arrivals(channel), (self.comm.ranks,))

    def _all_arrived(self, spec):
        """Words for a phase that finds all pieces there."""
        memory, words = Memory(self.comm.context, spec, (self.comm.ranks,)), (ctypes.c_int32 * self.comm.ranks)(*[1] * self.comm.ranks)
        lib, handle = runtime.library(), self.comm.context.handle
        self.comm.context.check(lib.pit_cuda_copy_in(handle, None, memory.address, ctypes.addressof(words), memory.size))
        self.comm.context.check(lib.pit_cuda_stream_synchronize(handle, None))
        self._kept.append(memory)
        return memory.address.value, (self.comm.ranks,)

    def _bind(self, number, phase, entry, results):
        """Arguments and results of a phase, and in front of it what it gathers and a barrier."""
        comm, frame = self.comm, Frame(entry.inputs, entry.outputs, self.comm.context)
        new = [text for text in phase["arguments"] if text.startswith(("gather", "shift", "reduce")) and text not in self._gathered]
        needed = [text for text in new if not text.startswith("reduce")]
        self._gathered.update(new)
        for text in new:
            if text.startswith("reduce"):
                self._reduce(text)
        for text in needed:
            if not self._is_in_place(text):
                self._steps.append(("gather", self._make_room(text), False))
        if needed:
            self._steps.append(("barrier", None, False))
        for i, (spec, text) in enumerate(zip(entry.inputs, phase["arguments"])):
            if text == "rank":
                frame.set_scalar(i, comm.rank)
                continue
            if text.startswith("arrivals") and text not in self._values:
                self._values[text] = self._all_arrived(spec)
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
        channels = [self._channels[text] for text in phase["arguments"] if text in self._channels]
        if channels:
            self._steps.append(("join own", None, False))
        self._steps.append(("call", (number, entry, frame), False))
        self._steps += [("await", channel, False) for channel in channels]
        if channels:
            self._steps.append(("join", None, False))
        # Mapped parts need no step.
        if not comm.lib.pit_comm_maps(comm.handle):
            self._steps += [("share", buffer, False) for buffer in self._shared]
        self._shared = []

    def _gather_of(self, text):
        return self.plan["gathers"][int(text.split()[1])]

    def _is_in_place(self, text):
        return text.startswith("shift") or self._gather_of(text)["in_place"]

    def _make_room(self, text):
        """Room for the pieces of all ranks on each of them: the buffer, and where this rank's piece is, and its bytes."""
        gather = self._gather_of(text)
        address, shape = self._values[gather["of"]]
        if gather["dim"] != 0:
            raise ArgumentError(f"{text}: pieces are put together along dimension 0, not {gather['dim']}")
        size = _size_of(self._specs[text], shape)
        buffer = self.comm.buffer(max(size * self.comm.ranks, 1))
        self._values[text] = (buffer.own, (shape[0] * self.comm.ranks, *shape[1:]))
        return buffer, address, size

    def _reduce(self, text):
        """Room for a sum of all ranks; NCCL's calls wait for each other without a barrier."""
        address, shape = self._values[self.plan["reduces"][int(text.split()[1])]["of"]]
        spec = self._specs[text]
        memory = Memory(self.comm.context, spec, shape)
        self._kept.append(memory)
        self._values[text] = (memory.address.value or 0, shape)
        self._steps.append(("reduce", (address, memory.address, _size_of(spec, shape) // spec.bytes, spec.dtype), False))

    def _place(self, spec, text, shape):
        """Where a result goes: into a buffer of all ranks if others read it there, or to the rank that it is passed on to."""
        shifts = [i for i, s in enumerate(self.plan.get("shifts", [])) if s["of"] == text]
        readers = [i for i, g in enumerate(self.plan["gathers"]) if g["of"] == text and g["in_place"]]
        if self._out is not None and text.startswith("result"):
            given = self._out[int(text.split()[1])]
            address, found = address_of(given)
            if found != tuple(shape):
                raise ArgumentError(f"out {text.split()[1]}: expected {list(shape)}, got {list(found)}")
            self._values[text] = (address, found)
            return given
        if shifts:
            return self._pass_on(spec, text, shape, shifts)
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

    def _pass_on(self, spec, text, shape, shifts):
        """Into the memory of the rank that gets it."""
        comm, by = self.comm, self.plan["shifts"][shifts[0]]["by"]
        if len(shifts) > 1:
            raise ArgumentError(f"{text} is passed on to several ranks")
        buffer = comm.buffer(max(_size_of(spec, shape), 1))

        def part(rank):
            return buffer.parts + rank % comm.ranks * buffer.pitch

        maps = comm.lib.pit_comm_maps(comm.handle)
        self._values[text] = (part(comm.rank + by) if maps else buffer.own, tuple(shape))
        self._values[f"shift {shifts[0]}"] = (buffer.own if maps else part(comm.rank - by), tuple(shape))
        self._shared.append(buffer)

    def _close(self):
        """A run may overwrite what peers still read for the one before, unless a barrier is in between; and the first
        barrier of a run needs another channel than the last one."""
        places = [i for i, (kind, _, beside) in enumerate(self._steps) if kind == "barrier" and not beside]
        first, last = (places[0], places[-1]) if places else (0, -1)
        calls = [(i, self.plan["phases"][what[0]]) for i, (kind, what, _) in enumerate(self._steps) if kind == "call"]
        pushed = {f"gather {i}" for i, g in enumerate(self.plan["gathers"]) if not g["in_place"]}
        read_late = any(pushed & set(phase["arguments"]) for i, phase in calls if i > last)
        # In place: written by a phase in front of which there is no barrier.
        written = {g["of"] for g in self.plan["gathers"] if g["in_place"]} | {s["of"] for s in self.plan.get("shifts", [])}
        early = any(written & set(phase["results"]) for i, phase in calls if i < first)
        joined_late = any(kind == "join" and i > last for i, (kind, _, _) in enumerate(self._steps))
        if places and (read_late or early or joined_late or len(places) == 1):
            places.append(len(self._steps))
            self._steps.append(("barrier", None, False))
        for number, place in enumerate(places):
            is_odd_one = number == len(places) - 1 and number % 2 == 0
            self._steps[place] = ("barrier", 2 if is_odd_one else number % 2, False)

    def run(self, stream=None):
        """Enqueues one run on the stream (an address; torch's `cuda_stream`), which can be captured as a graph. Raises
        what is known by then; `Communicator.check` waits, and says the rest."""
        comm, side = self.comm, None
        for kind, what, beside in self._steps:
            on = side if beside else stream
            if kind == "barrier":
                comm.barrier(what, on)
            elif kind == "share":
                comm.share(what, on)
            elif kind == "reduce":
                comm.all_reduce_at(*what, on)
            elif kind == "gather":
                comm.gather(what[0], 0, what[1], what[2], on)
            elif kind == "push":
                comm.push(what[0], what[1], 0, what[2], what[3], on)
            elif kind == "join own":
                comm.join_own(on)
            elif kind == "await":
                comm.await_pushes(what, on)
            elif kind == "fork":
                side = comm.fork(stream)
            elif kind == "join":
                comm.join(stream)
            else:
                _, entry, frame = what
                status = entry._call(comm.context.handle, on, frame.arguments, frame.results, None, 0)
                if status:
                    raise comm.context.error(status, entry.name)
