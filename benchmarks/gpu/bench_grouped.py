#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of segments compiled by PIT against torch._grouped_mm and balanced torch.bmm (cuBLAS), in one process.

    bench_grouped.py --check [--reruns N] DIRECTORY...
    bench_grouped.py [--output FILE] DIRECTORY[,DIRECTORY...]:TOKENS:TOP_K[:balanced]...

DIRECTORY is a case of build_grouped.py. With --check, each case runs on segments
of many lengths, empty ones too, with data that must come out to the bit (small
integers) and random data compared with f64. The output is filled with NaN before;
rows behind the last one, and those that no segment lists, must keep it. What no
segment owns of the inputs is NaN as well. --reruns repeats one of them, each time
with the same bits.

Without, tokens choose TOP_K segments at random (`balanced`: all segments draw as
many tokens), and times are of one launch each after the L2 cache was overwritten,
alternating between all. `ratio` is the median over rounds of the faster peer's
time over ours: above 1 is faster than both.
Several directories of one case are variants on the same data.
"""
import sys

import torch

import harness
from timing import median_ms, median_ratio, time_flushed
from torch_program import DTYPES, TorchProgram, check_same_bits, tolerance

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
    # Around what last tiles hold beyond others.
    [129, 152, 153, 255, 256, 257, 280, 281, 304, 305, 383, 432, 433, 600],
]


class Case:
    """One compiled product with its data on the device."""

    def __init__(self, driver, directory):
        self.case = harness.read_json(directory)
        self.program = TorchProgram(driver, directory)
        self.name, self.launch = self.program.name, self.program.launch
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
        self.program.prepare(inputs)


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
    allowed = tolerance(case.case)
    if not error <= allowed:
        raise RuntimeError(f"{case.name}: relative error {error}, more than {allowed} ({total} rows)")
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
        check_same_bits(case.name, case.out, case.launch, reruns, fill=float("nan"))
    return max(errors)


def route_balanced(tokens, top_k, segments):
    """As many rows for each segment, drawn at random, as (rows, offsets)."""
    share, rest = divmod(tokens * top_k, segments)
    if rest:
        raise ValueError(f"{tokens} tokens x {top_k} cannot be shared by {segments} segments")
    return distinct_rows([share] * segments, tokens), torch.arange(segments + 1, device="cuda") * share


def measure(cases, tokens, top_k, rounds, flush, balanced=False):
    case = cases[0]
    rows, offsets = (route_balanced if balanced else route)(tokens, top_k, case.segments)
    n, k, total = case.n, case.k, tokens * top_k
    a = torch.randn(total if case.packed else tokens, k, device="cuda", dtype=case.dtype)
    b = torch.empty(case.segments, k, n, device="cuda", dtype=case.dtype)
    for matrix in b:
        matrix.normal_()
    entry = {"case": case.name, "tokens": tokens, "top_k": top_k, "segments": case.segments, "n": n, "k": k}
    if balanced:
        entry["balanced"] = True
    for variant in cases:
        variant.prepare(a, b, rows, offsets, tokens)
        entry.setdefault("error", []).append(compare(variant, a, b, rows, offsets, False))
    packed = a if case.packed else a[rows]
    ends, batches = offsets[1:].to(torch.int32), packed[:total // case.segments * case.segments]
    batches = batches.view(case.segments, -1, k)
    out = torch.empty(case.segments, batches.shape[1], n, device="cuda", dtype=case.dtype)
    functions = [lambda: torch._grouped_mm(packed, b, offs=ends), lambda: torch.bmm(batches, b, out=out)]
    functions += [variant.launch for variant in cases]
    time_flushed(functions, flush, 3)
    times = time_flushed(functions, flush, rounds)
    best = [min(peers) for peers in zip(*times[:2])]
    entry["ms"] = {"torch._grouped_mm": median_ms(times[0]), "bmm, balanced": median_ms(times[1])}
    for variant, ours in zip(cases, times[2:]):
        label = variant.name
        entry["ms"][label] = median_ms(ours)
        entry.setdefault("ratio", {})[label] = median_ratio(best, ours)
    return entry


def main():
    parser = harness.parser(__doc__, rounds=20)
    parser.add_argument("--quick", action="store_true", help="check few segments, for slow tools")
    parser.add_argument("--reruns", type=int, default=0)
    options = parser.parse_args()
    driver, flush = harness.start(), harness.flush_buffer(options)

    def one(name):
        directories, _, numbers = name.partition(":")
        cases = [Case(driver, directory) for directory in directories.split(",")]
        if options.check:
            return {"case": name, "error": [check_all(case, options.reruns, options.quick) for case in cases]}
        tokens, top_k, *how = numbers.split(":")
        if how not in ([], ["balanced"]):
            raise ValueError(f"{name}: no such way to choose segments")
        return measure(cases, int(tokens), int(top_k), options.rounds, flush, bool(how))

    return harness.run(options, options.cases, one, describe=list)


if __name__ == "__main__":
    sys.exit(main())
