#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products compiled by PIT against torch.matmul (cuBLAS), in one process.

    bench_matmul.py [--check] [--copy] [--output FILE] DIRECTORY[:M]...

DIRECTORY is a case of build_matmul.py, M its number of rows where that is
dynamic. Data is random normal and fresh in every run. Before anything is timed,
the output is filled with NaN, the product is computed and compared with a
reference in f64 (f32 for large ones), and small integers bit for bit; a gathered
and scattered product must leave all other rows alone.

Times, in rounds that alternate between torch and PIT: `flushed`, one launch
after the L2 cache was overwritten; `burst`, launches back to back after a pause;
`sustained`, without pauses. The ratio is the median over rounds of torch's time
over ours: above 1 is faster than cuBLAS. With --copy, `copy_ms` is what a copy
takes that reads and writes as many bytes together, flushed.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import time

import torch

import run_manifest

DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
# ||out - reference|| / ||reference||: rounding of the output, or of f32 sums.
TOLERANCE = {"bf16": 3e-3, "f16": 4e-4, "f32": 2e-5}


class Case:
    """One compiled product with its data on the device."""

    def __init__(self, driver, directory, m):
        with open(os.path.join(directory, "case.json")) as file:
            self.case = json.load(file)
        with open(os.path.join(directory, "manifest.json")) as file:
            self.manifest = json.load(file)
        self.module = driver.load_kernels(directory)
        self.driver, self.function = driver, self.manifest["functions"][0]
        self.m = m or self.case["m"]
        self.n, self.k = self.case["n"], self.case["k"]
        self.name = f"{self.case['name']}:{self.m}"

    def draw(self, rows, columns, whole_numbers):
        if not whole_numbers:
            return torch.randn(rows, columns, device="cuda")
        # About 16 terms of a sum are not zero, so that all sums are exact in any type.
        live = torch.rand(rows, columns, device="cuda") < min(1, 4 / self.k ** .5)
        return live * torch.randint(-2, 3, (rows, columns), device="cuda")

    def make_data(self, whole_numbers=False):
        m, n, k = self.m, self.n, self.k
        dtype = DTYPES[self.case.get("dtype", "bf16")]
        rows = 2 * m if "rows" in self.case else m
        self.a = self.draw(rows, k, whole_numbers).to(dtype)
        self.b = self.draw(k, n, whole_numbers).to(dtype)
        self.index = torch.randperm(rows, device="cuda")[:m]
        self.inputs = [self.a.T.contiguous() if self.case.get("a") == "km" else self.a,
                       self.b.T.contiguous() if self.case.get("b") == "nk" else self.b]
        if "rows" in self.case:
            # What the list holds beyond its end must not matter.
            rest = torch.full((37,), 1 << 30, dtype=torch.int32, device="cuda")
            self.inputs += [torch.cat([self.index.to(torch.int32), rest]),
                            torch.tensor([0, m], dtype=torch.int64, device="cuda"),
                            torch.empty(rows, n, dtype=DTYPES[self.case.get("out", "bf16")], device="cuda")]
        # What cuBLAS multiplies: the same number of rows, without a gather.
        self.dense_a, self.dense_b = self.a[:m], self.b
        if self.case.get("a") == "km":
            self.dense_a = self.inputs[0].T
        if self.case.get("b") == "nk":
            self.dense_b = self.inputs[1].T
        self.dense_out = torch.empty(m, n, dtype=dtype, device="cuda")

    def prepare(self):
        self.buffers = []
        for buffer in self.function["buffers"]:
            shape = [run_manifest.evaluate(e, self.inputs) for e in buffer["shape"]]
            if buffer["kind"] == "argument":
                self.buffers.append(self.inputs[buffer["argument"]])
            elif buffer["kind"] == "workspace":
                self.buffers.append(torch.empty(shape, dtype=DTYPES[buffer["dtype"]], device="cuda"))
            else:
                raise RuntimeError(f"{self.name}: a buffer of kind {buffer['kind']}")
        pointers = [buffer.data_ptr() for buffer in self.buffers]
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function, pointers, self.inputs)
        results = self.function["results"]
        self.out = self.buffers[results[0]["buffer"]] if results else self.inputs[-1]

    def launch(self):
        for call in self.calls:
            self.driver.launch(*call)

    def launch_torch(self):
        torch.matmul(self.dense_a, self.dense_b, out=self.dense_out)

    def check(self, on_cpu):
        """Returns the relative error; raises if it is too large or rows are wrong."""
        self.make_data(whole_numbers=True)
        self.prepare()
        self.compare(on_cpu, 0.0)
        self.make_data()
        self.prepare()
        return self.compare(on_cpu, TOLERANCE[self.case.get("out", "bf16")])

    def compare(self, on_cpu, tolerance):
        self.out.fill_(float("nan"))
        self.launch()
        torch.cuda.synchronize()
        gathered = "rows" in self.case
        out = self.out.cpu() if on_cpu else self.out
        a, b, index = (x.cpu() if on_cpu else x for x in (self.a, self.b, self.index))
        rows = a[index] if gathered else a
        wide = torch.float64 if self.m * self.n * self.k < 1 << 34 else torch.float32
        reference = rows.to(wide) @ b.to(wide)
        got = out[index] if gathered else out
        error = float((got.to(wide) - reference).norm() / reference.norm().clamp(min=1e-30))
        if not error <= tolerance:
            raise RuntimeError(f"{self.name}: relative error {error}, more than {tolerance}")
        if gathered:
            others = torch.ones(out.shape[0], dtype=torch.bool, device=out.device)
            others[index] = False
            if not bool(torch.isnan(out[others]).all()):
                raise RuntimeError(f"{self.name}: wrote rows that are not in the index")
        return error


