# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of experts on two GPUs: benchmarks/parallel/bench.py."""
from page import number
from records import entries

RESULTS = ["h200-parallel.json"]


def report(contents, results):
    pushes = [entry for entry in entries(results) if entry["case"].startswith("push-")]
    contents.table("parallel-transport", ["rows pushed to the other GPU", "GB/s", "NCCL, all-gather, GB/s"], [
        [entry["case"].removeprefix("push-").replace("-mib", " MiB"), number(entry["gb_s"], 0), number(entry["peers"]["nccl-all-gather"]["gb_s"], 0)]
        for entry in pushes])
    contents.table("parallel", ["layer, tokens of both", "ms", "over one GPU", "over torch, all_to_all and _grouped_mm"], [
        [entry["case"], number(entry["ms"], 3), *(number(entry["peers"][peer]["ms"] / entry["ms"], 2) for peer in ("one-gpu", "torch"))]
        for entry in entries(results) if entry not in pushes])
