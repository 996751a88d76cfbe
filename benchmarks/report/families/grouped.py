# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of segments of rows: bench_grouped.py."""
from charts import Ratios
from page import number
from records import entries

RESULTS = ["h200-grouped.json", "h200-grouped-balanced.json"]
VARIANTS = {"fixed order": "", "drawn": "-drawn", "short": "-short-drawn"}
MODELS = ("mixtral", "qwen3", "switch", "deepseek")


def base(entry):
    return "-".join(entry["case"].split("-")[:2])


def put(contents, name, title, data):
    found = sorted(entries(data), key=lambda entry: (MODELS.index(base(entry).split("-")[0]), -entry["tokens"]))
    ratios = {name: [entry["ratio"].get(base(entry) + suffix) for entry in found] for name, suffix in VARIANTS.items()}
    contents.table(name, ["tokens, experts, experts per token, product", *VARIANTS], [
        [f"{entry['tokens']}, {entry['segments']}, {entry['top_k']}: [{entry['k']} x {entry['n']}] ({base(entry)})"] +
        ["" if ratios[variant][i] is None else number(ratios[variant][i], 3) for variant in VARIANTS]
        for i, entry in enumerate(found)])
    contents.figure(name, Ratios(
        title, "time of the faster of torch._grouped_mm and balanced torch.bmm over ours",
        [f"{base(entry)}, {entry['tokens']} tokens" for entry in found], ratios))


def report(contents, grouped, balanced):
    put(contents, "grouped", "Segments of rows on an H200", grouped)
    put(contents, "grouped-balanced", "Segments of as many rows each on an H200", balanced)
