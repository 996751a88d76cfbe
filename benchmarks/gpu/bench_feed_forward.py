#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with ReLU compiled by PIT, against torch, in one process.

    bench_feed_forward.py [--check] [--zeros S,S...] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_feed_forward.py. Data are synthetic: of the units inside,
a random share is dead for all tokens (a bias far below zero), alone or in the groups
of the case, the others for half of them; weights and inputs are normal. Results are compared with torch's in f32, with
outputs filled with NaN before. Times are as in bench_blocks.py, of CUDA graphs on
three sets of weights in turn; torch computes relu(x W1 + b1) W2 + b2 with two
addmm. `ratio` is torch's time over ours.
"""
import sys

import torch

import harness
from bench_blocks import SETS, capture, time_graphs
from timing import median_ms, median_ratio
from torch_program import TorchProgram, check_same_bits

# ||out - reference|| / ||reference||, with two roundings to bf16.
TOLERANCE = 6e-3


class Data:
    def __init__(self, program, case, zeros):
        tokens, width, inner = case["tokens"], case["width"], case["inner"]

        def make(*shape, scale=1.):
            return (torch.randn(*shape, device="cuda") * scale).bfloat16()

        self.x, self.w1, self.w2 = make(tokens, width), make(width, inner, scale=width ** -.5), make(inner, width)
        dead = (torch.rand(inner // case["units"], device="cuda") < zeros).repeat_interleave(case["units"])
        self.b1 = torch.where(dead, -100., torch.randn(inner, device="cuda") * .1)
        self.b2 = torch.randn(width, device="cuda")
        self.b1_16, self.b2_16 = self.b1.bfloat16(), self.b2.bfloat16()
        self.inner, self.result = (torch.empty(tokens, size, dtype=torch.bfloat16, device="cuda")
                                   for size in (inner, width))
        self.out, = program.prepare([self.x, self.w1, self.b1, self.w2, self.b2])
        self.calls, self.buffers = program.calls, program.buffers

    def torch(self):
        torch.addmm(self.b1_16, self.x, self.w1, out=self.inner)
        torch.relu_(self.inner)
        torch.addmm(self.b2_16, self.inner, self.w2, out=self.result)

    def reference(self):
        inner = (self.x.float() @ self.w1.float() + self.b1).relu().bfloat16()
        return inner.float() @ self.w2.float() + self.b2


def check(program, data):
    data.out.fill_(float("nan"))
    program.launch()
    program.check_status()
    check_same_bits(program.name, data.out, program.launch, 3, fill=float("nan"))
    reference = data.reference()
    error = float((data.out.float() - reference).norm() / reference.norm())
    if not error <= TOLERANCE:
        raise RuntimeError(f"{program.name}: relative error {error}")
    return error


def measure(program, case, zeros, rounds, check_only):
    first = Data(program, case, zeros)
    error = check(program, first)
    if check_only:
        return {"zeros": zeros, "error": error}
    sets = [Data(program, case, zeros) for _ in range(SETS)]

    def launch(data, parts, stream):
        for call in data.calls[parts]:
            program.driver.launch(*call, stream)

    graphs = [capture(lambda i, stream: sets[i].torch())]
    # All; and what is behind the first product, unless that tells it what is live.
    parts_of_layer = [slice(None)] + [slice(1, None)] * ("detect" in case["kernels"][1])
    for parts in parts_of_layer:
        graphs.append(capture(lambda i, stream, parts=parts: launch(sets[i], parts, stream)))
    time_graphs(graphs, 2)
    theirs, ours, *second = time_graphs(graphs, rounds)
    return {"zeros": zeros, "error": error, "torch_ms": median_ms(theirs, 5), "ms": median_ms(ours, 5),
            "ratio": median_ratio(theirs, ours), **{"second_ms": median_ms(times, 5) for times in second}}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=9)
    parser.add_argument("--zeros", type=harness.shares, default=[.5, .8, .9, .95, .99],
                        help="shares of units that are dead for all tokens")
    options = parser.parse_args()
    driver = harness.start()
    torch.manual_seed(1)

    def one(directory):
        program, case = TorchProgram(driver, directory), harness.read_json(directory)
        return {"case": case["name"], "tokens": case["tokens"], "width": case["width"], "inner": case["inner"],
                "units": case["units"],
                "times": [measure(program, case, zeros, options.rounds, options.check) for zeros in options.zeros]}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
