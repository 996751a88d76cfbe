# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention against kernels that were written by hand: benchmarks/attention/bench_gradients.py."""
from charts import Dots
from page import number
from records import entries

# FA4 has a process of its own for each of its two forms, beside which PIT was timed again.
RESULTS = ["h100-attention-backward.json", "h100-attention-backward-fa4.json", "h200-attention-gradients.json"]
PEERS = {"sdpa-cudnn": "cuDNN", "sdpa-flash": "FA2"}
# Biases have gradients in one of torch's kernels alone.
MORE = {**PEERS, "sdpa-efficient": "torch's other kernel"}
FA4 = {"fa4": "FA4 over PIT", "fa4-deterministic": "FA4, deterministic, over PIT"}


def report(contents, results, with_fa4, of_more):
    fa4 = {entry["case"]: entry["peers"] for entry in entries(with_fa4)}
    rows, ours, best = [], [], []
    for entry in entries(results):
        times = {name: peer["ms"] for name, peer in entry["peers"].items() if "ms" in peer}
        others = fa4.get(entry["case"], {})
        ours.append(entry["ms"])
        best.append(min(times.values()))
        rows.append([entry["case"].removeprefix("backward:"), number(entry["ms"], 3), *(number(times[name], 3) if name in times else "" for name in PEERS),
                     number(min(times.values()) / entry["ms"], 2),
                     *(number(others[name]["ms"] / others[name]["pit_ms"], 2) if name in others else "" for name in FA4)])
    contents.table("attention-backward", ["backward of", "ms", *PEERS.values(), "over the fastest of these", *FA4.values()], rows)
    contents.figure("attention-backward", Dots(
        "Backward of attention on an H100, written dense, against hand-written kernels", "ms", [row[0] for row in rows],
        {"PIT": ours, "the faster of cuDNN and FA2": best}))
    rows = []
    for entry in entries(of_more):
        times = {name: peer["ms"] for name, peer in entry["peers"].items() if "ms" in peer}
        rows.append([entry["case"].removeprefix("backward:"), number(entry["ms"], 3), *(number(times[name], 3) if name in times else "" for name in MORE),
                     number(min(times.values()) / entry["ms"], 2)])
    contents.table("attention-gradients", ["backward of", "ms", *MORE.values(), "over the fastest of these"], rows)
