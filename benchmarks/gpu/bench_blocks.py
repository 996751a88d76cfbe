#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a matrix with dead micro-tiles compiled by PIT, against torch, in one process.

    bench_blocks.py --check DIRECTORY...
    bench_blocks.py [--zeros S,S...] [--output FILE] DIRECTORY...

DIRECTORY is a case of build_blocks.py. Micro-tiles are dead at random, each with
the same probability, and hold normal data otherwise. With --check, results, filled
with NaN before, must be those of f32 to the bit for small integers and within the
rounding for normal data, at densities from nothing to all live, and do not change
when what is dead is not zero but the pattern is given.

Without, times are of CUDA graphs of twelve calls on three sets of tensors in turn,
so that nothing is left in the L2 cache; the dense product of torch (cuBLAS) of the
same shape stands in the same rounds. `values` is all that the program does,
detection included; `given` is the product alone, its bitmap known. `over_x` is
torch's time divided by ours, the median of the rounds.
"""
import argparse
import json
import statistics
import sys
import time

import torch

import run_manifest
from torch_program import DTYPES, TorchProgram

SETS, CALLS = 3, 12


def make_live(case, m, zeros):
    rows, depth = case["tile"]
    return torch.rand(-(-m // rows), -(-case["k"] // depth), device="cuda") >= zeros


def spread(case, live, m):
    rows, depth = case["tile"]
    return live.repeat_interleave(rows, 0)[:m].repeat_interleave(depth, 1)[:, :case["k"]]


class Data:
    """A program's inputs and outputs; `exact` are small integers."""

    def __init__(self, program, case, m, zeros, exact=False):
        self.program, self.case = program, case
        dtype = DTYPES[case.get("element", "bf16")]
        make = (lambda *shape: torch.randint(-2, 3, shape, device="cuda").to(dtype)) if exact else \
            (lambda *shape: torch.randn(*shape, device="cuda").to(dtype))
        self.live = make_live(case, m, zeros)
        mask = spread(case, self.live, m)
        self.a = make(m, case["k"]) * mask
        self.b = make(case["n"], case["k"]) if case.get("transposed") else make(case["k"], case["n"])
        self.bias = make(case["n"]).float() if case.get("epilogue") else None
        inputs = [self.a]
        if case.get("source") == "blocks":
            # What is dead needs not be zero.
            inputs = [torch.where(mask, self.a, make(m, case["k"])), self.live]
        inputs.append(self.b)
        if self.bias is not None:
            inputs.append(self.bias)
        self.inputs = inputs
        self.out, = program.prepare(inputs)
        self.calls, self.buffers = program.calls, program.buffers

    def factor(self):
        return self.b.T if self.case.get("transposed") else self.b

    def reference(self):
        out = self.a.double() @ self.factor().double()
        return out if self.bias is None else (out + self.bias.double()).relu()


def check(program, case):
    """The largest relative error."""
    largest = 0.
    extents = [1, 31, 32, 33, 500, 1000] if case["m"] is None else [case["m"]]
    for m in extents:
        for zeros in (0., .5, .9, .99, 1.):
            for exact in (True, False):
                data = Data(program, case, m, zeros, exact)
                data.out.fill_(float("nan"))
                bits = []
                for _ in range(3):
                    program.launch()
                    program.check_status()
                    bits.append(data.out.clone())
                if not all(torch.equal(one.view(torch.int16), bits[0].view(torch.int16)) for one in bits):
                    raise RuntimeError(f"{m} rows, {zeros}: another run, other bits")
                reference = data.reference()
                if exact and not torch.equal(data.out, reference.to(data.out.dtype)):
                    raise RuntimeError(f"{m} rows, {zeros}: small integers differ")
                error = float((data.out.double() - reference).norm() / reference.norm().clamp_min(1e-30))
                if not error <= 4e-3:
                    raise RuntimeError(f"{m} rows, {zeros}: relative error {error}")
                largest = max(largest, error)
    return largest


def capture(function):
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        function(0, stream.cuda_stream)  # libraries set themselves up
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        for i in range(CALLS):
            function(i % SETS, stream.cuda_stream)
    return graph


def time_graphs(graphs, rounds):
    """Milliseconds per call, graph by graph."""
    marks = [[(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(rounds)]
             for _ in graphs]
    for i in range(rounds):
        for graph, mark in zip(graphs, marks):
            time.sleep(.004)
            mark[i][0].record()
            graph.replay()
            mark[i][1].record()
            torch.cuda.synchronize()
    return [[start.elapsed_time(end) / CALLS for start, end in mark] for mark in marks]


def measure(driver, programs, cases, zeros, rounds):
    sets = [[Data(program, case, case["m"], zeros) for _ in range(SETS)] for program, case in zip(programs, cases)]
    dense = [(torch.randn_like(data.a), data.factor()) for data in sets[0]]
    out = [torch.empty_like(data.out) for data in sets[0]]

    def launch(data, stream, given):
        for call, entry in zip(data.calls, data.program.function["launches"]):
            if not given or "detect" not in entry["kernel"]:
                driver.launch(*call, stream)
    graphs = [capture(lambda i, stream: torch.mm(*dense[i], out=out[i]))]
    for data in sets:
        for given in (False, True):
            graphs.append(capture(lambda i, stream, data=data, given=given: launch(data[i], stream, given)))
    time_graphs(graphs, 2)
    times = time_graphs(graphs, rounds)
    record = {"zeros": zeros, "torch_ms": round(statistics.median(times[0]), 5), "variants": {}}
    for i, program in enumerate(programs):
        entry = record["variants"][program.name] = {}
        for what, mine in zip(("values", "given"), times[1 + 2 * i:3 + 2 * i]):
            entry[what + "_ms"] = round(statistics.median(mine), 5)
            entry["over_" + what] = round(statistics.median(t / o for t, o in zip(times[0], mine)), 3)
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", metavar="DIRECTORY[,DIRECTORY...]")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--zeros", default=".5,.8,.9,.95,.99")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output")
    options = parser.parse_args()
    torch.cuda.init()
    torch.manual_seed(1)
    driver = run_manifest.Driver()
    records, failures = [], 0
    for text in options.directories:
        try:
            programs = [TorchProgram(driver, directory) for directory in text.split(",")]
            cases = []
            for directory in text.split(","):
                with open(f"{directory}/case.json", encoding="utf-8") as file:
                    cases.append(json.load(file))
            if options.check:
                records += [{"case": case["name"], "error": check(program, case)}
                            for program, case in zip(programs, cases)]
                print(json.dumps(records[-1]), flush=True)
                continue
            for zeros in map(float, options.zeros.split(",")):
                records.append({"case": cases[0]["name"].split("@")[0],
                                **measure(driver, programs, cases, zeros, options.rounds)})
                print(json.dumps(records[-1]), flush=True)
        except (RuntimeError, OSError, KeyError) as error:
            failures += 1
            records.append({"case": text, "failed": str(error)})
            print(json.dumps(records[-1]), flush=True)
            if "CUDA error" in str(error):
                break  # the context is lost
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": records}, file,
                      indent=1)
            file.write("\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
