# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention written dense against kernels that were written by hand: benchmarks/attention/bench.py."""
from page import number
from records import entries

RESULTS = ["h100-attention.json"]
PEERS = {"sdpa-cudnn": "cuDNN", "fa4": "FA4", "flex": "FlexAttention", "sdpa-flash": "FA2"}


def report(contents, results):
    rows = []
    for entry in entries(results):
        if "ms" not in entry:
            continue
        times = {name: peer["ms"] for name, peer in entry["peers"].items() if "ms" in peer}
        best = min(times.values())
        rows.append([entry["case"], number(entry["ms"], 4), *(number(times[name], 4) if name in times else "" for name in PEERS),
                     number(best / entry["ms"], 3)])
    contents.table("attention", ["program", "ms", *PEERS.values(), "over the fastest"], rows)
