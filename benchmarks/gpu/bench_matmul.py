#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products compiled by PIT against torch.matmul and torch.bmm (cuBLAS), in one process.

    bench_matmul.py [--check] [--copy] [--output FILE] DIRECTORY[:M]...

DIRECTORY is a case of build_matmul.py, M its number of rows where that is
dynamic. Data is random normal and fresh in every run. Before anything is timed,
the output is filled with NaN, the product is computed and compared with a
reference in f64 (f32 for large ones), and small integers bit for bit; a gathered
and scattered product must leave all other rows alone.

Times, in rounds that alternate between torch and PIT: `flushed`, one launch
after the L2 cache was overwritten; `burst`, launches back to back after a pause;
`sustained`, without pauses. The ratio is the median over rounds of torch's time
over ours: above 1 is faster than cuBLAS. Inputs of 8 bits have scales and are
compared with torch._scaled_mm, whose sums are in f32, or `fast`, of fewer bits; batches with torch.bmm, or torch.matmul
where all share an operand. With --copy, `copy_ms` is what a copy
takes that reads and writes as many bytes together, flushed.
"""
import math
import statistics
import sys

import torch

import harness
from timing import median_ms, median_ratio, time_blocks, time_flushed
from torch_program import DTYPES, TorchProgram, tolerance


class Case:
    """One compiled product with its data on the device."""

    def __init__(self, driver, directory, m):
        self.case = harness.read_json(directory)
        self.program = TorchProgram(driver, directory)
        self.m = m or self.case["m"]
        self.n, self.k = self.case["n"], self.case["k"]
        self.name = f"{self.case['name']}:{self.m}"
        # Products, and how many A and B there are for them.
        self.batch, self.of_a, self.of_b = 1, 1, 1
        if "batch" in self.case:
            if self.case.get("epilogue") or self.case.get("heads"):
                raise RuntimeError(f"{self.name}: torch.bmm has no epilogue, and one axis of batches")
            self.batch = self.case["batch"] or 8
            self.of_a, self.of_b = (self.batch if "b" in self.case.get(name, "b") else 1 for name in "ab")

    def draw(self, *shape, whole_numbers):
        if not whole_numbers:
            return torch.randn(*shape, device="cuda")
        # About 16 terms of a sum are not zero, so that all sums are exact in any type.
        live = torch.rand(*shape, device="cuda") < min(1, 4 / self.k ** .5)
        return live * torch.randint(-2, 3, shape, device="cuda")

    def make_batches(self, whole_numbers):
        """A and B of all batches; torch reads them where they lie."""
        dtype = DTYPES[self.case.get("dtype", "bf16")]

        def make(name, axes, *extents):
            stored = self.case.get(name, axes)
            if "b" not in stored:
                axes, extents = axes[1:], extents[1:]
            values = self.draw(*extents, whole_numbers=whole_numbers).to(dtype)
            laid_out = values.permute([axes.index(axis) for axis in stored]).contiguous()
            return laid_out, laid_out.permute([stored.index(axis) for axis in axes])

        self.scales, self.index = [], torch.empty(0, device="cuda")
        first, self.a = make("a", "bmk", self.batch, self.m, self.k)
        second, self.b = make("b", "bkn", self.batch, self.k, self.n)
        self.inputs = [first, second]
        self.dense_a, self.dense_b = self.a, self.b
        # cuBLAS writes what it multiplies, and matrices one behind the other.
        self.dense_out = torch.empty(self.batch, self.m, self.n, dtype=dtype, device="cuda")

    def make_data(self, whole_numbers=False):
        if "batch" in self.case:
            return self.make_batches(whole_numbers)
        m, n, k = self.m, self.n, self.k
        dtype = DTYPES[self.case.get("dtype", "bf16")]
        rows = 2 * m if "rows" in self.case else m
        self.a = self.draw(rows, k, whole_numbers=whole_numbers).to(dtype)
        self.b = self.draw(k, n, whole_numbers=whole_numbers).to(dtype)
        # What scales an input of 8 bits: another one for each.
        self.scales = [torch.tensor(scale, device="cuda") for scale in (.5, .25)] if self.case.get("scaled") else []
        self.index = torch.randperm(rows, device="cuda")[:m]
        self.inputs = [self.a.T.contiguous() if self.case.get("a") == "km" else self.a,
                       self.b.T.contiguous() if self.case.get("b") == "nk" else self.b, *self.scales]
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
        self.dense_out = torch.empty(m, n, dtype=DTYPES[self.case.get("out", "bf16")] if self.scales else dtype, device="cuda")

    def prepare(self):
        results = self.program.prepare(self.inputs)
        self.out = results[0] if results else self.inputs[-1]
        self.launch = self.program.launch

    def launch_torch(self, fast=False):
        if self.scales:
            torch._scaled_mm(self.dense_a, self.dense_b, *self.scales, out_dtype=self.dense_out.dtype,
                             use_fast_accum=fast, out=self.dense_out)
            return
        if self.of_a == self.of_b == self.batch and "batch" in self.case:
            torch.bmm(self.dense_a, self.dense_b, out=self.dense_out)
        else:
            torch.matmul(self.dense_a, self.dense_b, out=self.dense_out)

    def check(self, on_cpu):
        """Returns the relative error; raises if it is too large or rows are wrong."""
        self.make_data(whole_numbers=True)
        self.prepare()
        self.compare(on_cpu, 0.0)
        self.make_data()
        self.prepare()
        return self.compare(on_cpu, tolerance(self.case))

    def compare(self, on_cpu, tolerance):
        self.out.fill_(float("nan"))
        self.launch()
        torch.cuda.synchronize()
        gathered = "rows" in self.case
        out = self.out.cpu() if on_cpu else self.out
        a, b, index = (x.cpu() if on_cpu else x for x in (self.a, self.b, self.index))
        rows = a[index] if gathered else a
        wide = torch.float64 if self.batch * self.m * self.n * self.k < 1 << 34 else torch.float32
        reference = rows.to(wide) @ b.to(wide) * math.prod(float(scale) for scale in self.scales)
        got = out[index] if gathered else out
        if "batch" in self.case:
            got = out.permute([self.case.get("c", "bmn").index(axis) for axis in "bmn"])
        error = float((got.to(wide) - reference).norm() / reference.norm().clamp(min=1e-30))
        if not error <= tolerance:
            raise RuntimeError(f"{self.name}: relative error {error}, more than {tolerance}")
        if gathered:
            others = torch.ones(out.shape[0], dtype=torch.bool, device=out.device)
            others[index] = False
            if not bool(torch.isnan(out[others]).all()):
                raise RuntimeError(f"{self.name}: wrote rows that are not in the index")
        return error


def summarize(times, work):
    torch_times, ours = times[:2]
    rate = [round(work / statistics.median(x) / 1e9, 1) for x in (ours, torch_times)]
    fast = {"ratio_to_fast_sums": median_ratio(times[2], ours)} if times[2:] else {}
    return {"ratio": median_ratio(torch_times, ours), **fast, "tflops": rate[0], "torch_tflops": rate[1]}


def measure(case, flush, rounds, copy):
    functions, work = [case.launch_torch, case.launch], 2 * case.batch * case.m * case.n * case.k
    if case.scales:
        # The same with sums that keep fewer bits.
        functions.append(lambda: case.launch_torch(fast=True))
    time_flushed(functions, flush, 3)
    measured = functions
    if copy:
        size = 2 * (case.of_b * case.n * case.k + case.of_a * case.m * case.k + case.batch * case.m * case.n)
        source, target = (torch.empty(size // 8, dtype=torch.int32, device="cuda") for _ in range(2))
        source.random_()
        measured = functions + [lambda: target.copy_(source)]
    flushed = time_flushed(measured, flush, rounds)
    entry = {"flushed": {**summarize(flushed[:len(functions)], work), "ms": median_ms(flushed[1], 5),
                         "torch_ms": median_ms(flushed[0], 5)}}
    if copy:
        entry["copy_ms"] = median_ms(flushed[-1], 5)
    entry["burst"] = summarize(time_blocks(functions, 3, .04, max(5, rounds // 3)), work)
    entry["sustained"] = summarize(time_blocks(functions, 8, 0, max(7, rounds // 2)), work)
    return entry


def main():
    parser = harness.parser(__doc__, "DIRECTORY[:M]", rounds=15, check="only check, with references from the CPU")
    parser.add_argument("--copy", action="store_true", help="compare with a copy, too")
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        directory, _, m = name.partition(":")
        case = Case(driver, directory, int(m) if m else None)
        entry = {"case": case.name, "n": case.n, "k": case.k, "error": case.check(options.check)}
        if "batch" in case.case:
            entry["batch"] = case.batch
        return entry if options.check else {**entry, **measure(case, flush, options.rounds, options.copy)}

    return harness.run(options, options.cases, one)


if __name__ == "__main__":
    sys.exit(main())
