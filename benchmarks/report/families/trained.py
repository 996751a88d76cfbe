# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with ReLU of a model trained for it: bench_feed_forward.py --trained."""
from page import number, percent
from records import entries

RESULTS = ["h200-trained.json"]


def report(contents, layers):
    contents.table("trained", ["tokens", "layer", "activations that are 0", "dead micro-tiles", "torch, ms", "PIT, ms",
                               "over torch"], [
        [str(entry["tokens"]), str(time["layer"]), percent(time["zeros"]), percent(time["dead"]),
         number(time["torch_ms"], 4), number(time["ms"], 4), number(time["ratio"], 2)]
        for entry in entries(layers) for time in entry["times"]])
