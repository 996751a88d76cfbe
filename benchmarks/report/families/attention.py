# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention written dense against kernels that were written by hand: benchmarks/attention/bench.py."""
from charts import Dots
from page import number
from records import entries

# FA4 has a process of its own: FlexAttention does not run beside it.
RESULTS = ["h100-attention.json", "h100-attention-fa4.json", "h200-attention-decode.json", "h200-attention.json"]
PEERS = {"sdpa-cudnn": "cuDNN", "flex": "FlexAttention", "sdpa-flash": "FA2"}


def tabulate(contents, name, results):
    rows = []
    for entry in entries(results):
        times = {name: peer["ms"] for name, peer in entry["peers"].items() if "ms" in peer}
        rows.append([entry["case"], number(entry["ms"], 4), *(number(times[name], 4) if name in times else "" for name in ("sdpa-cudnn", "sdpa-flash")),
                     number(min(times.values()) / entry["ms"], 3)])
    contents.table(name, ["program", "ms", "cuDNN", "FA2", "over the fastest of these"], rows)


def report(contents, results, with_fa4, decode, on_h200):
    tabulate(contents, "attention-decode", decode)
    tabulate(contents, "attention-h200", on_h200)
    fa4 = {entry["case"]: entry for entry in entries(with_fa4)}
    rows, ours, best = [], [], []
    for entry in entries(results):
        times = {name: peer["ms"] for name, peer in entry["peers"].items() if "ms" in peer}
        other = fa4.get(entry["case"])
        ours.append(entry["ms"])
        best.append(min(times.values()))
        rows.append([entry["case"], number(entry["ms"], 4), *(number(times[name], 4) if name in times else "" for name in PEERS),
                     number(min(times.values()) / entry["ms"], 3),
                     *([number(other["peers"]["fa4"]["ms"], 4), number(other["peers"]["fa4"]["ms"] / other["ms"], 3)]
                       if other else ["", ""])])
    contents.table("attention", ["program", "ms", *PEERS.values(), "over the fastest of these", "FA4", "over FA4"], rows)
    contents.figure("attention", Dots(
        "Attention on an H100, written dense, against hand-written kernels", "ms", [row[0] for row in rows],
        {"PIT": ours, "the fastest of cuDNN, FlexAttention and FA2": best}))
