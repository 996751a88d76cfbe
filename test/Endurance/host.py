# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workloads on the CPU, by Python alone: calls, and comparisons with what came out first."""
import array
import ctypes
import hashlib
import math
import os
import threading

import runtime

LIBC = ctypes.CDLL(None)
LIBC.memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
LIBC.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]


class HostProgram:
    """One workload; results are filled with ones before each call."""

    def __init__(self, library, folder, name, arguments):
        entry = library.load(os.path.join(folder, name + ".so"))
        self.name, self.call = name, runtime.Call(library, entry, [shape for _, shape, _ in arguments])
        self.inputs = [ctypes.create_string_buffer(data, max(1, len(data))) for _, _, data in arguments]
        self.sizes = [runtime.num_bytes(*result) for result in self.call.results]
        self.outputs = [ctypes.create_string_buffer(max(1, size)) for size in self.sizes]
        self.call.place([ctypes.addressof(buffer) for buffer in self.inputs], [ctypes.addressof(buffer) for buffer in self.outputs])
        self.places = [(ctypes.addressof(buffer), size) for buffer, size in zip(self.outputs, self.sizes)]
        self.differ = [0]
        self.run()
        self.first = [buffer.raw for buffer in self.outputs]

    def run(self):
        for address, size in self.places:
            LIBC.memset(address, 0xff, size)
        self.call()

    def flip(self):
        self.outputs[0][self.sizes[0] // 2] = bytes([self.outputs[0][self.sizes[0] // 2][0] ^ 1])

    def compare(self):
        if any(LIBC.memcmp(address, first, size) for (address, size), first in zip(self.places, self.first)):
            self.differ[0] += 1

    def sha256(self):
        return hashlib.sha256(b"".join(buffer.raw[:size] for buffer, size in zip(self.outputs, self.sizes))).hexdigest()

    def error(self, dense, kept):
        """In norm, of this program's results against those of another one, at the positions of which `kept` is true."""
        off = norm = 0.0
        for (dtype, _), mine, other in zip(self.call.results, self.first, dense.first):
            if dtype not in ("f32", "f64"):
                raise RuntimeError(f"{self.name}: a result of {dtype}")
            pairs = list(zip(*(array.array("f" if dtype == "f32" else "d", data[:len(data)]) for data in (mine, other))))
            row = len(pairs) // len(kept) if kept else 0
            for at, (a, b) in enumerate(pairs):
                if not kept or kept[at // row]:
                    off, norm = off + (a - b) ** 2, norm + b * b
        return math.sqrt(off / norm) if norm else math.sqrt(off)


class Neighbour:
    """A thread that calls a workload of its own while it may."""

    def __init__(self, program):
        self.program, self.may, self.idle, self.ended = program, threading.Event(), threading.Event(), False
        self.idle.set()
        self.error = None
        self.thread = threading.Thread(target=self.loop, daemon=True)
        self.thread.start()

    def loop(self):
        while not self.ended:
            if not self.may.wait(.2):
                continue
            self.idle.clear()
            try:
                while self.may.is_set():
                    self.program.run()
                    self.program.compare()
            except RuntimeError as error:
                self.error = str(error)
                self.may.clear()
            self.idle.set()

    def start(self):
        self.may.set()

    def stop(self):
        self.may.clear()
        # It may be about to begin one more call.
        self.thread.join(.001)
        self.idle.wait()


class Host:
    """All workloads; what endurance.py asks of a target."""

    MODES = ["alone", "beside a thread"]
    REGIONS = ["results"]

    def __init__(self, folder, make_arguments):
        self.runtime, self.folder, self.make_arguments = runtime.Runtime(folder), folder, make_arguments
        self.programs, self.neighbours = {}, {}
        self.turn, self.leaked = 0, []
        self.device = None

    def prepare(self, name):
        self.programs[name] = self.load(name, name)
        # Some workloads also run in a thread beside others.
        if len(self.neighbours) < 3:
            self.neighbours[name] = Neighbour(self.load(name, name))
        return self.programs[name]

    def load(self, name, file):
        library_arguments = self.make_arguments(self.runtime.load(os.path.join(self.folder, file + ".so")), name)
        return HostProgram(self.runtime, self.folder, file, library_arguments)

    def check(self, name, kept):
        return self.programs[name].error(self.load(name, name + ".dense"), kept)

    def settle(self):
        pass

    def segment(self, name, mode, reruns, seconds, clock, fault_at):
        """Runs it that often, or that long; returns how often. `fault_at`: the rerun in which one bit is to be changed."""
        program, end = self.programs[name], clock() + seconds
        neighbour = None
        if mode == "beside a thread":
            neighbour = list(self.neighbours.values())[self.turn % len(self.neighbours)]
            self.turn += 1
            neighbour.start()
        done = 0
        while done < reruns and (done == 0 or clock() < end):
            program.run()
            if done == fault_at:
                program.flip()
            program.compare()
            done += 1
        if neighbour:
            neighbour.stop()
            if neighbour.error:
                raise RuntimeError(neighbour.error)
        return done

    def differ(self, name):
        neighbour = self.neighbours.get(name)
        return [self.programs[name].differ[0] + (neighbour.program.differ[0] if neighbour else 0)]

    def finish(self, name):
        """What the results hash to, now and at first."""
        program = self.programs[name]
        program.run()
        return program.sha256(), hashlib.sha256(b"".join(first[:size] for first, size in zip(program.first, program.sizes))).hexdigest()

    def free_bytes(self):
        return None

    def leak(self, kind):
        self.leaked.append(bytearray(os.urandom(1 << 16)))

    def close(self):
        for neighbour in self.neighbours.values():
            neighbour.ended = True
