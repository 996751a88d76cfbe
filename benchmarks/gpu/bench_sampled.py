#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of which only blocks are sampled (SDDMM), compiled by PIT, against torch's dense product, in one process.

    bench_sampled.py --check DIRECTORY...
    bench_sampled.py [--zeros S,S...] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_sampled.py. Blocks are dead at random, each with the same
probability. --check and times are as in bench_blocks.py; a call finds the live blocks
in their mask, fills the output with zeros, and computes what is live.
"""
import sys

import torch

import harness
from bench_blocks import SETS, capture, check, time_graphs
from timing import median_ms, median_ratio
from torch_program import DTYPES, TorchProgram

# What --check tries where m is dynamic.
ROWS = [1, 63, 64, 65, 500]


class Data:
    """A program's inputs and outputs; `exact` are small integers."""

    def __init__(self, program, case, m, zeros, exact=False):
        self.program, self.case = program, case
        dtype = DTYPES[case.get("element", "bf16")]
        make = (lambda *shape: torch.randint(-2, 3, shape, device="cuda").to(dtype)) if exact else \
            (lambda *shape: torch.randn(*shape, device="cuda").to(dtype))
        rows, columns = case["tile"]
        self.live = torch.rand(-(-m // rows), -(-case["n"] // columns), device="cuda") >= zeros
        self.mask = self.live.repeat_interleave(rows, 0)[:m].repeat_interleave(columns, 1)[:, :case["n"]]
        self.a = make(m, case["k"])
        self.b = make(case["n"], case["k"]) if case.get("transposed") else make(case["k"], case["n"])
        self.bias = make(case["n"]).float() if case.get("epilogue") else None
        self.out, = program.prepare([self.a, self.b, self.live] + ([] if self.bias is None else [self.bias]))
        # Of this call, as the program may prepare another.
        self.calls, self.buffers = program.calls, program.buffers

    def factor(self):
        return self.b.T if self.case.get("transposed") else self.b

    def reference(self):
        out = self.a.double() @ self.factor().double()
        if self.bias is not None:
            out = (out + self.bias.double()).relu()
        return out * self.mask


def measure(program, case, zeros, rounds):
    sets = [Data(program, case, case["m"], zeros) for _ in range(SETS)]
    out = [torch.empty_like(data.out) for data in sets]

    def launch(i, stream):
        for call in sets[i].calls:
            program.driver.launch(*call, stream)

    graphs = [capture(lambda i, stream: torch.mm(sets[i].a, sets[i].factor(), out=out[i])), capture(launch)]
    time_graphs(graphs, 2)
    theirs, ours = time_graphs(graphs, rounds)
    return {"zeros": zeros, "torch_ms": median_ms(theirs, 5), "ms": median_ms(ours, 5),
            "ratio": median_ratio(theirs, ours)}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=9)
    parser.add_argument("--zeros", type=harness.shares, default=[0., .5, .9, .99], help="shares that are dead")
    options = parser.parse_args()
    driver = harness.start()
    torch.manual_seed(1)

    def one(directory):
        case, program = harness.read_json(directory), TorchProgram(driver, directory)
        entry = {"case": case["name"], "m": case["m"], "n": case["n"], "k": case["k"]}
        if options.check:
            return {**entry, "error": check(program, case, Data, ROWS)}
        return {**entry, "times": [measure(program, case, zeros, options.rounds) for zeros in options.zeros]}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
