#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with ReLU compiled by PIT, against torch, in one process.

    bench_feed_forward.py [--check] [--zeros S,S...] [--output FILE] DIRECTORY...
    bench_feed_forward.py --trained STEPS [--check] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_feed_forward.py. Data are synthetic: of the units inside,
a random share is dead for all tokens (a bias far below zero), alone or in the groups
of the case, the others for half of them; weights and inputs are normal. Results are compared with torch's in f32, with
outputs filled with NaN before. Times are as in bench_blocks.py, of CUDA graphs on
three sets of weights in turn; torch computes relu(x W1 + b1) W2 + b2 with two
addmm. `ratio` is torch's time over ours.

With --trained, data are the layers of a model of four of them that is trained for so many steps before
(trained_model.py), each measured by itself: `zeros` is the share of activations that are 0, `dead` that of micro-tiles.
"""
import dataclasses
import sys

import torch

import harness
from bench_blocks import SETS, capture, time_graphs
from timing import median_ms, median_ratio
from torch_program import TorchProgram, check_same_bits
from trained_model import FeedForward, train

# ||out - reference|| / ||reference||, with two roundings to bf16.
TOLERANCE = 6e-3


LAYERS, MOST_TOKENS = 4, 4096  # of a trained model
STRIP = 32  # tokens of a micro-tile, as build_feed_forward.py marks them


def draw(case, zeros):
    """A layer of which a share of the units is dead."""
    tokens, width, inner = case["tokens"], case["width"], case["inner"]

    def make(*shape, scale=1.):
        return (torch.randn(*shape, device="cuda") * scale).bfloat16()

    dead = (torch.rand(inner // case["units"], device="cuda") < zeros).repeat_interleave(case["units"])
    return FeedForward(make(tokens, width), make(width, inner, scale=width ** -.5),
                       torch.where(dead, -100., torch.randn(inner, device="cuda") * .1), make(inner, width),
                       torch.randn(width, device="cuda"))


class Data:
    def __init__(self, program, layer):
        self.x, self.w1, self.b1, self.w2, self.b2 = layer.x, layer.w1, layer.b1, layer.w2, layer.b2
        (tokens, width), inner = self.x.shape, len(self.b1)
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


def measure(program, case, facts, layer, rounds, check_only):
    """`layer` makes one more set of tensors; `facts` are what a record says of them."""
    first = Data(program, layer())
    error = check(program, first)
    if check_only:
        return {**facts, "error": error}
    sets = [Data(program, layer()) for _ in range(SETS)]

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
    return {**facts, "error": error, "torch_ms": median_ms(theirs, 5), "ms": median_ms(ours, 5),
            "ratio": median_ratio(theirs, ours), **{"second_ms": median_ms(times, 5) for times in second}}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=9)
    parser.add_argument("--zeros", type=harness.shares, default=[.5, .8, .9, .95, .99],
                        help="shares of units that are dead for all tokens")
    parser.add_argument("--trained", type=int, metavar="STEPS", help="layers of a model that is trained for so many")
    options = parser.parse_args()
    driver = harness.start()
    torch.manual_seed(1)
    trained = {}  # by width and width inside, for the most tokens

    def layers_of(case):
        """(facts, what makes a set of tensors) of all that is measured of a case."""
        if not options.trained:
            return [({"zeros": zeros}, lambda zeros=zeros: draw(case, zeros)) for zeros in options.zeros]
        shape = case["width"], case["inner"]
        if shape not in trained:
            trained[shape] = train(*shape, LAYERS, options.trained, MOST_TOKENS)
        layers, losses = trained[shape]
        result = []
        for number, layer in enumerate(layers):
            layer = dataclasses.replace(layer, x=layer.x[:case["tokens"]])
            zeros, dead = layer.dead_shares(min(case["tokens"], STRIP), case["units"])
            facts = {"layer": number, "zeros": zeros, "dead": dead, "steps": options.trained, "loss": losses[-1]}
            # Sets of their own, as they take turns to be out of the cache.
            result.append((facts, lambda layer=layer: FeedForward(*(tensor.clone() for tensor in vars(layer).values()))))
        return result

    def one(directory):
        program, case = TorchProgram(driver, directory), harness.read_json(directory)
        return {"case": case["name"], "tokens": case["tokens"], "width": case["width"], "inner": case["inner"],
                "units": case["units"],
                "times": [measure(program, case, *layer, options.rounds, options.check) for layer in layers_of(case)]}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
