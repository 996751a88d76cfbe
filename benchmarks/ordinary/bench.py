#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ordinary programs compiled by PIT against torch, eager and compiled, in one process.

    bench.py [--check] [--compiled] [--output FILE] DIRECTORY...

DIRECTORY is one of build.py. Arguments are random; results must be as close to those of f64 as torch's are, or as the
type rounds. Times are of one call each after the L2 cache was overwritten, alternating between all; both are
CUDA graphs, so that the host's launches are not what is timed.
"""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "gpu"))
import torch  # noqa: E402

import harness  # noqa: E402
import programs  # noqa: E402
from timing import capture, time_flushed  # noqa: E402
from torch_program import DTYPES, TorchProgram  # noqa: E402

# ||out - exact|| / ||exact|| that a result may have, whatever torch's has.
ERRORS = {torch.bfloat16: 4e-3, torch.float16: 5e-4, torch.float32: 1e-6, torch.float64: 1e-14}


def make_input(shape, dtype, source):
    if dtype.is_floating_point:
        return (torch.randn(shape, device="cuda", dtype=torch.float32) * source.scale + source.offset).to(dtype)
    return torch.randint(-20, 20, shape, device="cuda").to(dtype)


def error_of(out, exact):
    if not exact.is_floating_point():
        return float((out != exact).double().mean())
    return float((out.double() - exact).norm() / exact.norm().clamp(min=1e-30))


class Case:
    def __init__(self, driver, directory):
        self.name = harness.read_json(directory)["name"]
        self.program = TorchProgram(driver, directory)
        self.source = programs.make(self.name)
        self.inputs = []
        arguments = self.program.function["arguments"]
        shapes = self.source.shapes or [argument["shape"] for argument in arguments]
        for argument, shape in zip(arguments, shapes):
            self.inputs.append(make_input(shape, DTYPES[argument["dtype"]], self.source))
        # Buffers are made once, with launches that name them.
        self.out = self.program.prepare(self.inputs)[0]
        self.reference = lambda: self.source.reference(*self.inputs)

    def check(self):
        self.program.launch()
        self.program.check_status()
        expected = self.reference()
        out = self.out.view(expected.shape)
        if expected.is_floating_point():
            wide = [x.double() if x.is_floating_point() else x for x in self.inputs]
            exact = self.source.reference(*wide)
        else:
            exact = expected
        ours, theirs = error_of(out, exact), error_of(expected, exact)
        limit = max(1.5 * theirs, ERRORS.get(out.dtype, 0))
        if not ours <= limit:
            raise RuntimeError(f"{self.name}: relative error {ours}, where torch has {theirs}")
        return ours, theirs

    def measure(self, options, flush):
        ours, theirs = self.check()
        record = {"case": self.name, "error": ours, "error_of_torch": theirs, "launches": len(self.program.calls)}
        if options.check:
            return record
        functions = {"pit": lambda stream: self.program.launch(stream), "torch": lambda stream: self.reference()}
        if options.compiled:
            compiled = torch.compile(self.source.reference)
            compiled(*self.inputs)
            functions["torch.compile"] = lambda stream: compiled(*self.inputs)
        calls = [capture(function) for function in functions.values()]
        time_flushed(calls, flush, 2)
        times = dict(zip(functions, time_flushed(calls, flush, options.rounds)))
        record["ms"] = round(statistics.median(times.pop("pit")), 5)
        record["peers"] = {name: {"ms": round(statistics.median(values), 5)} for name, values in times.items()}
        record["ratio"] = round(record["peers"]["torch"]["ms"] / record["ms"], 3)
        return record


def main():
    parser = harness.parser(__doc__, "DIRECTORY", rounds=11)
    parser.add_argument("--compiled", action="store_true", help="time torch.compile as well")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)
    return harness.run(options, options.cases, lambda name: Case(driver, name).measure(options, flush))


if __name__ == "__main__":
    sys.exit(main())
