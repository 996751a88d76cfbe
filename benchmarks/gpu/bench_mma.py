#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times products compiled for mma.sync, against torch.matmul (cuBLAS) in one process.

    bench_mma.py --check [--reruns N] [--quick] DIRECTORY[:M]...
    bench_mma.py [--output FILE] DIRECTORY[:M | :TOKENS:TOP_K]...

DIRECTORY is a case of build_mma.py, M its number of rows where that is dynamic.
Data is random and fresh in every run. A check fills the output with NaN, then
compares random normal data with f64, and small integers to the bit; rows that
no list names must keep their NaN. --reruns repeats a product, each time with
the same bits. --quick checks one size of each, for slow tools. Without --check,
times are taken as bench_matmul.py and bench_grouped.py do.
"""
import os
import sys

import torch

import bench_grouped
import bench_matmul
import harness
from timing import time_blocks, time_flushed
from torch_program import check_same_bits

ROWS = [1, 63, 128, 300, 1991]


def randomize(case, integers):
    """New data in place, so that addresses stay what the launch has."""
    for matrix in case.inputs[:2]:
        if integers:
            matrix.copy_(torch.randint(-2, 3, matrix.shape, device="cuda"))
        else:
            matrix.normal_()
    case.a = case.inputs[0].T if case.case.get("a") == "km" else case.inputs[0]
    case.b = case.inputs[1].T if case.case.get("b") == "nk" else case.inputs[1]


def check_integers(case):
    randomize(case, integers=True)
    case.out.fill_(float("nan"))
    case.launch()
    torch.cuda.synchronize()
    rows = case.a[case.index] if "rows" in case.case else case.a
    got = case.out[case.index] if "rows" in case.case else case.out
    if not torch.equal(got, (rows.double() @ case.b.double()).to(got.dtype)):
        raise RuntimeError(f"{case.name}: not exact")


def rerun(case, reruns):
    randomize(case, integers=False)
    case.out.fill_(7)
    case.launch()
    check_same_bits(case.name, case.out, case.launch, reruns, fill=7)


def check(driver, directory, description, rows, options):
    if description["kind"] == "grouped":
        return bench_grouped.check_all(bench_grouped.Case(driver, directory), options.reruns, options.quick)
    errors = []
    for m in [rows] if rows else [None] if description["m"] else ROWS[3:4] if options.quick else ROWS:
        case = bench_matmul.Case(driver, directory, m)
        errors.append(case.check(on_cpu=False))
        check_integers(case)
    if options.reruns:
        rerun(case, options.reruns)
    return max(errors)


def measure(driver, directory, description, numbers, rounds, flush):
    if description["kind"] == "grouped":
        case = bench_grouped.Case(driver, directory)
        return bench_grouped.measure([case], numbers[0], numbers[1], rounds, flush)
    case = bench_matmul.Case(driver, directory, numbers[0] if numbers else None)
    entry = {"case": case.name, "n": case.n, "k": case.k, "error": case.check(on_cpu=False)}
    functions, work = [case.launch_torch, case.launch], 2 * case.m * case.n * case.k
    time_flushed(functions, flush, 3)
    entry["flushed"] = bench_matmul.summarize(time_flushed(functions, flush, rounds), work)
    entry["burst"] = bench_matmul.summarize(time_blocks(functions, 3, .04, max(5, rounds // 3)), work)
    return entry


def main():
    parser = harness.parser(__doc__, rounds=15)
    parser.add_argument("--quick", action="store_true", help="check few sizes, for slow tools")
    parser.add_argument("--reruns", type=int, default=0)
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        directory, *numbers = name.split(":")
        numbers = [int(number) for number in numbers]
        description = harness.read_json(directory)
        if not options.check:
            return measure(driver, directory, description, numbers, options.rounds, flush)
        error = check(driver, directory, description, numbers[0] if numbers else None, options)
        return {"case": os.path.basename(name), "error": error}

    return harness.run(options, options.cases, one, describe=list)


if __name__ == "__main__":
    sys.exit(main())
