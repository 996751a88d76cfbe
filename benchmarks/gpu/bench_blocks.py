#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a matrix with dead micro-tiles compiled by PIT, against torch, in one process.

    bench_blocks.py --check DIRECTORY...
    bench_blocks.py [--zeros S,S...] [--pattern NAME] [--output FILE] DIRECTORY[,DIRECTORY...]...

DIRECTORY is a case of build_blocks.py. Micro-tiles are dead at random, each with
the same probability (`random`), or all but those around the diagonal (`bands`), or
at random but alike in 128 rows (`strips`), and hold normal data otherwise. With --check, results, filled
with NaN before, must be those of f64 to the bit for small integers and within the
rounding for normal data, at densities from nothing to all live, also where the
pattern is given and what is dead is not zero.

Without, times are of CUDA graphs of twelve calls on three sets of tensors in turn,
so that nothing is left in the L2 cache; the dense product of torch (cuBLAS) of the
same shape stands in the same rounds. A call is all that the program does, detection
included. `ratio` is torch's time divided by ours, the median of the rounds. Several
directories are variants of one case.
"""
import sys

import torch

import harness
from timing import events, median_ms, median_ratio
from torch_program import DTYPES, TOLERANCE, TorchProgram, check_same_bits

SETS, CALLS = 3, 12
# Some 4 ms.
PAUSE_CYCLES = 8_000_000
# What --check tries where m is dynamic.
ROWS = [1, 31, 32, 33, 500, 1000]


def draw_random(rows, columns, zeros, _):
    return torch.rand(rows, columns, device="cuda") >= zeros


def draw_bands(rows, columns, zeros, _):
    """Live is what is as near to the diagonal as leaves the wanted share dead."""
    row, column = ((torch.arange(extent, device="cuda") + .5) / extent for extent in (rows, columns))
    distance = (row[:, None] - column[None, :]).abs()
    return distance <= distance.flatten().sort().values[round((1 - zeros) * (distance.numel() - 1))]


def draw_strips(rows, columns, zeros, alike):
    groups = torch.rand(-(-rows // alike), columns, device="cuda") >= zeros
    return groups.repeat_interleave(alike, 0)[:rows]


PATTERNS = {"random": draw_random, "bands": draw_bands, "strips": draw_strips}
# Rows of a group of strips that are alike.
ROWS_ALIKE = 128


def make_live(case, m, zeros, pattern="random"):
    extent = case["n"] if case.get("operand") == "b" else m
    rows, depth = case["tile"]
    return PATTERNS[pattern](-(-extent // rows), -(-case["k"] // depth), zeros, max(1, ROWS_ALIKE // rows))


def spread(case, live, m):
    rows, depth = case["tile"]
    return live.repeat_interleave(rows, 0)[:m].repeat_interleave(depth, 1)[:, :case["k"]]


class Data:
    """A program's inputs and outputs; `exact` are small integers."""

    def __init__(self, program, case, m, zeros, exact=False, pattern="random"):
        self.program, self.case = program, case
        dtype = DTYPES[case.get("element", "bf16")]
        make = (lambda *shape: torch.randint(-2, 3, shape, device="cuda").to(dtype)) if exact else \
            (lambda *shape: torch.randn(*shape, device="cuda").to(dtype))
        self.live = make_live(case, m, zeros, pattern)
        is_b = case.get("operand") == "b"
        # As they are stored; the mask of the operand that has micro-tiles first as [m, k] or [n, k].
        turns_a, turns_b = case.get("stored_km", False), not case.get("transposed", False)
        mask = spread(case, self.live, case["n"] if is_b else m)
        if turns_b if is_b else turns_a:
            mask, self.live = mask.T.contiguous(), self.live.T.contiguous()
        stored = [make(case["k"], m) if turns_a else make(m, case["k"]),
                  make(case["k"], case["n"]) if turns_b else make(case["n"], case["k"])]
        # What is dead needs not be zero if the pattern is given.
        given = stored[is_b]
        stored[is_b] = given * mask
        self.a = stored[0].T if turns_a else stored[0]
        self.b = stored[1]
        self.bias = make(case["n"]).float() if case.get("epilogue") else None
        inputs = list(stored)
        if case.get("source") == "blocks":
            inputs[is_b] = given
            inputs.insert(2 if is_b else 1, self.live)
        if self.bias is not None:
            inputs.append(self.bias)
        self.inputs = inputs
        self.out, = program.prepare(inputs)
        # Of this call, as the program may prepare another.
        self.calls, self.buffers = program.calls, program.buffers

    def factor(self):
        return self.b.T if self.case.get("transposed") else self.b

    def reference(self):
        out = self.a.double() @ self.factor().double()
        return out if self.bias is None else (out + self.bias.double()).relu()


