#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions compiled by PIT against torch's own, in one process.

    bench_reductions.py [--check] [--rounds N] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_reductions.py. Results are compared with torch's in
f64 (integers and places of maxima to the bit), and each run must give the same
bits. Times are of one call each after the L2 cache was overwritten, alternating
between PIT and torch. With --check, nothing is timed.
"""
import datetime
import math
import sys

import torch

import harness
from timing import median_ms, median_ratio, time_flushed
from torch_program import DTYPES, TorchProgram, check_same_bits

# Of sums, relative to the sum of what is added up: that of pairwise sums of f32, or of f64.
LIMITS = {torch.float32: 1e-6, torch.float64: 1e-14}
# What a dynamic extent is.
DYNAMIC = 12345


def draw(case):
    shape = [DYNAMIC if extent is None else extent for extent in case["shape"]]
    dtype = DTYPES[case["element"]]
    if not dtype.is_floating_point:
        return torch.randint(-1 << 40, 1 << 40, shape, dtype=dtype, device="cuda")
    if case["kind"] in ("max", "argmax"):
        return torch.randn(shape, device="cuda").to(dtype)
    # Of one sign: errors that grow with the number of terms would show.
    return torch.rand(shape, device="cuda").to(dtype)


def torch_function(case, x):
    """What a user of torch calls."""
    axes = tuple(case["axes"])
    sums = None if x.dtype in (torch.float64, torch.int64) else torch.float32
    return {"sum": lambda: torch.sum(x, axes, dtype=sums), "mean": lambda: torch.mean(x, axes, dtype=sums),
            "squares": lambda: torch.sum(torch.square(x.float()), axes), "max": lambda: torch.amax(x, axes),
            "argmax": lambda: torch.max(x, axes[0])}[case["kind"]]


def largest_error(case, x, results):
    """Relative errors of sums; raises where anything else differs."""
    kind, axes = case["kind"], tuple(case["axes"])
    if kind == "argmax":
        values, places = torch.max(x, axes[0])
        same = torch.equal(results[0], values) and torch.equal(x.gather(axes[0], results[1].unsqueeze(axes[0])).squeeze(axes[0]), values)
        # Of equal values, the first.
        first = torch.argmax((x == values.unsqueeze(axes[0])).to(torch.int8), axes[0])
        if not same or not torch.equal(results[1], first):
            raise RuntimeError("another maximum, or not the first place")
        return 0.0
    if kind == "max" or not x.dtype.is_floating_point:
        expected = torch.amax(x, axes) if kind == "max" else torch.sum(x, axes)
        if not torch.equal(results[0], expected):
            raise RuntimeError("another result")
        return 0.0
    wide = x.double()
    if kind == "squares":
        wide = wide * wide
    expected = torch.sum(wide, axes) if kind != "mean" else torch.mean(wide, axes)
    error = float(((results[0].double() - expected).abs() / expected.abs().clamp(min=1e-30)).max())
    limit = LIMITS[results[0].dtype]
    if not error <= limit:
        raise RuntimeError(f"relative error {error}, more than {limit}")
    return error


def read_bytes(case, x):
    return math.prod(x.shape) * x.element_size()


def main():
    options = harness.parser(__doc__, "DIRECTORY", rounds=40).parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        case = harness.read_json(name)
        program = TorchProgram(driver, name)
        x = draw(case)
        results = program.prepare([x])
        program.launch()
        program.check_status()
        record = {"case": case["name"], "error": largest_error(case, x, results)}
        for result in results:
            check_same_bits(case["name"], result, program.launch, reruns=3)
        if options.check:
            return record
        peer = torch_function(case, x)
        functions = [program.launch, peer]
        time_flushed(functions, flush, 5)
        ours, theirs = time_flushed(functions, flush, options.rounds)
        return {**record, "ms": median_ms(ours), "peers": {"torch": {"ms": median_ms(theirs)}},
                "TB_per_s": round(read_bytes(case, x) / median_ms(ours) / 1e9, 3), "ratio": median_ratio(theirs, ours)}

    def describe(records):
        return {**harness.with_device(records), "date": datetime.date.today().isoformat()}

    return harness.run(options, options.cases, one, describe)


if __name__ == "__main__":
    sys.exit(main())