def events(count):
    return [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]


def time_flushed(functions, flush, rounds):
    """Milliseconds per function and round, one launch each after a flush."""
    marks = [events(rounds) for _ in functions]
    for i in range(rounds):
        for function, mark in zip(functions, marks):
            flush.zero_()
            mark[i][0].record()
            function()
            mark[i][1].record()
    torch.cuda.synchronize()
    return [[start.elapsed_time(end) for start, end in mark] for mark in marks]


def time_block(function, count):
    start, end = events(1)[0]
    start.record()
    for _ in range(count):
        function()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / count


def time_blocks(functions, milliseconds, pause, rounds):
    result = [[] for _ in functions]
    for _ in range(rounds):
        for function, times in zip(functions, result):
            if pause:
                time.sleep(pause)
            one = time_block(function, 2)
            times.append(time_block(function, max(3, int(milliseconds / one))))
    return result


def summarize(times, work):
    torch_times, ours = times[:2]
    ratio = statistics.median(t / o for t, o in zip(torch_times, ours))
    rate = [round(work / statistics.median(x) / 1e9, 1) for x in (ours, torch_times)]
    return {"ratio": round(ratio, 4), "tflops": rate[0], "torch_tflops": rate[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY[:M]")
    parser.add_argument("--check", action="store_true", help="only check, with references from the CPU")
    parser.add_argument("--copy", action="store_true", help="compare with a copy, too")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.zeros(1, device="cuda")
    driver = run_manifest.Driver()
    flush = None if options.check else torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    results, failures = [], 0
    for name in options.cases:
        directory, _, m = name.partition(":")
        try:
            case = Case(driver, directory, int(m) if m else None)
            entry = {"case": case.name, "n": case.n, "k": case.k, "error": case.check(options.check)}
            if not options.check:
                functions = [case.launch_torch, case.launch]
                work = 2 * case.m * case.n * case.k
                time_flushed(functions, flush, 3)
                measured = functions
                if options.copy:
                    size = 2 * (case.n * case.k + case.m * case.k + case.m * case.n)
                    source, target = (torch.empty(size // 8, dtype=torch.int32, device="cuda") for _ in range(2))
                    source.random_()
                    measured = functions + [lambda: target.copy_(source)]
                flushed = time_flushed(measured, flush, options.rounds)
                entry["flushed"] = summarize(flushed, work)
                entry["flushed"]["ms"], entry["flushed"]["torch_ms"] = (
                    round(statistics.median(x), 5) for x in (flushed[1], flushed[0]))
                if options.copy:
                    entry["copy_ms"] = round(statistics.median(flushed[2]), 5)
                entry["burst"] = summarize(time_blocks(functions, 3, .04, max(5, options.rounds // 3)), work)
                entry["sustained"] = summarize(time_blocks(functions, 8, 0, max(7, options.rounds // 2)), work)
        except (RuntimeError, OSError, KeyError) as error:
            failures += 1
            entry = {"case": name, "failed": str(error)}
        results.append(entry)
        print(json.dumps(entry), flush=True)
        case = None
        torch.cuda.empty_cache()
        if "cuCtxSynchronize" in entry.get("failed", "") or "CUDA error" in entry.get("failed", ""):
            break  # the context is lost
    if options.output:
        with open(options.output, "w") as file:
            json.dump(results, file, indent=1)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