def check(program, case, make_data, rows):
    """The largest relative error; `rows` are tried where the case has no m of its own."""
    largest = 0.
    for m in rows if case["m"] is None else [case["m"]]:
        for zeros in (0., .3, .5, .9, .99, 1.):
            for exact in (True, False):
                data = make_data(program, case, m, zeros, exact)
                data.out.fill_(float("nan"))
                program.launch()
                program.check_status()
                check_same_bits(program.name, data.out, program.launch, 2, fill=float("nan"))
                reference = data.reference()
                if exact and not torch.equal(data.out, reference.to(data.out.dtype)):
                    raise RuntimeError(f"{m} rows, {zeros}: small integers differ")
                error = float((data.out.double() - reference).norm() / reference.norm().clamp_min(1e-30))
                if not error <= TOLERANCE[case.get("element", "bf16")]:
                    raise RuntimeError(f"{m} rows, {zeros}: relative error {error}")
                largest = max(largest, error)
    return largest


def capture(function):
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    # Tensors may lie where others were that are still being read, to make the inputs.
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        function(0, stream.cuda_stream)  # libraries set themselves up
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        for i in range(CALLS):
            function(i % SETS, stream.cuda_stream)
    return graph


def time_graphs(graphs, rounds):
    """Milliseconds per call, graph by graph."""
    marks = [events(rounds) for _ in graphs]
    for i in range(rounds):
        for graph, mark in zip(graphs, marks):
            # The device waits, so that all is enqueued when the clock starts: now and then a graph takes the host
            # some milliseconds to launch.
            torch.cuda._sleep(PAUSE_CYCLES)
            mark[i][0].record()
            graph.replay()
            mark[i][1].record()
            torch.cuda.synchronize()
    return [[start.elapsed_time(end) / CALLS for start, end in mark] for mark in marks]


def measure(programs, cases, zeros, rounds, pattern):
    sets = [[Data(program, case, case["m"], zeros, pattern=pattern) for _ in range(SETS)]
            for program, case in zip(programs, cases)]
    def make_dense(data):
        factors = [data.a, data.factor()]
        number = int(data.case.get("operand") == "b")
        factors[number] = torch.randn_like(factors[number])
        return factors

    dense = [make_dense(data) for data in sets[0]]
    out = [torch.empty_like(data.out) for data in sets[0]]

    def launch(data, stream):
        for call in data.calls:
            data.program.driver.launch(*call, stream)

    graphs = [capture(lambda i, stream: torch.mm(*dense[i], out=out[i]))]
    graphs += [capture(lambda i, stream, data=data: launch(data[i], stream)) for data in sets]
    time_graphs(graphs, 2)
    theirs, *ours = time_graphs(graphs, rounds)
    return {"zeros": zeros, "torch_ms": median_ms(theirs, 5), "variants": {
        program.name: {"ms": median_ms(times, 5), "ratio": median_ratio(theirs, times)}
        for program, times in zip(programs, ours)}}


def main():
    parser = harness.parser(__doc__, "DIRECTORY[,DIRECTORY...]", rounds=9)
    parser.add_argument("--zeros", type=harness.shares, default=[.3, .5, .7, .8, .9, .95, .99], help="shares that are dead")
    parser.add_argument("--pattern", choices=PATTERNS, default="random", help="which micro-tiles are dead")
    options = parser.parse_args()
    driver = harness.start()
    torch.manual_seed(1)

    def one(names):
        directories = names.split(",")
        programs = [TorchProgram(driver, directory) for directory in directories]
        cases = [harness.read_json(directory) for directory in directories]
        entry = {"case": cases[0]["name"], "m": cases[0]["m"], "n": cases[0]["n"], "k": cases[0]["k"]}
        if options.check:
            return {**entry, "error": max(check(program, case, Data, ROWS) for program, case in zip(programs, cases))}
        if options.pattern != "random":
            entry["pattern"] = options.pattern
        return {**entry, "times": [measure(programs, cases, zeros, options.rounds, options.pattern)
                                   for zeros in options.zeros]}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
