#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a matrix with dead micro-tiles: compiled by PIT, dense by cuBLAS, and by torch's sparse formats, in one process.

    bench_peers_sparse.py [--check] [--zeros S,S...] [--peers NAME,...] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_blocks.py that finds the pattern in the values of A. Micro-tiles are
dead at random, each with the same probability, and hold normal data otherwise. All multiply the
same tensors:

  cublas              the dense product, zeros and all
  csr-bf16, csr-f32   CSR, by cuSPARSE
  bsr-32x32, …        BSR with blocks of so many rows and columns, by torch's kernels in Triton

Results are compared with f64 before anything is timed; a peer that is not there, or cannot do a
case, is written as {"missing": why}. Times are of one call after the L2 cache was overwritten,
interleaved, medians: `ms` as launched from the host, `graph_ms` as a CUDA graph, for those that
can be one. Ours is a graph, and finds the pattern in each call. A peer's times begin with the
format made; `conversion_ms` is what making it takes. `ratio` is the median over rounds of the
better of a peer's times, without conversion, over ours: above 1, ours is faster. `live` is the
share of A that a format stores.
"""
import sys
import types

import torch

import harness
from bench_blocks import Data
from bench_encoder import capture
from peers.peer import Runner, add_options, checker, chosen
from timing import median_ms
from torch_program import TOLERANCE, TorchProgram

PEERS = {"cublas": "cublas:Matmul", "csr-bf16": "cusparse:Csr", "csr-f32": "cusparse:CsrF32", "bsr-32x32": "cusparse:Bsr",
         "bsr-32x64": "cusparse:BsrOblong", "bsr-64x64": "cusparse:Bsr64"}


def run_ours(program, out, check):
    """The relative error of the program's result, which it writes anew."""
    out.fill_(float("nan"))
    program.launch()
    program.check_status()
    return check(out)


def measure(program, case, zeros, make_peers, flush, rounds):
    data = Data(program, case, case["m"], zeros)
    check = checker(data.reference(), TOLERANCE[case.get("element", "bf16")])
    ours = {"error": run_ours(program, data.out, check)}
    runner = Runner(make_peers(), types.SimpleNamespace(a=data.a, b=data.factor()), check)
    if flush is not None:
        times = runner.time({"pit": capture(program.launch)}, flush, rounds)
        ours["ms"] = median_ms(times["pit"], 5)
    return {"zeros": zeros, "pit": ours, "peers": runner.records}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=11)
    parser.add_argument("--zeros", type=harness.shares, default=[.5, .8, .9, .95, .99], help="shares that are dead")
    add_options(parser, PEERS)
    options = parser.parse_args()
    make_peers = chosen(parser, options, PEERS)
    driver, flush = harness.start(), harness.flush_buffer(options)
    torch.manual_seed(1)
    torch.set_grad_enabled(False)

    def one(name):
        program, case = TorchProgram(driver, name), harness.read_json(name)
        return {"case": case["name"], "m": case["m"], "n": case["n"], "k": case["k"], "tile": case["tile"],
                "times": [measure(program, case, zeros, make_peers, flush, options.rounds) for zeros in options.zeros]}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
