# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder layers from the padded program: bench_encoder.py."""
from charts import Ratios
from page import number, percent
from records import entries

RESULTS = ["h200-encoder.json"]
PEERS = {"torch, padded": "padded", "padded, compiled": "padded_compiled", "packed by hand": "packed",
         "rows stay packed": "packed_rows", "rows stay packed, compiled": "packed_rows_compiled"}
PARTS = {"ffn": "feed-forward", "layer": "whole layer"}


def label(entry):
    return f"{PARTS[entry['part']]}, {entry['batch']} x {entry['length']}"


def cell(entry, peer):
    if peer not in entry["ms"]:
        return ""
    return f"{number(entry['ms'][peer], 3)} ({number(entry['speedup'][peer], 2)})"


def report(contents, encoder):
    found = entries(encoder)
    contents.table("encoder", ["program", "live tokens", "launches", "PIT", *PEERS], [
        [label(entry), f"{entry['tokens']} ({percent(entry['live'])})", str(len(entry["launches"])),
         number(entry["ms"]["pit"], 3), *[cell(entry, peer) for peer in PEERS.values()]] for entry in found])
    contents.figure("encoder", Ratios(
        "Encoder layers from the padded program on an H200", "peer's time over ours (right of 1: faster than the peer)",
        [label(entry) for entry in found],
        {name: [entry["speedup"].get(peer) for entry in found] for name, peer in PEERS.items()}))
