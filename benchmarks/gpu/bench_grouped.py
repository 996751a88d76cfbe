#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of segments compiled by PIT against torch._grouped_mm and balanced torch.bmm (cuBLAS), in one process.

    bench_grouped.py --check [--reruns N] DIRECTORY...
    bench_grouped.py [--output FILE] DIRECTORY[,DIRECTORY...]:TOKENS:TOP_K...

DIRECTORY is a case of build_grouped.py. With --check, each case runs on segments
of many lengths, empty ones too, with data that must come out to the bit (small
integers) and random data compared with f64. The output is filled with NaN before;
rows behind the last one, and those that no segment lists, must keep it. What no
segment owns of the inputs is NaN as well. --reruns repeats one of them, each time
with the same bits.

Without, tokens choose TOP_K segments at random, and times are of one launch each
after the L2 cache was overwritten, alternating between all. `ratio` is the median
over rounds of the faster peer's time over ours: above 1 is faster than both.
Several directories of one case are variants on the same data.
"""
import argparse
import json
import os
import statistics
import sys

import torch

import run_manifest
from bench_matmul import DTYPES, TOLERANCE, time_flushed

# Rows per segment: tiles' edges, nobody, one row, more segments than lanes, many empty ones.
LENGTHS = [
    [0, 1, 127, 128, 129, 0, 64, 65, 300, 16, 0],
    [1],
    [0, 0, 0],
    [0, 0, 0, 0, 0, 5],
    [2100, 700, 0, 1],
    [i * 7 % 19 for i in range(70)],
    [i % 4 if i % 3 else 0 for i in range(1100)],
    [200] + [0] * 130 + [40],
]


class Case:
    """One compiled product with its data on the device."""

    def __init__(self, driver, directory):
        with open(os.path.join(directory, "case.json")) as file:
            self.case = json.load(file)
        with open(os.path.join(directory, "manifest.json")) as file:
            self.function = json.load(file)["functions"][0]
        self.module = driver.load_kernels(directory)
        self.driver = driver
        self.name = os.path.basename(os.path.normpath(directory))
        self.n, self.k, self.segments = self.case["n"], self.case["k"], self.case["segments"]
        self.packed = self.case.get("a") == "packed"
        self.scattered = self.case.get("c") == "scattered"
        self.dtype = DTYPES[self.case.get("dtype", "bf16")]
        self.out_dtype = DTYPES[self.case.get("out", "bf16")]

    def prepare(self, a, b, rows, offsets, tokens):
        """a holds tokens, or packed rows; b is [segments, k, n]."""
        shape = (tokens, b.shape[0], self.n) if self.scattered else (rows.shape[0], self.n)
        self.out = torch.empty(shape, dtype=self.out_dtype, device="cuda")
        self.weights = b.transpose(1, 2).contiguous() if self.case.get("b") == "enk" else b
        inputs = [a, self.weights, rows.to(torch.int32), offsets.to(torch.int64), torch.tensor(tokens), self.out]
        buffers = []
        for buffer in self.function["buffers"]:
            extents = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            if buffer["kind"] == "argument":
                buffers.append(inputs[buffer["argument"]])
            elif buffer["kind"] == "workspace":
                buffers.append(torch.empty(extents, dtype=getattr(torch, buffer["dtype"].replace("i", "int")),
                                           device="cuda"))
            else:
                raise RuntimeError(f"{self.name}: a buffer of kind {buffer['kind']}")
        self.keep = inputs, buffers
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function,
                                                   [buffer.data_ptr() for buffer in buffers], inputs)

    def launch(self):
        for call in self.calls:
            self.driver.launch(*call)


def route(tokens, top_k, segments):
    """Rows per segment when each token chooses top_k of them, as (rows, offsets)."""
    chosen = torch.rand(tokens, segments, device="cuda").topk(top_k, dim=1).indices
    order = torch.argsort(chosen.flatten(), stable=True)
    counts = torch.bincount(chosen.flatten(), minlength=segments)
    return order // top_k, torch.cat([counts.new_zeros(1), counts.cumsum(0)])


def distinct_rows(lengths, tokens):
    rows = [torch.randperm(tokens, device="cuda")[:length].sort().values for length in lengths]
    return torch.cat(rows) if rows else torch.empty(0, dtype=torch.int64, device="cuda")


def random_data(shape, dtype, integers):
    if integers:
        return torch.randint(-2, 3, shape, device="cuda").to(dtype)
    return torch.randn(shape, device="cuda", dtype=dtype)


def compare(case, a, b, rows, offsets, exact):
    """Runs and returns the relative error; raises where something differs that must not."""
    case.out.fill_(float("nan"))
    case.launch()
    torch.cuda.synchronize()
    wide = torch.float64 if b.numel() < 1 << 26 else torch.float32
    total, offsets = int(offsets[-1]), offsets.tolist()
    difference = norm = 0.0
    touched = torch.zeros(case.out.shape[:-1], dtype=torch.bool, device="cuda")
    for segment in range(b.shape[0]):
        first, last = offsets[segment], offsets[segment + 1]
        if first == last:
            continue
        mine = rows[first:last]
        left = a[first:last] if case.packed else a[mine]
        reference = left.to(wide) @ b[segment].to(wide)
        place = (mine, segment) if case.scattered else slice(first, last)
        got = case.out[place]
        touched[place] = True
        if exact and not torch.equal(got, reference.to(got.dtype)):
            raise RuntimeError(f"{case.name}: segment {segment} of {b.shape[0]} is not exact")
        difference += float((got.to(wide) - reference).norm()) ** 2
        norm += float(reference.norm()) ** 2
    if not bool(torch.isnan(case.out[~touched]).all()):
        raise RuntimeError(f"{case.name}: wrote rows that belong to no segment")
    error = (difference / norm) ** .5 if norm else 0.0
    tolerance = TOLERANCE[case.case.get("out", "bf16")]
    if not error <= tolerance:
        raise RuntimeError(f"{case.name}: relative error {error}, more than {tolerance} ({total} rows)")
    return error


def check(case, lengths, integers):
    tokens = max(lengths) + 30
    rows = distinct_rows(lengths, tokens)
    offsets = torch.tensor([0] + lengths, device="cuda").cumsum(0)
    a = random_data((rows.shape[0] if case.packed else tokens, case.k), case.dtype, integers)
    b = random_data((len(lengths), case.k, case.n), case.dtype, integers)
    b[torch.tensor(lengths, device="cuda") == 0] = float("nan")
    # Room that nobody uses: what is there must not matter.
    rest = 45
    rows = torch.cat([rows, torch.full((rest,), 1 << 30, device="cuda")])
    if case.packed:
        a = torch.cat([a, torch.full((rest, case.k), float("nan"), dtype=case.dtype, device="cuda")])
    case.prepare(a, b, rows, offsets, tokens)
    return compare(case, a, b, rows, offsets, integers)


def check_all(case, reruns, quick):
    errors = []
    for lengths in [[3, 0, 70, 130]] if quick else LENGTHS:
        if case.segments is not None:
            lengths = (lengths + [0] * case.segments)[:case.segments]
        errors.append(check(case, lengths, integers=True))
        errors.append(check(case, lengths, integers=False))
    if reruns:
        lengths = (LENGTHS[0] + [40] * 40)[:case.segments or 50]
        check(case, lengths, integers=False)
        first, same = case.out.clone().view(torch.int16), torch.ones((), dtype=torch.bool, device="cuda")
        for _ in range(reruns):
            case.out.fill_(float("nan"))
            case.launch()
            same &= (case.out.view(torch.int16) == first).all()
        if not bool(same):
            raise RuntimeError(f"{case.name}: runs differ")
    return max(errors)


def measure(cases, tokens, top_k, rounds, flush):
    case = cases[0]
    rows, offsets = route(tokens, top_k, case.segments)
    n, k, total = case.n, case.k, tokens * top_k
    a = torch.randn(total if case.packed else tokens, k, device="cuda", dtype=case.dtype)
    b = torch.empty(case.segments, k, n, device="cuda", dtype=case.dtype)
    for matrix in b:
        matrix.normal_()
    entry = {"case": case.name, "tokens": tokens, "top_k": top_k, "segments": case.segments, "n": n, "k": k}
    for variant in cases:
        variant.prepare(a, b, rows, offsets, tokens)
        entry.setdefault("error", []).append(compare(variant, a, b, rows, offsets, False))
    packed = a if case.packed else a[rows]
    ends, balanced = offsets[1:].to(torch.int32), packed[:total // case.segments * case.segments]
    balanced = balanced.view(case.segments, -1, k)
    out = torch.empty(case.segments, balanced.shape[1], n, device="cuda", dtype=case.dtype)
    functions = [lambda: torch._grouped_mm(packed, b, offs=ends), lambda: torch.bmm(balanced, b, out=out)]
    functions += [variant.launch for variant in cases]
    time_flushed(functions, flush, 3)
    times = time_flushed(functions, flush, rounds)
    best = [min(peers) for peers in zip(*times[:2])]
    entry["ms"] = {"torch._grouped_mm": round(statistics.median(times[0]), 4),
                   "bmm, balanced": round(statistics.median(times[1]), 4)}
    for variant, ours in zip(cases, times[2:]):
        label = os.path.basename(variant.name)
        entry["ms"][label] = round(statistics.median(ours), 4)
        entry.setdefault("ratio", {})[label] = round(statistics.median(p / o for p, o in zip(best, ours)), 4)
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="CASE")
    parser.add_argument("--check", action="store_true", help="only check")
    parser.add_argument("--quick", action="store_true", help="check few segments, for slow tools")
    parser.add_argument("--reruns", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--output", help="write all numbers to this JSON file")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.zeros(1, device="cuda")
    driver = run_manifest.Driver()
    flush = None if options.check else torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    results, failures = [], 0
    for name in options.cases:
        directories, _, numbers = name.partition(":")
        try:
            cases = [Case(driver, directory) for directory in directories.split(",")]
            if options.check:
                entry = {"case": name, "error": [check_all(case, options.reruns, options.quick) for case in cases]}
            else:
                tokens, top_k = (int(number) for number in numbers.split(":"))
                entry = measure(cases, tokens, top_k, options.rounds, flush)
        except (RuntimeError, OSError, KeyError, ValueError) as error:
            failures += 1
            entry = {"case": name, "failed": str(error)}
        results.append(entry)
        print(json.dumps(entry), flush=True)
        cases = None
        torch.cuda.empty_cache()
        if "cuCtxSynchronize" in entry.get("failed", "") or "CUDA error" in entry.get("failed", ""):
            break  # the context is lost
    if options.output:
        with open(options.output, "w") as file:
            json.dump(results, file, indent=1)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
