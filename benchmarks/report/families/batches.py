# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batched products against torch.bmm, or torch.matmul where batches share B: bench_matmul.py."""
from page import number
from records import entries

RESULTS = ["h100-batches.json"]


def report(contents, batched):
    rows = []
    for entry in entries(batched):
        name, _, m = entry["case"].partition(":")
        flushed = entry["flushed"]
        kind = ", B [n, k]" if name.endswith("-nk") else ", one B" if "shared" in name else ""
        rows.append([f"{entry['batch']} of {m} x {entry['n']} x {entry['k']}{kind}", number(flushed["ms"], 4),
                     number(flushed["tflops"], 0),
                     *(number(entry[how]["ratio"], 3) for how in ("flushed", "burst", "sustained"))])
    contents.table("batched", ["products, m x n x k", "ms", "TFLOP/s", "over torch", "in bursts", "sustained"], rows)
