# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of experts need beside arguments and results: measure_workspace.py."""
from families.moe import NAMES
from page import number
from records import entries

RESULTS = ["moe-memory.json"]


def report(contents, memory):
    contents.table("moe-memory", ["model", "tokens", "workspace, MiB", "rows that are routed, MiB",
                                  "tokens x experts x hidden in f32, MiB"], [
        [NAMES[entry["case"].removesuffix("-short")], str(entry["tokens"]),
         *(number(entry[key] / 2 ** 20, 0) for key in ("workspace", "routed", "dense"))] for entry in entries(memory)])
