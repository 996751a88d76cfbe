#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is busy while single kernels run, by the counters of Nsight Compute.

    bench_counters.py [--output FILE] FOLDER      where the GPU and ncu are
    bench_counters.py --launch DIRECTORY ZEROS    launches a program twice; what the former runs under ncu

FOLDER holds the cases named below, of build_matmul.py and build_blocks.py. Of each kernel the second launch counts, for
which ncu empties the caches, and leaves the clocks as they are. `percent` is of what a unit can do at most.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

import torch

import bench_blocks
import bench_listed_sum
import bench_matmul
import harness
from torch_program import TorchProgram

# Directory, share of micro-tiles that are dead (None: it has none), what its kernels are called.
CASES = [
    ("dense-4096", None, {"main_contraction_0": "4096 x 4096 x 4096, dense"}),
    ("dense-4096-km", None, {"main_contraction_0": "the same, A stored [k, m]"}),
    ("ksum-4096", None, {"main_contraction_0": "a sum over 4096 listed k"}),
    ("32x64", .8, {"main_detect_0": "32 x 64, 80 % dead, from values: detection",
                   "main_contraction_0": "32 x 64, 80 % dead, from values: product"}),
    ("given", .8, {"main_contraction_0": "32 x 64, 80 % dead, bits given: product"}),
    ("32x64", .95, {"main_contraction_0": "32 x 64, 95 % dead, from values: product"}),
    ("given", .95, {"main_contraction_0": "32 x 64, 95 % dead, bits given: product"}),
    ("1x64@1", .95, {"main_detect_0": "1 x 64, 95 % dead: detection",
                     "main_contraction_0": "1 x 64, 95 % dead: product"}),
    ("1x64@1", .99, {"main_contraction_0": "1 x 64, 99 % dead: product"}),
    ("decode-16-4096", None, {"main_contraction_0": "16 x 4096 x 4096"}),
    ("decode-128-4096", None, {"main_contraction_0": "128 x 4096 x 4096"}),
]
PERCENT = {
    "tensor": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "l1tex": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "issued": "smsp__issue_active.avg.pct_of_peak_sustained_active",
}
DURATION, CLOCK = "gpu__time_duration.sum", "smsp__cycles_elapsed.avg.per_second"
# By units as ncu writes them, without regard to case.
IN_US = {"ns": 1e-3, "us": 1, "ms": 1e3, "nsecond": 1e-3, "usecond": 1, "msecond": 1e3}
IN_GHZ = {"hz": 1e-9, "khz": 1e-6, "mhz": 1e-3, "ghz": 1}


def launch(directory, zeros):
    driver, case = harness.start(), harness.read_json(directory)
    if zeros is not None:
        program = TorchProgram(driver, directory)
        bench_blocks.Data(program, case, case["m"], zeros)
        start = program.launch
    elif case.get("ks"):
        one = bench_listed_sum.Case(driver, directory)
        a, b = (torch.randn(case["k"], case[axis], device="cuda").bfloat16() for axis in "mn")
        out = torch.empty(case["m"], case["n"], dtype=torch.bfloat16, device="cuda")
        listed = bench_listed_sum.make_list(torch.randperm(case["k"], device="cuda"), case["k"])
        start = bench_listed_sum.bind(one.program, [a, b, *listed, out])
    else:
        one = bench_matmul.Case(driver, directory, None)
        one.make_data()
        one.prepare()
        start = one.launch
    for _ in range(2):
        start()
    torch.cuda.synchronize()


def number(row, units, metric):
    return float(row[metric].replace(",", "")), units[metric].casefold()


def measure(folder, name, zeros, kernels):
    """Records of one program's kernels."""
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--kernel-name", "regex:main_", "--metrics",
               ",".join([*PERCENT.values(), DURATION, CLOCK]), sys.executable, os.path.abspath(__file__), "--launch",
               os.path.join(folder, name), str(zeros)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    table = [line for line in run.stdout.splitlines() if line.startswith('"')]
    if run.returncode or len(table) < 3:
        raise RuntimeError(f"{name}: {run.stdout[-500:]} {run.stderr[-500:]}")
    units, *rows = csv.DictReader(table)
    last = {row["Kernel Name"].partition("(")[0]: row for row in rows}
    records = []
    for kernel, label in kernels.items():
        row = last[kernel]
        duration, unit = number(row, units, DURATION)
        clock, clock_unit = number(row, units, CLOCK)
        records.append({
            "case": name, "name": label, "kernel": kernel, "us": round(duration * IN_US[unit], 2),
            "clock_ghz": round(clock * IN_GHZ[clock_unit], 2),
            "percent": {key: round(number(row, units, metric)[0], 2) for key, metric in PERCENT.items()}})
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="of the cases; with --launch, one of them")
    parser.add_argument("zeros", nargs="?", help="with --launch, the share that is dead, or None")
    parser.add_argument("--launch", action="store_true")
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    if options.launch:
        launch(options.folder, None if options.zeros == "None" else float(options.zeros))
        return 0
    records, failed = [], 0
    for name, zeros, kernels in CASES:
        try:
            records += measure(options.folder, name, zeros, kernels)
        except (RuntimeError, KeyError, ValueError) as error:
            failed += 1
            print(f"{name}: {error!r}", file=sys.stderr)
    print(json.dumps(records))
    harness.write(options.output, {"tool": "ncu", **harness.with_device(records)})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
