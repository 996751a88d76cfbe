#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors and times of products of f32 on matrix units, against torch.matmul (cuBLAS) in f32 and in tf32, in one process.

    bench_f32.py [--check] [--output FILE] DIRECTORY[:M]...

DIRECTORY is a case of build_mma.py or build_matmul.py, M its number of rows where that is dynamic.
Errors are ||C - reference|| / ||reference|| with a reference in f64, of fresh
data: random normal; positive, where errors of one direction add up; and `wide`,
normal times powers of two from -8 to 8. Small integers must be exact. Times are
taken as bench_matmul.py does; ratios above 1 are faster than torch. With
--check, nothing is timed.
"""
import sys

import torch

import bench_matmul
import harness
from bench_mma import check_integers
from timing import median_ms, median_ratio, time_blocks, time_flushed


def draw_normal(matrix):
    matrix.normal_()


def draw_positive(matrix):
    matrix.uniform_()


def draw_wide(matrix):
    matrix.normal_()
    matrix.mul_(torch.exp2(torch.randint(-8, 9, matrix.shape, device="cuda").float()))


DATA = {"normal": draw_normal, "positive": draw_positive, "wide": draw_wide}


def torch_product(case, allow_tf32):
    def launch():
        torch.backends.cuda.matmul.allow_tf32 = allow_tf32
        case.launch_torch()
        torch.backends.cuda.matmul.allow_tf32 = False
    return launch


def error_of(got, reference):
    return float((got.double() - reference).norm() / reference.norm())


def measure_errors(case, peers):
    result = {}
    for name, draw in DATA.items():
        for matrix in case.inputs[:2]:
            draw(matrix)
        listed = "rows" in case.case
        case.out.fill_(float("nan"))
        case.launch()
        torch.cuda.synchronize()
        rows = case.a[case.index] if listed else case.a
        reference = rows.double() @ case.b.double()
        errors = {"pit": error_of(case.out[case.index] if listed else case.out, reference)}
        reference = case.dense_a.double() @ case.dense_b.double()
        for peer, launch in peers.items():
            launch()
            errors[peer] = error_of(case.dense_out, reference)
        result[name] = {key: float(f"{value:.3g}") for key, value in errors.items()}
    return result


def measure_times(case, peers, flush, rounds):
    functions = [case.launch, *peers.values()]
    time_flushed(functions, flush, 3)
    result, work = {}, 2 * case.m * case.n * case.k
    for kind, times in (("flushed", time_flushed(functions, flush, rounds)),
                        ("burst", time_blocks(functions, 3, .02, max(5, rounds // 3)))):
        ms = median_ms(times[0], 5)
        result[kind] = {"ms": ms, "tflops": round(work / ms / 1e9, 1)}
        for peer, theirs in zip(peers, times[1:]):
            result[kind][peer] = {"ms": median_ms(theirs, 5), "ratio": median_ratio(theirs, times[0])}
    return result


def main():
    parser = harness.parser(__doc__, "DIRECTORY[:M]", rounds=15, check="time nothing")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        directory, _, m = name.partition(":")
        case = bench_matmul.Case(driver, directory, int(m) if m else None)
        case.make_data()
        case.prepare()
        # Views of what the program reads, so that new data in place is new data for all.
        check_integers(case)
        case.dense_a, case.dense_b = case.a[:case.m], case.b
        peers = {"torch f32": torch_product(case, False), "torch tf32": torch_product(case, True)}
        entry = {"case": case.name, "products": case.case["products"], "m": case.m, "n": case.n, "k": case.k,
                 "errors": measure_errors(case, peers)}
        return entry if options.check else {**entry, **measure_times(case, peers, flush, options.rounds)}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
