#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Micro-tiles against each other, on patterns of any granularity.

    bench_micro_tiles.py [--granularity RxK...] [--zeros S,S...] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_blocks.py; all have the same extents. Blocks of A of
each granularity are dead at random, each with the same probability, and every
program multiplies that A, whatever its own micro-tile is. Without --granularity,
each program gets a pattern of its own micro-tile: of these times the tile database
is made.

Times are as in bench_blocks.py; `index_ms` is that of all launches but the last,
which is the product. Before it is timed, each result is compared with torch's.
"""
import os
import sys

import torch

import harness
from bench_blocks import SETS, capture, spread, time_graphs
from timing import median_ms
from torch_program import DTYPES, TOLERANCE, TorchProgram


def prepare(program, inputs):
    out, = program.prepare(inputs)
    return {"calls": program.calls, "out": out, "keep": program.buffers}


def check(program, call, reference):
    program.check_status()
    error = float((call["out"].double() - reference).norm() / reference.norm().clamp_min(1e-30))
    if not error <= TOLERANCE["bf16"]:
        raise RuntimeError(f"{program.name}: relative error {error}")


def measure(programs, case, granularity, zeros, rounds):
    m, n, k = case["m"], case["n"], case["k"]
    dtype = DTYPES[case.get("element", "bf16")]
    shaped = {**case, "tile": granularity}

    def make():
        rows, depth = granularity
        live = torch.rand(-(-m // rows), -(-k // depth), device="cuda") >= zeros
        return torch.randn(m, k, device="cuda").to(dtype) * spread(shaped, live, m), \
            torch.randn(k, n, device="cuda").to(dtype)

    inputs = [make() for _ in range(SETS)]
    # The dense product gets no zeros.
    full = [torch.randn_like(a) for a, _ in inputs]
    out = [torch.empty(m, n, dtype=dtype, device="cuda") for _ in inputs]
    calls = [[prepare(program, list(pair)) for pair in inputs] for program in programs]
    reference = (inputs[0][0].float() @ inputs[0][1].float()).double()

    def launch(program, call, parts, stream):
        for part in call["calls"][parts]:
            program.driver.launch(*part, stream)

    names, graphs = [], [capture(lambda i, stream: torch.mm(full[i], inputs[i][1], out=out[i]))]
    for program, sets in zip(programs, calls):
        launch(program, sets[0], slice(None), None)
        check(program, sets[0], reference)
        for kind, parts in (("ms", slice(None)), ("index_ms", slice(-1))):
            if sets[0]["calls"][parts]:
                names.append((program.name, kind))
                graphs.append(capture(lambda i, stream, p=program, s=sets, parts=parts: launch(p, s[i], parts, stream)))
    time_graphs(graphs, 2)
    theirs, *ours = time_graphs(graphs, rounds)
    variants = {program.name: {} for program in programs}
    for (name, kind), times in zip(names, ours):
        variants[name][kind] = median_ms(times, 5)
    return {"granularity": list(granularity), "zeros": zeros, "torch_ms": median_ms(theirs, 5), "variants": variants}


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=7, check=None)
    parser.add_argument("--granularity", nargs="+", help="extents of what is dead together, rows x k")
    parser.add_argument("--zeros", type=harness.shares, default=[0, .25, .5, .7, .8, .9, .95, .99, 1],
                        help="shares that are dead")
    options = parser.parse_args()
    driver = harness.start()
    torch.manual_seed(1)
    programs = {directory: TorchProgram(driver, directory) for directory in options.cases}
    cases = {directory: harness.read_json(directory) for directory in options.cases}

    def one(name):
        of_point, granularity = ([programs[name]], tuple(cases[name]["tile"])) if name in programs else \
            (list(programs.values()), tuple(map(int, name.split("x"))))
        case = cases[options.cases[0]]
        return {"case": os.path.basename(name), "m": case["m"], "n": case["n"], "k": case["k"],
                "times": [measure(of_point, case, granularity, zeros, options.rounds) for zeros in options.zeros]}

    return harness.run(options, options.granularity or options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
