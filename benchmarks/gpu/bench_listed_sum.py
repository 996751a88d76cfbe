#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products summed over a list of k, against the dense product and torch.

    bench_listed_sum.py [--check] [--output FILE] DENSE DIRECTORY...

DIRECTORY is a case of build_matmul.py whose k is listed, DENSE one whose A is
stored [k, m] (dense-4096-km); it is not read with --check. Every case is first
checked at lists of many lengths, in random order, with numbers behind the end
of the list that must not matter, and an output filled with NaN: against f64 on
random-normal data, and bit for bit on small integers.

Times are those of bench_matmul.py, of our dense kernel, of torch.matmul (dense),
and of lists of all k, in order and in random order, and of fewer. `ratio` is the
median over rounds of our dense kernel's time over that of the list.
"""
import argparse
import json
import os
import statistics
import sys

import torch

import run_manifest
from bench_matmul import DTYPES, TOLERANCE, time_blocks, time_flushed

LENGTHS = (0, 1, 7, 63, 64, 65, 128, 200, 321, 455, 456)
SHARES = (1.0, .75, .5, .25, .1, .01)


class Program:
    """A compiled program on tensors of the device, the last of which it writes unless it has a result."""

    def __init__(self, driver, directory):
        with open(os.path.join(directory, "case.json"), encoding="utf-8") as file:
            self.case = json.load(file)
        with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as file:
            self.function = json.load(file)["functions"][0]
        with open(os.path.join(directory, "kernels.ptx"), "rb") as file:
            self.module = driver.load(file.read())
        self.driver = driver

    def bind(self, inputs):
        """What launches it on these tensors, and the output."""
        buffers = []
        for buffer in self.function["buffers"]:
            shape = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            buffers.append(inputs[buffer["argument"]] if buffer["kind"] == "argument" else
                           torch.empty(shape, dtype=DTYPES[buffer["dtype"]], device="cuda"))
        calls = run_manifest.prepare_launches(self.driver, self.module, self.function,
                                              [x.data_ptr() for x in buffers], inputs)
        results = self.function["results"]

        def launch(keep=(buffers, inputs)):
            for call in calls:
                self.driver.launch(*call)

        return launch, buffers[results[0]["buffer"]] if results else inputs[-1]


def make_list(ks, length):
    """The first `length` of the numbers; what is behind them is out of bounds."""
    rest = torch.full((len(ks) - length,), 1 << 30, dtype=torch.int32, device="cuda")
    return [torch.cat([ks[:length].to(torch.int32), rest]), torch.tensor([0, length], dtype=torch.int64, device="cuda")]


def check(program, lengths, whole_numbers, on_cpu):
    """The largest relative error; raises if one is too large."""
    case, worst = program.case, 0.0
    m, n, k = case["m"], case["n"], case["k"]
    dtype, out = (DTYPES[case.get(key, "bf16")] for key in ("dtype", "out"))
    for length in lengths:
        def draw(columns):
            if whole_numbers:
                # Sums below 256, so that not even a bf16 rounds them.
                return (torch.rand(k, columns, device="cuda") < .02).to(dtype) * torch.randint(
                    -3, 4, (k, columns), device="cuda").to(dtype)
            return torch.randn(k, columns, device="cuda").to(dtype)
        a, b, ks = draw(m), draw(n), torch.randperm(k, device="cuda")
        c = torch.full((m, n), float("nan"), dtype=out, device="cuda")
        launch, _ = program.bind([a, b, *make_list(ks, length), c])
        launch()
        torch.cuda.synchronize()
        if on_cpu:
            a, b, c, ks = (x.cpu() for x in (a, b, c, ks))
        wide = torch.float64 if m * n * k < 1 << 34 else torch.float32
        reference = a[ks[:length]].to(wide).T @ b[ks[:length]].to(wide)
        difference = float((c.to(wide) - reference).norm())
        error = difference / max(float(reference.norm()), 1e-30) if difference else 0.0
        if not error <= (0.0 if whole_numbers else TOLERANCE[case.get("out", "bf16")]):
            raise RuntimeError(f"{case['name']}, {length} listed: relative error {error}")
        worst = max(worst, error)
    return worst


def measure(driver, dense, program, rounds):
    m, n, k = (program.case[key] for key in "mnk")
    dtype = DTYPES[program.case.get("dtype", "bf16")]
    a, b = (torch.randn(k, columns, device="cuda").to(dtype) for columns in (m, n))
    out = torch.empty(m, n, dtype=dtype, device="cuda")
    names = ["dense", "torch"]
    launches = [dense.bind([a, b])[0], lambda: torch.matmul(a.T, b, out=out)]
    for share in SHARES:
        for order in ("random", "ascending") if share == 1 else ("random",):
            length = round(k * share)
            ks = torch.randperm(k, device="cuda") if order == "random" else torch.arange(k, device="cuda")
            names.append(f"{length} listed, {order}")
            launches.append(program.bind([a, b, *make_list(ks, length), out])[0])
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    time_flushed(launches, flush, 3)
    times = {"flushed": time_flushed(launches, flush, rounds),
             "burst": time_blocks(launches, 3, .04, max(5, rounds // 3))}
    entries = []
    for i, name in enumerate(names):
        entry = {"what": name}
        for key, columns in times.items():
            entry[key] = {"ms": round(statistics.median(columns[i]), 5),
                          "ratio": round(statistics.median(d / t for d, t in zip(columns[0], columns[i])), 4)}
        entries.append(entry)
        print(name, entry["flushed"], entry["burst"], flush=True)
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dense")
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY")
    parser.add_argument("--check", action="store_true", help="only check, with references from the CPU")
    parser.add_argument("--lengths", help="check these lengths of the list")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--output")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.zeros(1, device="cuda")
    driver, results, failures = run_manifest.Driver(), [], 0
    dense = None if options.check else Program(driver, options.dense)
    for directory in options.cases:
        try:
            program = Program(driver, directory)
            k = program.case["k"]
            lengths = list(map(int, options.lengths.split(","))) if options.lengths else LENGTHS
            lengths = sorted({min(length, k) for length in (*lengths, k)})
            entry = {"case": program.case["name"], "m": program.case["m"], "n": program.case["n"], "k": k,
                     "error": check(program, lengths, False, options.check)}
            check(program, lengths, True, options.check)
            print(json.dumps(entry), flush=True)
            if not options.check:
                entry["times"] = measure(driver, dense, program, options.rounds)
        except (RuntimeError, OSError, KeyError) as error:
            failures += 1
            entry = {"case": directory, "failed": str(error)}
            print(json.dumps(entry), flush=True)
        results.append(entry)
        if "cuCtxSynchronize" in entry.get("failed", "") or "CUDA error" in entry.get("failed", ""):
            break  # the context is lost
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cases": results}, file,
                      indent=1)
            file.write("\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
