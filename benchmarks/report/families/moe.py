# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts from dense programs: bench_moe.py."""
from charts import Ratios, Stacks
from page import number
from records import entries

RESULTS = ["h200-moe.json", "h200-moe-alone.json"]
NAMES = {"mixtral": "Mixtral-8x7B", "qwen3": "Qwen3-30B-A3B", "deepseek": "DeepSeek-V3", "olmoe": "OLMoE",
         "switch": "Switch-base-128", "switch-64": "Switch-base-64", "switch-256": "Switch-base-256",
         "swin": "Swin-MoE-B, stage 3"}
# What a launch is for, by a part of its name; all others find tokens, and make and invert the index.
PARTS = {"products": "contraction", "weighted sum": "sum"}


def fastest(entry):
    """(name, numbers) of the variant that is fastest as a graph."""
    return min(entry["variants"].items(), key=lambda item: item[1]["graph_ms"])


def label(entry):
    name = fastest(entry)[0]
    short = ", short" if name.endswith("-short") else ""
    return NAMES[entry["case"].removesuffix("-short")], f"{entry['tokens']}{short}"


def order(entry):
    return list(NAMES).index(entry["case"].removesuffix("-short")), -entry["tokens"]


def rows(found):
    table = []
    for entry in found:
        _, variant = fastest(entry)
        table.append([*label(entry), number(variant["graph_ms"], 3), number(entry["bmm_ms"], 3),
                      number(entry["layer_ms"], 2), number(variant["over_bmm"], 3), number(variant["over_layer"], 2)])
    return table


def parts(found):
    """Milliseconds of each part, per entry."""
    times = {name: [] for name in [*PARTS, "index"]}
    for entry in found:
        total = dict.fromkeys(times, 0.)
        for kernel, ms in fastest(entry)[1]["kernels_ms"].items():
            total[next((name for name, part in PARTS.items() if part in kernel), "index")] += ms
        for name, ms in total.items():
            times[name].append(ms)
    return times


def report(contents, moe, alone):
    contents.table("moe-alone", ["model", "tokens", "PIT", "bmm", "over bmm"], [
        [*label(entry), number(fastest(entry)[1]["graph_ms"], 3), number(entry["bmm_ms"], 3),
         number(fastest(entry)[1]["over_bmm"], 3)] for entry in sorted(entries(alone), key=order)])
    real = sorted((entry for entry in entries(moe) if entry["case"].removesuffix("-short") in NAMES), key=order)
    uniform, zipf = ([entry for entry in real if entry["zipf"] is skewed] for skewed in (False, True))
    header = ["model", "tokens", "PIT", "bmm", "layer", "over bmm", "over layer"]
    contents.table("moe", header, rows(uniform))
    contents.table("moe-zipf", header, rows(zipf))
    labels = [", ".join(label(entry)) for entry in uniform]
    contents.figure("moe", Ratios(
        "Mixtures of experts on an H200, from dense programs",
        "peer's time over ours (right of 1: faster than the peer)", labels, {
            "over two bare balanced torch.bmm": [fastest(entry)[1]["over_bmm"] for entry in uniform],
            "over torch's own layer": [fastest(entry)[1]["over_layer"] for entry in uniform]}))
    shares = {name: [ms / total * 100 for ms, total in zip(times, map(sum, zip(*parts(uniform).values())))]
              for name, times in parts(uniform).items()}
    contents.figure("moe-parts", Stacks(
        "Where the time of a mixture of experts goes, launched one by one",
        "share of the sum of the launches' times, gaps included, %", labels, shares))
