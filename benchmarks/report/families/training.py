# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps against torch: benchmarks/training/bench.py."""
from charts import Ratios
from page import number
from records import entries

RESULTS = ["h200-training-experts.json"]
# Peers in the order of the table, and what they are called there.
PEERS = {"torch": "torch._grouped_mm", "torch-compiled": "the same, torch.compile", "sonicmoe": "SonicMoE", "bmm": "six bare bmm"}
NAMES = {"experts-qwen3-t8192": "Qwen3, 8192 tokens", "experts-mixtral-t4096": "Mixtral, 4096 tokens", "experts-olmoe-t4096": "OLMoE, 4096 tokens",
         "experts-deepseek-t4096": "DeepSeek, 64 experts, 4096 tokens", "experts-small": "6 experts of 136 x 104, 300 tokens"}


def time(record):
    """As a graph, if it could be one."""
    return record.get("graph_ms", record.get("ms"))


def report(contents, results):
    found = [entry for entry in entries(results) if entry["case"] in NAMES]
    peers = [peer for peer in PEERS if any(time(entry["peers"].get(peer, {})) for entry in found)]
    ratios = {peer: [time(entry["peers"][peer]) / time(entry) if time(entry["peers"].get(peer, {})) else None for entry in found] for peer in peers}
    contents.table("training-experts", ["step, ms"] + ["PIT"] + [f"over {PEERS[peer]}" for peer in peers], [
        [NAMES[entry["case"]], number(time(entry), 3)] + [number(ratios[peer][i], 2) if ratios[peer][i] else "not run" for peer in peers] for i, entry in enumerate(found)])
    contents.figure("training-experts", Ratios(
        "Forward and backward of experts on an H200", "time of the peer over PIT's", [NAMES[entry["case"]] for entry in found],
        {PEERS[peer]: ratios[peer] for peer in peers}))
