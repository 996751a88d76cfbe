# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoder layers of other lengths, padded on the left, or large: bench_encoder.py."""
from page import number, percent
from records import entries

RESULTS = ["h200-encoder-lengths.json"]
PEERS = {"torch, padded": "padded", "padded, compiled": "padded_compiled", "packed by hand": "packed",
         "rows stay packed": "packed_rows"}
LENGTHS = {"mnli": "MNLI", "cola": "CoLA", "qnli": "QNLI", "rte": "RTE", "long": "long documents"}


def label(entry):
    model = "BERT-large" if "large" in entry["case"] else "BERT-base"
    return f"{model}, {entry['batch']} x {entry['length']}, {LENGTHS[entry['lengths']]}, padded on the {entry['pad']}"


def report(contents, encoder):
    contents.table("encoder-lengths", ["whole layer", "live tokens", "PIT", *PEERS], [
        [label(entry), f"{entry['tokens']} ({percent(entry['live'])})", number(entry["ms"]["pit"], 3),
         *[f"{number(entry['ms'][peer], 3)} ({number(entry['speedup'][peer], 2)})" for peer in PEERS.values()]]
        for entry in entries(encoder)])
