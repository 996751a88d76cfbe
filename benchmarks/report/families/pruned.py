# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of layers with pruned weights against torch: benchmarks/training/bench.py."""
from page import number
from records import entries

RESULTS = ["h200-training-pruned.json"]
NAMES = {"pruned-bert-10": "BERT-base, 256 x 128 tokens, 10 % live", "pruned-bert-100": "the same, all live", "pruned-opt-1.3b-10": "OPT-1.3B, 8 x 1024 tokens, 10 % live"}


def time(record):
    return record.get("graph_ms", record.get("ms"))


def report(contents, results):
    contents.table("training-pruned", ["feed-forward layer", "PIT, ms", "torch, ms", "over torch"], [
        [NAMES[entry["case"]], number(time(entry), 3), number(time(entry["peers"]["torch"]), 3), number(time(entry["peers"]["torch"]) / time(entry), 2)]
        for entry in entries(results)])
