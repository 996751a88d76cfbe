# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several layers as one dense program: bench_models.py."""
from charts import Ratios
from page import number, percent
from records import entries

RESULTS = ["h200-models.json"]
PEERS = {"torch, eager": "eager", "graph": "padded", "compiled": "compiled", "packed by hand": "packed"}
NAMES = {"bert-base": "BERT-base", "bert-large": "BERT-large", "opt-1.3b": "OPT-1.3B", "opt-13b": "OPT-13B",
         "opt-30b": "OPT-30B", "switch": "Switch-base-128"}


def label(entry):
    name = next(text for prefix, text in sorted(NAMES.items(), reverse=True) if entry["case"].startswith(prefix))
    zeros = ", zeros skipped" if entry["case"].endswith("-relu") else ""
    return f"{name}, {entry['layers']} layers, {entry['batch']} x {entry['length']}{zeros}"


def report(contents, models):
    found = entries(models)

    def cell(entry, peer):
        if peer not in entry["ms_per_layer"]:
            return ""
        return f"{number(entry['ms_per_layer'][peer], 3)} ({number(entry['speedup'][peer], 2)})"

    contents.table("models", ["program", "live tokens", "launches", "PIT", *PEERS], [
        [label(entry), f"{entry['tokens']} ({percent(entry['live'])})", str(entry["launches"]),
         number(entry["ms_per_layer"]["pit"], 3), *[cell(entry, peer) for peer in PEERS.values()]] for entry in found])
    contents.table("models-memory", ["program", "error", "torch's error", "PIT, MiB", "torch, eager", "compiled",
                                     "packed by hand"], [
        [label(entry), f"{entry['relative_error']:.1e}", f"{entry['torch_relative_error']:.1e}",
         *[number(entry["memory_mib"][name], 0) if name in entry["memory_mib"] else ""
           for name in ("pit", "eager", "compiled", "packed")]] for entry in found])
    contents.figure("models", Ratios(
        "Layers of one dense program on an H200", "peer's time over ours (right of 1: faster than the peer)",
        [label(entry) for entry in found],
        {name: [entry["speedup"].get(peer) for entry in found] for name, peer in PEERS.items()}))
