#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples on a GPU: the sparse program against the dense one of the same pipeline, in one process.

    bench_examples.py [--check] [--launches] [--rounds N] [--output FILE] OUT

OUT is that of build_examples.py: directories NAME.sparse and NAME.dense. Results are compared with what the CPU computes
(but for zeros of rows that a mark calls undef, of which any version may make something else). Times are of one call each, a CUDA graph, after the L2 cache
was overwritten, alternating between both.
"""
import glob
import os
import statistics
import sys

import numpy as np
import torch

import harness
import run_manifest
from timing import capture, time_flushed, time_launches
from torch_program import TorchProgram

# The largest |gpu - cpu| over the largest |cpu|, or over 1.
TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 2e-2}


def load_inputs(program, directory):
    inputs = []
    for i, argument in enumerate(program.function["arguments"]):
        array = torch.from_numpy(np.load(os.path.join(directory, f"input.{i}.npy")).view(
            run_manifest.DTYPES[argument["dtype"]]))
        inputs.append((array.view(torch.bfloat16) if argument["dtype"] == "bf16" else array).to("cuda"))
    return inputs


class Side:
    """The sparse or the dense program of an example."""

    def __init__(self, driver, directory):
        self.program, self.directory = TorchProgram(driver, directory), directory
        self.outputs = self.program.prepare(load_inputs(self.program, directory))

    def check(self):
        self.program.launch()
        self.program.check_status()
        worst = 0.0
        for i, output in enumerate(self.outputs):
            path = os.path.join(self.directory, f"expected.{i}.npy")
            if not os.path.exists(path):
                continue
            expected = run_manifest.as_doubles(run_manifest.load_array(path))
            out = output.double().cpu().numpy().reshape(expected.shape)
            if self.described().get("undefined"):
                out[expected == 0] = 0
            scale = max(1, float(np.nanmax(np.abs(expected), initial=0)))
            error = float(np.nanmax(np.abs(out - expected), initial=0)) / scale
            if not error <= TOLERANCE[output.dtype] or (np.isnan(out) != np.isnan(expected)).any():
                raise RuntimeError(f"{self.directory}: largest error {error}")
            worst = max(worst, error)
        return worst

    def described(self):
        """What build_examples.py says of it."""
        path = os.path.join(self.directory, "example.json")
        return harness.read_json(self.directory, "example.json") if os.path.exists(path) else {}


def measure(driver, options, flush, name):
    sparse, dense = (Side(driver, f"{name}.{kind}") for kind in ("sparse", "dense"))
    record = {"case": os.path.basename(name), **sparse.described(), "error": sparse.check(),
              "launches": len(sparse.program.calls)}
    dense.check()
    if options.check:
        return record
    calls = [capture(side.program.launch) for side in (sparse, dense)]
    time_flushed(calls, flush, 3)
    times = [statistics.median(values) for values in time_flushed(calls, flush, options.rounds)]
    record["ms"] = round(times[0], 5)
    record["peers"] = {"dense": {"ms": round(times[1], 5), "launches": len(dense.program.calls)}}
    record["ratio"] = round(times[1] / times[0], 3)
    if options.launches:
        for key, side in ("launches_us", sparse), ("dense_launches_us", dense):
            names = [call["kernel"] for call in side.program.function["launches"]]
            record[key] = [f"{kernel} {1000 * ms:.1f}" for kernel, ms in
                           zip(names, time_launches(side.program, flush, options.rounds))]
    return record


def main():
    parser = harness.parser(__doc__, "OUT", rounds=21)
    parser.add_argument("--launches", action="store_true", help="time each launch as well, with the gaps between them")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)
    names = sorted(path.removesuffix(".sparse") for out in options.cases for path in glob.glob(os.path.join(out, "*.sparse")))
    return harness.run(options, names, lambda name: measure(driver, options, flush, name))


if __name__ == "__main__":
    sys.exit(main())
