# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products against torch.matmul: bench_matmul.py."""
import statistics

from charts import Ratios
from page import span
from records import by_case, values

RESULTS = ["h200-matmul.json", "h200-matmul-gathered.json"]
# case, what the page calls it, how the figure does
ROWS = [
    ("dense-4096:4096", "4096 x 4096 x 4096", "4096"),
    ("dense-8192:8192", "8192 x 8192 x 8192", "8192"),
    ("plain-4096:4096", "4096, no warpgroup that only loads", "4096, unspecialised"),
    ("dense-4096-nk:4096", "4096, B stored [n, k]", "4096, B [n, k]"),
    ("dense-4096-km:4096", "4096, A stored [k, m]", "4096, A [k, m]"),
    ("dense-4096-f16:4096", "4096, f16", "4096, f16"),
    ("dense-4096-f32:4096", "4096, f32 output (cuBLAS: bf16 output)", "4096, f32 output"),
    ("rows-4096:1991", "1991 x 4096 x 4096, rows dynamic", "1991 rows, dynamic"),
    ("gathered-4096:4096", "4096, random rows of A gathered, C scattered (cuBLAS: dense)", "4096, gathered"),
    ("gathered-4096-nk:4096", "the same, B stored [n, k]", "4096, gathered, B [n, k]"),
    ("gathered-8192:8192", "8192, gathered and scattered", "8192, gathered"),
    ("gathered-4096:1991", "1991 x 4096 x 4096, gathered and scattered", "1991 rows, gathered"),
]


def product_rows(found, rows):
    return [[label, span(values(found[case], "flushed", "ratio"), 3), span(values(found[case], "burst", "ratio"), 3),
             span(values(found[case], "burst", "tflops"), 0)] for case, label, _ in rows]


def product_chart(title, found, rows):
    return Ratios(title, "cuBLAS' time over ours (right of 1: faster than cuBLAS)", [label for _, _, label in rows],
                  {name: [statistics.median(values(found[case], name, "ratio")) for case, _, _ in rows]
                   for name in ("flushed", "burst")})


HEADER = ["product, bf16 unless said", "flushed", "burst", "TFLOP/s in bursts"]


def report(contents, matmul, gathered):
    found = by_case(matmul + gathered)
    rows = [row for row in ROWS if row[0] in found]
    contents.table("matmul", HEADER, product_rows(found, rows))
    contents.figure("matmul", product_chart("Matrix products on an H200 against torch.matmul", found, rows))
