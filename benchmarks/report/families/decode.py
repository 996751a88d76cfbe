# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of few rows: bench_matmul.py --copy on its decode- cases."""
from charts import Lines
from page import number
from records import by_case

RESULTS = ["h200-decode.json"]
ROWS, SIZES = (1, 2, 16, 32, 64, 128, 256, 512), (4096, 14336)


def report(contents, decode):
    found = by_case(decode)
    lines, table = {}, []
    for size in SIZES:
        for m in ROWS:
            entries = [found[f"decode-{m}-{size}{suffix}:{m}"][0] for suffix in ("", "-nk")]
            row = [f"{m}, {size}"]
            for entry, layout in zip(entries, ("[k, n]", "[n, k]")):
                row += [number(entry["flushed"]["ms"] * 1e3, 1), number(entry["flushed"]["ratio"], 2),
                        number(entry["burst"]["ratio"], 2)]
                lines.setdefault(f"n = {size}, B {layout}", []).append((m, entry["flushed"]["ratio"]))
            table.append(row + [number(entries[0]["copy_ms"] * 1e3, 1)])
    columns = ["over cuBLAS", "in bursts"]
    contents.table("decode", ["m, n", "[k, n], µs", *columns, "[n, k], µs", *columns, "copy, µs"], table)
    contents.figure("decode", Lines(
        "Products of few rows on an H200 against torch.matmul, flushed", "rows of A, m",
        "cuBLAS' time over ours\n(above 1: faster than cuBLAS)", lines, x_logarithmic=True, reference=1,
        x_ticks=list(ROWS)))
