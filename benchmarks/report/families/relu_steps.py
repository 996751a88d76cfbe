# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of feed-forward layers with ReLU against torch: benchmarks/training/bench.py."""
from page import number
from records import entries

RESULTS = ["h200-training-relu.json"]
LAYERS = {"opt-1.3b": "OPT-1.3B, 4096 tokens", "opt-125m": "OPT-125M, 8192 tokens"}


def name_of(case):
    layer, dead = case.removeprefix("relu-").rsplit("-", 1)
    return f"{LAYERS[layer]}, {dead} % dead"


def time(record):
    return record.get("graph_ms", record.get("ms"))


def report(contents, results):
    contents.table("training-relu", ["feed-forward layer", "PIT, ms", "torch, ms", "over torch", "over torch.compile"], [
        [name_of(entry["case"]), number(time(entry), 3), number(time(entry["peers"]["torch"]), 3),
         *(number(time(entry["peers"][peer]) / time(entry), 2) for peer in ("torch", "torch-compiled"))] for entry in entries(results)])
