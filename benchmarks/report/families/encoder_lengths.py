# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder layers of other lengths, padded on the left, or large: bench_encoder.py."""
from families.encoder import PEERS, cell
from page import number, percent
from records import entries

RESULTS = ["h200-encoder-lengths.json"]
LENGTHS = {"mnli": "MNLI", "cola": "CoLA", "qnli": "QNLI", "rte": "RTE", "long": "long documents"}


def label(entry):
    model = "BERT-large" if "large" in entry["case"] else "BERT-base"
    return f"{model}, {entry['batch']} x {entry['length']}, {LENGTHS[entry['lengths']]}, padded on the {entry['pad']}"


def report(contents, encoder):
    found = entries(encoder)
    # Of whole layers, not all peers were measured.
    peers = {name: peer for name, peer in PEERS.items() if any(peer in entry["ms"] for entry in found)}
    contents.table("encoder-lengths", ["whole layer", "live tokens", "PIT", *peers], [
        [label(entry), f"{entry['tokens']} ({percent(entry['live'])})", number(entry["ms"]["pit"], 3),
         *[cell(entry, peer) for peer in peers.values()]] for entry in found])
