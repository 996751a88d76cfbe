#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of listed rows compiled by PIT against torch, in one process.

    bench_sums.py --check [--reruns N] DIRECTORY...
    bench_sums.py [--output FILE] DIRECTORY...

DIRECTORY is a case of build_sums.py. With --check, inverses must be those of a
stable sort, and sums those of a loop over experts, to the bit for small integers;
rows that nobody lists must be zero, or what they were where sums go on. What no
list names is NaN. --reruns repeats one of them, each time with the same bits.

Without, each token chooses its experts at random, and times are of one launch (of
a graph for the inversion) each after the L2 cache was overwritten, alternating
between all. Peers get the inverse, or tokens per row, for nothing.
"""
import argparse
import json
import os
import statistics
import sys

import torch

import run_manifest
from bench_grouped import LENGTHS, distinct_rows, route
from bench_matmul import DTYPES, time_flushed


class Case:
    """One compiled sum with its data on the device."""

    def __init__(self, driver, directory):
        with open(os.path.join(directory, "case.json")) as file:
            self.case = json.load(file)
        with open(os.path.join(directory, "manifest.json")) as file:
            self.function = json.load(file)["functions"][0]
        self.module = driver.load_kernels(directory)
        self.driver = driver
        self.name = os.path.basename(os.path.normpath(directory))
        self.rows_type = DTYPES[self.case.get("rows", "bf16")]
        self.out_type = DTYPES[self.case.get("out", "bf16")]

    def prepare(self, gates, rows, offsets, listed, tokens):
        width = torch.int64 if self.case.get("width") == 64 else torch.int32
        self.out = torch.empty(tokens, rows.shape[1], dtype=self.out_type, device="cuda")
        inputs = [gates, rows, offsets.to(torch.int64), listed.to(width), self.out, torch.tensor(tokens),
                  torch.tensor(offsets.shape[0] - 1)]
        buffers = []
        for buffer in self.function["buffers"]:
            extents = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            if buffer["kind"] == "argument":
                buffers.append(inputs[buffer["argument"]])
            else:
                dtype = getattr(torch, buffer["dtype"].replace("i", "int"))
                buffers.append(torch.full(extents, -1, dtype=dtype, device="cuda"))
        self.keep = inputs, buffers
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function,
                                                   [buffer.data_ptr() for buffer in buffers], inputs)
        # Workspaces in the order of the program: the inverse's two lists.
        self.inverse = [b for b, spec in zip(buffers, self.function["buffers"]) if spec["kind"] == "workspace"]

    def invert(self, stream=None):
        self.driver.launch(*self.calls[0], stream)

    def capture_inversion(self):
        """As one graph: launched one by one, the host would be what is measured."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.invert(torch.cuda.current_stream().cuda_stream)
        return graph

    def sum(self):
        self.driver.launch(*self.calls[1])

    def launch(self):
        self.invert()
        self.sum()


def sums_of(case, gates, rows, offsets, listed, tokens, start):
    """In the order of experts, in f32: fused or not, products of the checked integers are exact."""
    wide = torch.float32 if case.exact else torch.float64
    total = start.to(wide)
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist()):
        mine = listed[first:last]
        total[mine] += gates[first:last, None].to(wide) * rows[first:last].to(wide)
    return total


def check_once(case, lengths, exact, columns):
    case.exact = exact
    tokens = max(lengths) + 30
    listed = distinct_rows(lengths, tokens)
    offsets = torch.tensor([0] + lengths, device="cuda").cumsum(0)
    count = int(offsets[-1])
    make = (lambda *shape: torch.randint(-3, 4, shape, device="cuda").float()) if exact else \
        (lambda *shape: torch.randn(*shape, device="cuda"))
    gates, rows = make(count), make(count, columns).to(case.rows_type)
    # Room that nobody uses: what is there must not matter.
    rest = 45
    listed = torch.cat([listed, torch.full((rest,), 1 << 30, device="cuda")])
    gates = torch.cat([gates, torch.full((rest,), float("nan"), device="cuda")])
    rows = torch.cat([rows, torch.full((rest, columns), float("nan"), dtype=case.rows_type, device="cuda")])
    case.prepare(gates, rows, offsets, listed, tokens)
    start = torch.zeros(tokens, columns, device="cuda")
    case.out.fill_(float("nan"))
    if case.case.get("added"):
        start = make(tokens, columns)
        case.out.copy_(start)
    case.launch()
    torch.cuda.synchronize()
    order = torch.argsort(listed[:count], stable=True)
    ends = torch.cat([offsets.new_zeros(1), torch.bincount(listed[:count], minlength=tokens).cumsum(0)])
    if not any(t.shape == ends.shape and torch.equal(t, ends) for t in case.inverse) or \
            not any(t.dim() == 1 and t.shape[0] == count + rest and torch.equal(t[:count].long(), order)
                    for t in case.inverse):
        raise RuntimeError(f"{case.name}: the inverse of {len(lengths)} lists is not that of a stable sort")
    expected = sums_of(case, gates, rows, offsets, listed, tokens, start)
    if exact:
        if not torch.equal(case.out, expected.to(case.out_type)):
            raise RuntimeError(f"{case.name}: not exact for {len(lengths)} lists")
        return 0.0
    error = float((case.out.double() - expected).norm() / expected.norm().clamp(min=1e-30))
    limit = 1e-6 if case.out_type == torch.float32 else 5e-3
    if not error <= limit:
        raise RuntimeError(f"{case.name}: relative error {error}, more than {limit}")
    return error


