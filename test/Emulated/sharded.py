#!/usr/bin/env python3
# ===- sharded.py - A whole program on several ranks computes what it does on one ---===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Runs a program, dense parts and experts, on several ranks, threads of this process, and compares each result with that
of the program for one GPU. Says of each whether it has the same bits, or by how much the largest error is of the largest
element. All runs, and all ranks that have the same result, must have the same bits.

    sharded.py FILE [--cuts ARGUMENT:DIMENSION,...] [--ranks R,...] [--gates ARGUMENT,...] [--top-k K]
               [--options PIPELINE-OPTIONS] [--extent N] [--error E] [--nccl LIBRARY]
"""
import argparse
import os
import sys

import numpy as np

import pit_mlir

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import parallel  # noqa: E402


def draw(random, spec, number, options):
    """An argument; what a program knows nothing of has N elements."""
    shape = [options.extent if extent is None else extent for extent in spec.extents]
    array = random.normal(size=shape)
    if number in options.gates:
        array = np.zeros(shape)
        chosen = np.argsort(random.normal(size=shape), axis=1)[:, : options.top_k]
        np.put_along_axis(array, chosen, random.uniform(0.1, 1, chosen.shape), 1)
    elif number and len(shape) > 1:
        array *= 0.1
    return parallel.bf16(array.astype("f")) if spec.type == "bf16" else array.astype(spec.numpy_type)


def numbers_of(array):
    return (array.view("u2").astype("u4") << 16).view("f") if array.dtype.itemsize == 2 else array


def compare(found, expected):
    """The largest error of the largest element; 0 for the same bits."""
    if found.shape != expected.shape:
        return float("inf")
    if found.tobytes() == expected.tobytes():
        return 0.0
    found, expected = numbers_of(found), numbers_of(expected)
    error = np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-30)
    # A NaN is wrong, too.
    return max(float(error), 1e-30) if error >= 0 else float("inf")


def integers(text):
    return [int(number) for number in text.split(",") if number]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--cuts", default="")
    parser.add_argument("--ranks", type=integers, default=[2])
    parser.add_argument("--gates", type=integers, default=[])
    parser.add_argument("--top-k", type=int, default=2)
    parser.add_argument("--options", default="")
    parser.add_argument("--extent", type=int, default=16)
    parser.add_argument("--error", type=float, default=1e-6)
    parser.add_argument("--reruns", type=int, default=2)
    parser.add_argument("--nccl", help="a library in NCCL's place, which then moves the data")
    options = parser.parse_args()
    if options.nccl:
        os.environ["PIT_NCCL"] = options.nccl
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    alone = pit_mlir.compile(text, "cuda:sm_90a", pipeline=f"shard-experts=-1 {options.options}")
    (entry,) = (alone[name] for name in alone.entries)
    random = np.random.default_rng(5)
    inputs = [draw(random, spec, number, options) for number, spec in enumerate(entry.inputs)]
    expected = alone(*inputs)
    expected = expected if isinstance(expected, (tuple, list)) else [expected]
    failed = 0
    for ranks in options.ranks:
        cuts = f"shard-inputs={options.cuts}" if options.cuts else ""
        program = pit_mlir.compile(text, "cuda:sm_90a", pipeline=f"shard-experts={ranks} {cuts} {options.options}")
        plan = program.phases[0]
        print(f"{ranks} ranks, inputs: {', '.join(plan['inputs'])}; results: {', '.join(plan['results'])}")
        before = parallel.live()
        found = parallel.run_ranks(program, ranks, f"{os.getpid()} {ranks}", inputs, options.reruns, options.nccl)
        errors = [compare(a, b) for a, b in zip(found, expected)]
        for number, error in enumerate(errors):
            failed += not error <= options.error
            what = f"WRONG, error {error:.1e}" if not error <= options.error else "the values of one" if error else "the bits of one"
            print(f"{ranks} ranks, result {number}: {what}")
        left = parallel.live() - before
        failed += bool(left)
        print(f"{ranks} ranks: {left} allocations are left", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
