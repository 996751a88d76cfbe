# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product written dense under a mask of rows: bench_masked_rows.py."""
from charts import Lines
from page import number, percent
from records import entries

RESULTS = ["h200-masked-rows.json"]


def report(contents, masked):
    found = entries(masked)
    contents.table("masked-rows", ["live rows", "PIT", "torch, dense", "torch, packed", "over dense", "over packed"], [
        [percent(entry["live"])] + [number(entry[key], 3) for key in ("pit_ms", "torch_dense_ms", "torch_packed_ms")] +
        [number(entry[key], 2) for key in ("speedup_over_dense", "speedup_over_packed")] for entry in found])
    names = {"PIT, whole program": "pit_ms", "torch, dense": "torch_dense_ms",
             "torch, packed, given the index": "torch_packed_ms"}
    contents.figure("masked-rows", Lines(
        "A dense program under a mask of rows on an H200 (8192 x 4096 x 4096)", "live rows, %", "time, ms",
        {name: [(entry["live"] * 100, entry[key]) for entry in found] for name, key in names.items()},
        y_from_zero=True))
