#!/usr/bin/env python3
# ===- parallel.py - Experts on several ranks have the bits of one ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Runs a layer of experts on 1 to 8 ranks, threads of this process, and compares it with the program of one GPU: bits
where ranks pass on rows, values where they pass on sums. All runs must have the same bits.

    parallel.py [--ranks R,...] [--reruns N] [--routing NAME] [--sums FORM,...] [--late] [--nccl LIBRARY]
"""
import argparse
import ctypes
import gc
import os
import sys
import threading
import time

import numpy as np

import pit_mlir
from pit_mlir import parallel, runtime

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "benchmarks", "gpu"))
import build_moe  # noqa: E402

TOKENS, EXPERTS, WIDTH, HIDDEN = 48, 24, 64, 72
# Activation, experts of a token, width, hidden. In the last one the second product waits for rows of the first.
LAYERS = [("swiglu", 2, WIDTH, HIDDEN), ("relu", 1, WIDTH, HIDDEN), ("swiglu", 3, 520, 136)]


def bf16(array):
    return (array.astype("f").view("u4") >> 16).astype("u2")


def gates(routing, top_k, seed=3):
    """Weights of each token's experts; zero elsewhere."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=(TOKENS, EXPERTS))
    if routing == "skewed":
        scores -= np.arange(EXPERTS)
    elif routing == "one-expert":
        scores[:, 5] += 100
    elif routing == "empty-rank":
        # Nobody wants the experts of the last ranks.
        scores[:, EXPERTS // 8 :] = -1e9
    chosen = np.argsort(-scores, axis=1, kind="stable")[:, :top_k]
    gate = np.zeros((TOKENS, EXPERTS), "f")
    np.put_along_axis(gate, chosen, random.uniform(0.1, 1, chosen.shape).astype("f"), 1)
    if routing == "no-tokens":
        gate[: TOKENS // 8] = 0
    elif routing == "nothing":
        gate[:] = 0
    return gate


class OnDevice:
    """An array of the host, copied to the current device."""

    def __init__(self, context, spec, array):
        self.memory = parallel.Memory(context, spec, array.shape)
        self.__cuda_array_interface__ = self.memory.__cuda_array_interface__
        array = np.ascontiguousarray(array)
        place = array.__array_interface__["data"][0]
        context.check(runtime.library().pit_cuda_copy_in(context.handle, None, self.memory.address, place, array.nbytes))
        context.check(runtime.library().pit_cuda_stream_synchronize(context.handle, None))


class Spec:
    def __init__(self, array):
        self.bytes, self.numpy_type = array.itemsize, array.dtype


def part_of(array, split, rank, ranks):
    if split == "whole":
        return array
    size = array.shape[int(split.split()[1])] // ranks
    return np.take(array, range(rank * size, (rank + 1) * size), int(split.split()[1]))


def delay_pushes(step):
    """Lets a rank push what others gather when these wait for it in their kernels."""
    pushes = [one for one in step._steps if one[0] == "push"]
    others = [one for one in step._steps if one[0] != "push"]
    kinds = [kind for kind, _, _ in others]
    if not pushes or "await" not in kinds:
        raise AssertionError(f"no phase awaits what is pushed: {kinds}")
    place = kinds.index("await") - 1
    step._steps = others[:place] + pushes + others[place:]
    push = step.comm.push

    def push_late(*arguments):
        time.sleep(0.1)
        push(*arguments)

    step.comm.push = push_late


def run_ranks(program, ranks, name, inputs, reruns, nccl=None, late=False):
    """Results of all ranks, put together, of the first run; all runs must have the same bits. If `late`, the last rank pushes its
    rows when the others' products have begun."""
    parts, errors, members = [None] * ranks, [], (ctypes.c_void_p * ranks)()
    if nccl:
        ctypes.CDLL(nccl).fake_nccl_create(ranks, members)

    def run(rank):
        try:
            if nccl:
                made = parallel.Communicator.from_nccl(members[rank], 0, limit=120, maps=False)
            else:
                made = parallel.Communicator(rank, ranks, name, limit=120)
            with made as comm:
                cut = [part_of(a, s, rank, ranks) for a, s in zip(inputs, program.phases[0]["inputs"])]
                step = parallel.Step(program, comm, [OnDevice(comm.context, Spec(a), a) for a in cut])
                if late and rank == ranks - 1:
                    delay_pushes(step)
                for number in range(reruns):
                    step.run()
                    comm.check()
                    found = [result.numpy() for result in step.results]
                    if parts[rank] is None:
                        parts[rank] = found
                    elif any(a.tobytes() != b.tobytes() for a, b in zip(parts[rank], found)):
                        raise AssertionError(f"run {number} of rank {rank} differs from the first")
        except Exception as error:  # It is this test's result.
            errors.append(f"rank {rank}: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise AssertionError("; ".join(errors))
    return [join(found, split) for found, split in zip(zip(*parts), program.phases[0]["results"])]


def join(parts, split):
    """A result of what ranks have of it."""
    if split != "whole":
        return np.concatenate(parts, int(split.split()[1]))
    if any(part.tobytes() != parts[0].tobytes() for part in parts):
        raise AssertionError("ranks have different bits of a result that all of them have")
    return parts[0]


def live():
    """Allocations of the emulated device."""
    gc.collect()
    return ctypes.CDLL(os.environ["PIT_CUDA_DRIVER"]).fake_cuda_live()


def compare(found, expected, sums):
    """What is wrong with results of a form of sums, as a text."""
    if sums == "rows":
        return "" if found.tobytes() == expected.tobytes() else f"{np.count_nonzero(found != expected)} of {found.size} differ"
    a, b = ((value.view("u2").astype("u4") << 16).view("f") for value in (found, expected))
    # One step of bf16, as f32 sums in another order may round to the next number; what crosses in bf16 has errors of its own.
    largest = np.abs(b).max(axis=-1, keepdims=True)
    allowed = np.abs(b) * 2.0**-7 + largest * 2.0 ** (-7 if sums == "rounded" else -16)
    # A NaN is wrong, too.
    wrong = np.count_nonzero(~(np.abs(a - b) <= allowed))
    return f"{wrong} of {a.size} are wrong" if wrong else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", default="1,2,3,4,8")
    parser.add_argument("--reruns", type=int, default=2)
    parser.add_argument("--routing", default="uniform,skewed,one-expert,empty-rank,no-tokens,nothing")
    parser.add_argument("--sums", default="rows", help="of rows, partial, rounded")
    parser.add_argument("--long", action="store_true", help="a layer with longer sums, too")
    parser.add_argument("--late", action="store_true", help="one rank pushes its rows when products have begun")
    parser.add_argument("--nccl", help="a library in NCCL's place, which then moves the data")
    options = parser.parse_args()
    if options.late:
        pit_mlir.steps.MOST_IN_FRONT = 0
    if options.nccl:
        os.environ["PIT_NCCL"] = options.nccl
    random = np.random.default_rng(7)
    failed = 0
    for activation, top_k, width, hidden in LAYERS[: 3 if options.long else 2]:
        text = build_moe.write_program(build_moe.Experts(EXPERTS, top_k, width, hidden, activation))
        weights = [(EXPERTS, width, hidden)] * (2 if activation == "swiglu" else 1) + [(EXPERTS, hidden, width)]
        weights = [bf16(random.normal(size=shape) * 0.1) for shape in weights]
        x = bf16(random.normal(size=(TOKENS, width)))
        alone = pit_mlir.compile(text, "cuda:sm_90a")
        programs = {
            (ranks, sums): pit_mlir.compile(text, "cuda:sm_90a", pipeline=f"shard-experts={ranks} shard-sums={sums}")
            for ranks in map(int, options.ranks.split(","))
            for sums in options.sums.split(",")
        }
        for routing in options.routing.split(","):
            inputs = [x, gates(routing, top_k), *weights]
            expected = alone(*inputs)
            for (ranks, sums), program in programs.items():
                name = f"{os.getpid()} {activation} {width} {routing} {ranks} {sums}"
                before = live()
                try:
                    (found,) = run_ranks(program, ranks, name, inputs, options.reruns, options.nccl, options.late)
                    # Communicators take along what they had on the device.
                    left = live() - before
                    wrong = compare(found, expected, sums) or (f"{left} allocations are left" if left else "")
                except AssertionError as error:
                    wrong = str(error)
                failed += bool(wrong)
                right = "the bits of one" if sums == "rows" else "the sums of one"
                print(f"{activation} {width}, {routing}, {sums}, {ranks} ranks: {wrong or right}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
