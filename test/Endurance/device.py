# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workloads on a CUDA device: calls through the runtime on tensors of torch, and comparisons on the device.

Results and workspace lie in one piece of memory. After each call all of it is compared with what the first call left there,
bit by bit, and filled with ones for the next call; the host reads a few counters after many calls.
"""
import hashlib
import math
import os
import select
import subprocess
import sys

import torch

import runtime
import workspace
from workspace import ALIGNMENT, aligned

DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool, "i8": torch.int8,
          "i32": torch.int32, "i64": torch.int64}


def upload(data, dtype, shape):
    tensor = torch.frombuffer(bytearray(data or b"\0"), dtype=torch.uint8).cuda()
    return tensor[:len(data)].view(DTYPES[dtype]).reshape(shape)


class DeviceProgram:
    """One workload, with memory of its own."""

    def __init__(self, library, folder, name, arguments, has_manifest=True):
        entry = library.load(os.path.join(folder, name + ".so"))
        self.name, self.library = name, library
        self.call = runtime.Call(library, entry, [shape for _, shape, _ in arguments])
        self.inputs = [upload(data, dtype, shape) for dtype, shape, data in arguments]
        places, place = [], 0
        for dtype, shape in self.call.results:
            places.append((place, place + runtime.num_bytes(dtype, shape)))
            place += aligned(places[-1][1] - place)
        self.memory = torch.full([place + aligned(self.call.workspace_bytes) + ALIGNMENT], 0xff, dtype=torch.uint8, device="cuda")
        self.results = [self.memory[begin:end].view(DTYPES[dtype]).reshape(shape)
                        for (begin, end), (dtype, shape) in zip(places, self.call.results)]
        base = self.memory.data_ptr()
        if base % ALIGNMENT:
            raise RuntimeError(f"{name}: memory at {base:#x}")
        self.call.place([x.data_ptr() for x in self.inputs], [base + begin for begin, _ in places], base + place)
        self.words = self.memory.view(torch.int32)
        masks = torch.zeros(3, len(self.words), dtype=torch.bool)
        for begin, end in places:
            masks[0, begin // 4:-(-end // 4)] = True
        manifest = os.path.join(folder, name + ".json")
        for dtype, begin, end in workspace.regions(manifest, arguments, self.call.workspace_bytes) if has_manifest else []:
            masks[1 if workspace.is_list(dtype) else 2, (place + begin) // 4:-(-(place + end) // 4)] = True
        self.masks = masks.cuda()
        # Reruns with other bits: in results, in lists, in other workspace; words of results that were others.
        self.counters = torch.zeros(4, dtype=torch.int64, device="cuda")
        self.first, self.different = None, torch.zeros_like(self.words, dtype=torch.bool)
        self.graph = self.comparison = self.comparison_of_results = None
        # What other streams do does not wait for this one.
        torch.cuda.synchronize()

    def launch(self, stream, own_workspace=True):
        self.call(stream.cuda_stream, own_workspace)

    def begin(self, stream):
        """The first call, whose bits count, and graphs of what follows."""
        with torch.cuda.stream(stream):
            self.launch(stream)
            self.library.check_device(stream.cuda_stream)
            self.first = self.words.clone()
            self.compare()
            self.counters.zero_()
            stream.synchronize()
        # Replaying allocates nothing, and costs the host little.
        self.comparison, self.comparison_of_results, self.graph = (torch.cuda.CUDAGraph() for _ in range(3))
        with torch.cuda.graph(self.comparison, stream=stream):
            self.compare()
        # Where the workspace is not ours.
        with torch.cuda.graph(self.comparison_of_results, stream=stream):
            self.compare(1)
        with torch.cuda.graph(self.graph, stream=stream):
            self.launch(stream)
            self.compare()

    def compare(self, regions=3):
        torch.ne(self.words, self.first, out=self.different)
        self.counters[:regions] += (self.different & self.masks[:regions]).any(dim=1)
        self.counters[3] += (self.different & self.masks[0]).sum()
        self.words.fill_(-1)

    def flip(self):
        self.memory[self.results[0].nbytes // 2] ^= 1

    def sha256(self):
        return hashlib.sha256(b"".join(x.contiguous().view(torch.uint8).cpu().numpy().tobytes() for x in self.results)).hexdigest()


class StreamLoad:
    """Products and copies on another stream, as a graph that is started again when it has ended."""

    def __init__(self):
        self.stream, self.event = torch.cuda.Stream(), torch.cuda.Event()
        self.a, self.b = (torch.randn(3072, 3072, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        self.c = torch.empty_like(self.a)
        self.source, self.target = (torch.empty(64 << 20, dtype=torch.uint8, device="cuda") for _ in range(2))
        with torch.cuda.stream(self.stream):
            self.work()
        self.stream.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream):
            for _ in range(4):
                self.work()
        self.event.record(self.stream)

    def work(self):
        torch.mm(self.a, self.b, out=self.c)
        self.target.copy_(self.source)

    def tick(self):
        if self.event.query():
            with torch.cuda.stream(self.stream):
                self.graph.replay()
                self.event.record(self.stream)


class ProcessLoad:
    """The same in another process, which works between `on` and `off`, and keeps its memory."""

    def __init__(self):
        self.child = subprocess.Popen([sys.executable, os.path.abspath(__file__)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer("ready")

    def answer(self, wanted):
        line = self.child.stdout.readline().strip()
        if line != wanted:
            raise RuntimeError(f"the other process says '{line}' instead of '{wanted}'")

    def say(self, word):
        self.child.stdin.write(word + "\n")
        self.child.stdin.flush()
        self.answer(word)

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def load_until_told():
    load, working, chunks = StreamLoad(), False, 0
    load.stream.synchronize()
    print("ready", flush=True)
    while True:
        if select.select([sys.stdin], [], [], 0 if working else None)[0]:
            word = sys.stdin.readline().strip()
            if not word:
                return
            load.stream.synchronize()
            working = word == "on"
            print(word, flush=True)
        elif working:
            load.tick()
            chunks += 1
            if chunks % 64 == 0:
                load.stream.synchronize()


class Device:
    """All workloads; what endurance.py asks of a target."""

    MODES = ["launched", "workspace of the runtime", "captured", "launched beside a stream", "captured beside a stream",
             "launched beside a process", "captured beside a process"]
    REGIONS = ["results", "lists", "temporaries"]

    def __init__(self, folder, make_arguments):
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.zeros(1, device="cuda")
        self.runtime, self.folder, self.make_arguments = runtime.Runtime(folder), folder, make_arguments
        self.stream, self.device = torch.cuda.Stream(), torch.cuda.get_device_name()
        self.beside_stream, self.beside_process = StreamLoad(), ProcessLoad()
        self.programs, self.leaked = {}, []

    def prepare(self, name):
        self.programs[name] = self.load(self.runtime, name, name, True)
        self.programs[name].begin(self.stream)
        return self.programs[name]

    def load(self, library, name, file, has_manifest):
        path = os.path.join(self.folder, file + ".so")
        return DeviceProgram(library, self.folder, file, self.make_arguments(library.load(path), name), has_manifest)

    def check(self, name, kept):
        """||sparse - dense|| / ||dense||, of the first call."""
        other = runtime.Runtime(self.folder)
        dense, program = self.load(other, name, name + ".dense", False), self.programs[name]
        with torch.cuda.stream(self.stream):
            dense.launch(self.stream)
            other.check_device(self.stream.cuda_stream)
            program.launch(self.stream)
            self.runtime.check_device(self.stream.cuda_stream)
        off = norm = 0.0
        for mine, theirs in zip(program.results, dense.results):
            a, b = mine.double(), theirs.double()
            if kept:
                mask = torch.tensor(kept, device="cuda").reshape(mine.shape[:2])
                a, b = a[mask], b[mask]
            off, norm = off + float((a - b).square().sum()), norm + float(b.square().sum())
        program.words.fill_(-1)
        torch.cuda.synchronize()
        other.close()
        return math.sqrt(off / norm) if norm else math.sqrt(off)

    def settle(self):
        torch.cuda.synchronize()
        torch.cuda.empty_cache()

    def segment(self, name, mode, reruns, seconds, clock, fault_at):
        """Runs it that often, or that long; returns how often. `fault_at`: the rerun in which one bit is to be changed."""
        program, end, done = self.programs[name], clock() + seconds, 0
        captured, own_workspace = mode.startswith("captured"), mode != "workspace of the runtime"
        beside = self.beside_stream if mode.endswith("stream") else None
        if mode.endswith("process"):
            self.beside_process.say("on")
        with torch.cuda.stream(self.stream):
            while done < reruns and (done == 0 or clock() < end):
                # A few at a time, so that the host does not run ahead of the clock.
                for _ in range(min(25, reruns - done)):
                    if beside:
                        beside.tick()
                    if captured:
                        program.graph.replay()
                    else:
                        program.launch(self.stream, own_workspace)
                        if done == fault_at:
                            program.flip()
                        (program.comparison if own_workspace else program.comparison_of_results).replay()
                    done += 1
                self.stream.synchronize()
            self.runtime.check_device(self.stream.cuda_stream)
        if mode.endswith("process"):
            self.beside_process.say("off")
        torch.cuda.synchronize()
        return done

    def differ(self, name):
        return self.programs[name].counters.tolist()[:3]

    def finish(self, name):
        program = self.programs[name]
        with torch.cuda.stream(self.stream):
            program.launch(self.stream)
            self.runtime.check_device(self.stream.cuda_stream)
        last = program.sha256()
        program.words.copy_(program.first)
        return last, program.sha256()

    def free_bytes(self):
        return torch.cuda.mem_get_info()[0]

    def leak(self, kind):
        if kind == "leak-device":
            self.leaked.append(torch.empty(4 << 20, dtype=torch.uint8, device="cuda"))
        else:
            self.leaked.append(bytearray(os.urandom(1 << 16)))

    def close(self):
        self.beside_process.close()


if __name__ == "__main__":
    load_until_told()
