# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detections: bench_detect.py --time."""
from charts import Dots
from page import number, percent

RESULTS = ["h200-detect.json"]
# case: what is read, what is listed
ROWS = {
    "k-4096": ("[4096 x 4096] bf16", "32 x 1 strips"),
    "k-16384": ("[16384 x 16384] bf16", "32 x 1 strips"),
    "m-4096": ("[4096 x 4096] bf16", "1 x 64 strips, along m"),
    "blocks-4096": ("[4096 x 4096] bf16", "32 x 64 blocks"),
    "blocks-16384": ("[16384 x 16384] bf16", "32 x 64 blocks"),
    "rows-4096": ("[4096 x 4096] bf16", "rows"),
    "points-4096": ("[4096 x 4096] bf16", "elements"),
    "mask-4096": ("[4096 x 4096] i1", "elements of a mask"),
    "gate-8192": ("[8192 x 256] f32", "tokens of each expert"),
    "gate-dynamic": ("[? x 256] f32, 8192 rows", "tokens of each expert"),
    "lengths-64": ("64 lengths up to 4096", "positions"),
}


def peer(entry):
    """The fastest way of torch, or None where it has none."""
    times = entry["torch_flushed_ms"]
    return min(times.items(), key=lambda item: item[1]) if times else None


def report(contents, detect):
    found = sorted(detect["times"], key=lambda entry: list(ROWS).index(entry["case"]))
    table = []
    for entry in found:
        read, listed = ROWS[entry["case"]]
        # Below a megabyte the rate says nothing.
        rate = number(entry["graph_tb_per_s"], 2) if entry["bytes"] >= 1 << 20 else ""
        name, ms = peer(entry) or ("", None)
        share = percent(entry["density"]) if not entry["case"].startswith(("gate", "lengths")) else ""
        table.append([read, listed, share, f"{entry['live']:,}".replace(",", " "),
                      number(entry["graph_ms"] * 1e3, 1), rate, number(entry["flushed_ms"] * 1e3, 1),
                      f"{number(ms * 1e3, 0)} ({name})" if ms is not None else ""])
    contents.table("detect", ["read", "listed", "live", "listed entries", "graph, µs", "TB/s", "flushed, µs",
                              "torch, flushed, µs"], table)
    labels = [f"{read}, {listed}" for read, listed in (ROWS[entry["case"]] for entry in found)]
    labels = [label + (f", {percent(entry['density'])}" if labels.count(label) > 1 else "")
              for label, entry in zip(labels, found)]
    contents.figure("detect", Dots(
        "Detection on an H200, single launches after the L2 cache was overwritten", "time, µs", labels,
        {"PIT": [entry["flushed_ms"] * 1e3 for entry in found],
         "torch, the fastest way": [peer(entry)[1] * 1e3 if peer(entry) else None for entry in found]}))
