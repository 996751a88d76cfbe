# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts from one token to many: bench_moe.py."""
import statistics

from charts import Lines
from families.moe import NAMES, fastest
from page import number
from records import entries

RESULTS = ["h200-moe-tokens.json"]


def report(contents, by_tokens):
    found = {(entry["case"], entry["tokens"]): entry for entry in entries(by_tokens)}
    models = [name for name in NAMES if any(case == name for case, _ in found)]
    tokens = sorted({count for _, count in found})

    def cell(model, count):
        _, variant = fastest(found[model, count])
        digits = 3 if variant["graph_ms"] < 1 else 2
        return (f"{number(variant['graph_ms'], digits)} ({number(variant['over_layer'], 1)}, "
                f"{number(variant['over_bmm'], 2)})")

    means = [number(statistics.geometric_mean(fastest(found[model, count])[1]["over_layer"] for model in models), 2)
             for count in tokens]
    contents.table("moe-tokens", ["model", *(f"{count} token{'s' if count > 1 else ''}" for count in tokens)], [
        *([NAMES[model], *(cell(model, count) for count in tokens)] for model in models),
        ["geometric mean over *layer*", *means]])
    contents.figure("moe-tokens", Lines(
        "Mixtures of experts on an H200, by tokens", "tokens", "torch's own layer's time over ours",
        {NAMES[model]: [(count, fastest(found[model, count])[1]["over_layer"]) for count in tokens] for model in models},
        x_logarithmic=True, y_logarithmic=True, reference=1.0, x_ticks=tokens))
