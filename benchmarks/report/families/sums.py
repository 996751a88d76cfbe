# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of experts' rows: bench_sums.py."""
from charts import Dots
from page import number
from records import by_case

RESULTS = ["h200-sums.json"]
ROWS = ("qwen3", "qwen3-f32", "mixtral", "mixtral-f32", "switch", "deepseek")
TYPES = {"bfloat16": "bf16", "float32": "f32"}


def report(contents, sums):
    found = [by_case(sums)[case][0] for case in ROWS]
    contents.table("sums", ["tokens, experts, experts per token, columns, rows", "sum", "TB/s", "gather", "index_add",
                            "invert"], [
        [f"{', '.join(str(entry[key]) for key in ('tokens', 'experts', 'top_k', 'columns'))}, "
         f"{TYPES[entry['rows']]} ({entry['case'].removesuffix('-f32')})", number(entry["ms"]["sum"], 4),
         number(entry["sum_TB_per_s"], 2), number(entry["ms"]["gather, bmm"], 3), number(entry["ms"]["index_add"], 3),
         number(entry["ms"]["invert"], 4) if "invert" in entry["ms"] else ""] for entry in found])
    names = {"PIT, sum": "sum", "PIT, inverting the index": "invert", "torch: gather, bmm": "gather, bmm",
             "torch: index_add": "index_add"}
    contents.figure("sums", Dots(
        "Sums of experts' rows on an H200", "time, ms", [f"{entry['case'].removesuffix('-f32')}, {TYPES[entry['rows']]}"
                                                         for entry in found],
        {name: [entry["ms"].get(key) for entry in found] for name, key in names.items()}))
