# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The six results of README.md, each with the command that repeats it."""
import statistics

from families import peers
from families.overview import spread
from page import number
from records import entries

RESULTS = ["h200-moe.json", "h200-peers-moe.json", "h200-encoder.json", "h200-blocks.json", "h100-attention.json",
           "cpu-examples.json"]
DEAD = .9
EXAMPLE = "examples/torch/moe_gate_arg.mlir"


def on_gpu(name):
    return f"`benchmarks/gpu/run_all.py OUT RESULTS {name}`"


def report(contents, moe, runnable, encoder, blocks, attention, cpu):
    eager = [min(entry["variants"].values(), key=lambda variant: variant["graph_ms"])["over_layer"]
             for entry in entries(moe) if entry["zipf"] is False]
    best = [peers.best_ratio(entry) for entry in peers.with_zipf(runnable, False)]
    layers = [entry["speedup"]["padded"] for entry in entries(encoder) if entry["part"] == "layer"]
    times = next(entry["times"] for entry in entries(blocks) if "32x64" in entry["times"][0]["variants"])
    product, = (time["variants"]["32x64"]["ratio"] for time in times if time["zeros"] == DEAD)
    masked = [min(peer["ms"] for peer in entry["peers"].values() if "ms" in peer) / entry["ms"]
              for entry in entries(attention) if entry["case"].startswith("blocks:")]
    example, = (entry for entry in entries(cpu) if entry["program"] == EXAMPLE and entry["group"] == "examples")
    contents.table("highlights", ["what", "speedup", "command"], [
        [f"mixture-of-experts layer, {len(eager)} cases, over torch (H200; geometric mean)",
         number(statistics.geometric_mean(eager), 2), on_gpu("moe")],
        [f"the same, {len(best)} cases, over the fastest of six peers", number(statistics.geometric_mean(best), 2),
         on_gpu("peers-moe")],
        ["padded BERT-base layer, a third live, over torch (H200)", spread(layers), on_gpu("encoder")],
        ["matmul, 90 % of its 32 x 64 blocks zero, over dense cuBLAS (H200)", number(product, 2), on_gpu("blocks")],
        ["attention, its mask of blocks as data, 11 to 50 % live, over FlexAttention (H100)", spread(masked),
         "`benchmarks/attention/build.py`, `bench.py`"],
        ["mixture of experts in f32, over its dense program (one CPU core)", number(example["ratio"], 2),
         f"`pit-run {EXAMPLE} {' '.join(example['arguments'])}`"]])
