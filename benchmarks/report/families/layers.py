# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of decoder layers against torch: benchmarks/training/bench.py."""
from page import number
from records import entries

RESULTS = ["h200-training-layers.json"]
NAMES = {"layer-opt-125m": "OPT-125M, 8 x 1024", "layer-opt-1.3b": "OPT-1.3B, 4 x 1024", "layer-opt-125m-lengths": "OPT-125M, 8 x 1024, a quarter live",
         "layer-opt-1.3b-lengths": "OPT-1.3B, 4 x 1024, a quarter live", "layer-small": "96 wide, 2 x 200"}


def time(record):
    return record.get("graph_ms", record.get("ms"))


def report(contents, results):
    contents.table("training-layers", ["layer", "PIT, ms", "over torch", "over torch.compile"], [
        [NAMES[entry["case"]], number(time(entry), 3), *(number(time(entry["peers"][peer]) / time(entry), 2) for peer in ("torch", "torch-compiled"))] for entry in entries(results)])
