# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One case or two of each family on an H100, over the same peer as on the H200."""
from page import number
from records import entries

NAMES = ["matmul", "grouped", "moe", "blocks", "encoder", "models"]
RESULTS = [f"{card}-{name}.json" for card in ("h100", "h200") for name in NAMES]


def at(zeros, variant):
    def find(entry):
        return next(time["variants"][variant]["ratio"] for time in entry["times"] if time["zeros"] == zeros)
    return find


# What it is and over what, by file and case, with where its ratio is.
ROWS = [
    ("dense 4096, over cuBLAS", "matmul", "dense-4096:4096", lambda entry: entry["flushed"]["ratio"]),
    ("dense 8192, over cuBLAS", "matmul", "dense-8192:8192", lambda entry: entry["flushed"]["ratio"]),
    ("gathered rows 4096, over cuBLAS without a gather", "matmul", "gathered-4096:4096",
     lambda entry: entry["flushed"]["ratio"]),
    ("grouped GEMM, Mixtral up, over balanced bmm", "grouped", "mixtral-up", lambda entry: entry["ratio"]["mixtral-up"]),
    ("grouped GEMM, Qwen3 up, tiles drawn, over balanced bmm", "grouped", "qwen3-up",
     lambda entry: entry["ratio"]["qwen3-up-drawn"]),
    ("layer of experts, Qwen3 8192 tokens, over two bare bmm", "moe", "qwen3",
     lambda entry: entry["variants"]["qwen3"]["over_bmm"]),
    ("layer of experts, Mixtral 4096 tokens, over two bare bmm", "moe", "mixtral",
     lambda entry: entry["variants"]["mixtral"]["over_bmm"]),
    *((f"live blocks 32x64, {zeros:.0%} zeros, over dense cuBLAS", "blocks", "32x64", at(zeros, "32x64"))
      for zeros in (0, .5, .9)),
    ("encoder layer 32x128, over torch packed", "encoder", "layer-32x128",
     lambda entry: entry["ms"]["packed"] / entry["ms"]["pit"]),
    ("BERT base 32x128, over torch packed", "models", "bert-base-32x128",
     lambda entry: entry["ms"]["packed"] / entry["ms"]["pit"]),
    ("Switch 64x128, over torch packed", "models", "switch-64x128",
     lambda entry: entry["ms"]["packed"] / entry["ms"]["pit"]),
]


def report(contents, *files):
    found = dict(zip(RESULTS, files))
    rows = []
    for label, name, case, ratio in ROWS:
        ratios = [next(ratio(entry) for entry in entries(found[f"{card}-{name}.json"]) if entry["case"] == case)
                  for card in ("h100", "h200")]
        rows.append([label, *(number(value, 3) for value in ratios)])
    contents.table("h100-families", ["what, over its peer in the same process", "H100", "H200"], rows)