def check(case, reruns):
    errors = []
    for lengths in LENGTHS:
        experts, columns = case.case["experts"], case.case["columns"] or 30
        if experts is not None:
            lengths = (lengths + [0] * experts)[:experts]
        errors += [check_once(case, lengths, exact, columns) for exact in (True, False)]
    first = case.out.clone()
    for _ in range(0 if case.case.get("added") else reruns):
        case.out.fill_(float("nan"))
        case.launch()
        if not torch.equal(case.out, first):
            raise RuntimeError(f"{case.name}: runs differ")
    return max(errors)


def measure(case, rounds, flush):
    tokens, experts, columns, top_k = (case.case[key] for key in ("tokens", "experts", "columns", "top_k"))
    tokens = tokens or 8192
    listed, offsets = route(tokens, top_k, experts)
    count = tokens * top_k
    gates = torch.rand(count, device="cuda")
    rows = torch.randn(count, columns, device="cuda", dtype=case.rows_type)
    case.prepare(gates, rows, offsets, listed, tokens)
    case.launch()
    torch.cuda.synchronize()
    case.exact = False
    expected = sums_of(case, gates, rows, offsets, listed, tokens, torch.zeros(tokens, columns, device="cuda"))
    error = float((case.out.double() - expected).norm() / expected.norm())
    if not error <= 5e-3:
        raise RuntimeError(f"{case.name}: relative error {error}")
    expected = None
    order = torch.argsort(listed, stable=True)
    weights = gates.to(case.rows_type)
    total = torch.empty(tokens, columns, dtype=case.rows_type, device="cuda")
    sorted_gates = weights[order].view(tokens, 1, top_k)

    def gather_product():
        torch.bmm(sorted_gates, rows[order].view(tokens, top_k, columns), out=total.view(tokens, 1, columns))

    def scatter():
        total.zero_()
        total.index_add_(0, listed, rows * weights[:, None])

    inversion = case.capture_inversion()
    functions = {"index_add": scatter, "gather, bmm": gather_product, "invert": inversion.replay, "sum": case.sum}
    time_flushed(list(functions.values()), flush, 3)
    times = dict(zip(functions, time_flushed(list(functions.values()), flush, rounds)))
    moved = count * columns * rows.element_size() + case.out.numel() * case.out.element_size()
    medians = {name: statistics.median(values) for name, values in times.items()}
    return {"case": case.name, "tokens": tokens, "experts": experts, "top_k": top_k, "columns": columns,
            "rows": str(case.rows_type)[6:], "error": error, "ms": {n: round(v, 4) for n, v in medians.items()},
            "sum_TB_per_s": round(moved / medians["sum"] / 1e9, 3),
            "ratio": round(statistics.median(min(a, b) / c for a, b, c in zip(
                times["index_add"], times["gather, bmm"], times["sum"])), 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="DIRECTORY")
    parser.add_argument("--check", action="store_true", help="only check")
    parser.add_argument("--reruns", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    driver = run_manifest.Driver()
    flush = None if options.check else torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    results, failures = [], 0
    for name in options.cases:
        try:
            case = Case(driver, name)
            entry = {"case": case.name, "error": check(case, options.reruns)} if options.check else \
                measure(case, options.rounds, flush)
        except (RuntimeError, OSError, KeyError, ValueError) as error:
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
            file.write("\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
