#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ordinary programs on the CPU against torch, in one process, with as many threads on both sides.

    PYTHONPATH=python PIT_MLIR_COMPILER=BIN/pit-compile bench_cpu.py [--threads N] [--output FILE] [--most SECONDS]
        [PATTERN...]

Programs are chosen by name, as in a shell ("conv*:odd"). Large ones that torch takes longer for than `--most` are left
out. Results must be as close to those of f64 as torch's are, or as the type rounds. Times of one thread are those that
it ran, so that other processes do not count, and the median of all; those of several are the least that passed. Both
take turns. PIT's function is called as from C, with results in the same memory each time.
"""
import argparse
import fnmatch
import json
import statistics
import sys
import time

import torch

import pit_mlir
import programs

# ||out - exact|| / ||exact|| that a result may have, whatever torch's has.
ERRORS = {torch.bfloat16: 4e-3, torch.float16: 5e-4, torch.float32: 1e-6, torch.float64: 1e-14}
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
          "i32": torch.int32, "i64": torch.int64, "i1": torch.bool}


def make_input(shape, dtype, source):
    if dtype.is_floating_point:
        return (torch.randn(shape) * source.scale + source.offset).to(dtype)
    return torch.randint(-20, 20, shape).to(dtype)


def error_of(out, exact):
    if not exact.is_floating_point():
        return float((out != exact).double().mean())
    return float((out.double() - exact).norm() / exact.norm().clamp(min=1e-30))


def time_once(function, clock, least=2e-3):
    """Seconds of one call, of as many as take long enough to be timed."""
    count = 1
    while True:
        start = clock()
        for _ in range(count):
            function()
        passed = clock() - start
        if passed >= least:
            return passed / count
        count = count * 2 if passed < least / 4 else int(count * least / passed) + 1


def measure(name, options):
    source = programs.make(name)
    start = time.perf_counter()
    program = pit_mlir.compile(source.text, target="cpu")
    seconds = time.perf_counter() - start
    entry = program["main"]
    shapes = source.shapes or [argument.extents for argument in entry.inputs]
    inputs = [make_input(shape, DTYPES[argument.type], source) for argument, shape in zip(entry.inputs, shapes)]
    reference = lambda: source.reference(*inputs)
    start = time.perf_counter()
    expected = reference()
    if time.perf_counter() - start > options.most:
        return None
    ours, out = entry.prepare(*inputs)
    out = (out[0] if isinstance(out, (tuple, list)) else out).view(expected.shape)
    exact = expected
    if expected.is_floating_point():
        exact = source.reference(*(x.double() if x.is_floating_point() else x for x in inputs))
    error, theirs = error_of(out, exact), error_of(expected, exact)
    record = {"case": name, "error": error, "error_of_torch": theirs, "compile_s": round(seconds, 2)}
    if not error <= max(1.5 * theirs, ERRORS.get(out.dtype, 0)):
        record["failed"] = f"relative error {error}, where torch has {theirs}"
        return record
    times = {"pit": [], "torch": []}
    clock, summarize = (time.thread_time, statistics.median) if options.threads == 1 else (time.perf_counter, min)
    for _ in range(options.rounds):
        for key, function in (("pit", ours), ("torch", reference)):
            times[key].append(time_once(function, clock))
    record["ms"] = round(summarize(times["pit"]) * 1e3, 5)
    record["peers"] = {"torch": {"ms": round(summarize(times["torch"]) * 1e3, 5)}}
    record["ratio"] = round(record["peers"]["torch"]["ms"] / record["ms"], 3)
    return record


def device(threads):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    used = "one thread" if threads == 1 else f"{threads} threads"
    return f"{names[0]}, {used}" if names else f"{used} of a CPU"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--most", type=float, default=.5, help="seconds that torch may take")
    parser.add_argument("--threads", type=int, default=1, help="of PIT, and of torch")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pit_mlir.set_num_threads(options.threads)
    records = []
    for name in programs.PROGRAMS:
        if options.patterns and not any(fnmatch.fnmatch(name, p) for p in options.patterns):
            continue
        try:
            record = measure(name, options)
        except (RuntimeError, pit_mlir.Error, ValueError, TypeError) as error:
            record = {"case": name, "failed": str(error)[:500]}
        if record:
            records.append(record)
            print(json.dumps(record), flush=True)
        if options.output:
            with open(options.output, "w", encoding="utf-8") as file:
                json.dump({"device": device(options.threads), "torch": torch.__version__, "cases": records}, file, indent=1)
    return 1 if any("failed" in record for record in records) else 0


if __name__ == "__main__":
    sys.exit(main())
