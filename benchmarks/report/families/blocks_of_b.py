# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A dense matrix times one with dead micro-tiles: bench_blocks.py; outputs of which blocks are sampled (SDDMM): bench_sampled.py."""
from page import number
from records import entries

RESULTS = ["h200-blocks-of-b.json", "h200-sampled.json"]
NAMES = {"b-32x64": "32 x 64, B stored [k, n]", "bt-32x64": "32 x 64, B stored [n, k]", "32x64": "32 x 64, of A",
         "b-given": "32 x 64, bits given, B stored [k, n]", "bt-given": "32 x 64, bits given, B stored [n, k]",
         "given": "32 x 64, bits given, of A", "b-64x64": "64 x 64, B stored [k, n]",
         "b-128x64": "128 x 64, B stored [k, n]", "km-32x64": "32 x 64, of A stored [k, m]"}
BLOCKS = {"128x256": "128 x 256", "128x128": "128 x 128", "128x64": "128 x 64", "64x256": "64 x 256", "64x128": "64 x 128", "64x64": "64 x 64"}


def table(contents, name, head, rows):
    """Rows are (name, {share that is dead: (ms, ratio)})."""
    shares = sorted({share for _, found in rows for share in found})
    contents.table(name, [head] + [f"{100 * share:g} % dead" for share in shares], [
        [row] + [f"{number(found[share][0], 4)} ({number(found[share][1], 2)})" if share in found else ""
                 for share in shares] for row, found in rows])


def report(contents, of_b, sampled):
    times = {name: {} for name in NAMES}
    for entry in entries(of_b):
        for time in entry["times"]:
            for name, variant in time["variants"].items():
                times[name][time["zeros"]] = (variant["ms"], variant["ratio"])
    table(contents, "blocks-of-b", "micro-tiles", [(NAMES[name], found) for name, found in times.items()])
    times = {entry["case"]: {time["zeros"]: (time["ms"], time["ratio"]) for time in entry["times"]}
             for entry in entries(sampled)}
    table(contents, "sampled", "blocks", [(text, times[name]) for name, text in BLOCKS.items()])
