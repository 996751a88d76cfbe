#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense products compiled by PIT, by cuBLAS and by Triton, on the same tensors in one process.

    bench_peers_dense.py [--check] [--peers NAME,...] [--quick] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_matmul.py, with a number of rows of its own and both operands
stored by rows. Data is random normal. Every result is compared with f32 before anything is
timed; a peer that is not there, or not right, is written as {"missing": why}. Triton's
product runs in the fastest of six configurations, which are tried on these tensors.

`ms` is one launch after the L2 cache was overwritten, interleaved, medians; `bursts` are
TFLOP/s of launches back to back after a pause. `ratio` is the median over rounds of a peer's
time over ours: above 1, ours is faster.
"""
import statistics
import sys
import types

import harness
from bench_matmul import Case
from peers.peer import Runner, add_options, checker, chosen
from timing import median_ms, time_blocks
from torch_program import tolerance

PEERS = {"cublas": "cublas:Matmul", "triton": "triton_matmul:TritonMatmul"}


def measure(case, runner, flush, rounds):
    """Times of all, the peers' in their records."""
    ours, work = {"pit": case.launch}, 2 * case.m * case.n * case.k
    times = runner.time(ours, flush, rounds)
    functions = {**ours, **{name: parts["ms"] for name, parts in runner.functions.items()}}
    bursts = time_blocks(list(functions.values()), 3, .04, max(5, rounds // 3))
    return {"pit": {"ms": median_ms(times["pit"], 5)}, "bursts": {
        name: round(work / statistics.median(values) / 1e9, 1) for name, values in zip(functions, bursts)}}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=15)
    add_options(parser, PEERS)
    options = parser.parse_args()
    make_peers = chosen(parser, options, PEERS)
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        case = Case(driver, name, None)
        entry = {"case": case.case["name"], "m": case.m, "n": case.n, "k": case.k, "error": case.check(False)}
        data = types.SimpleNamespace(a=case.a, b=case.b)
        reference = case.a.float() @ case.b.float()
        runner = Runner(make_peers(), data, checker(reference, tolerance(case.case)))
        del reference
        if not options.check:
            entry.update(measure(case, runner, flush, options.rounds))
        return {**entry, "peers": runner.records}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
