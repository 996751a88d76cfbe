# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense programs of all kinds on one thread of a CPU against torch: benchmarks/ordinary/bench_cpu.py."""
from charts import Lines
from families.ordinary import MOST, mean, ratio
from page import number
from records import entries

RESULTS = ["cpu-ordinary.json"]
SIZES = ("small", "odd")


def report(contents, results):
    timed = sorted((entry for entry in entries(results) if "ms" in entry), key=ratio)
    sizes = {size: [entry for entry in timed if entry["case"].endswith(":" + size)] for size in SIZES}
    contents.table("ordinary-cpu-sizes", ["size", "programs", "over torch, geometric mean", "least", "below .50"], [
        [size, str(len(found)), number(mean([ratio(entry) for entry in found]), 3),
         f"{number(ratio(found[0]), 3)} ({found[0]['case'].partition(':')[0]})", str(sum(ratio(entry) < .5 for entry in found))]
        for size, found in sizes.items()])
    contents.table("ordinary-cpu", ["program", "ms", "ms, torch", "over torch"], [
        [entry["case"], number(entry["ms"], 4), number(entry["peers"]["torch"]["ms"], 4), number(ratio(entry), 3)] for entry in timed[:MOST]])
    contents.figure("ordinary-cpu", Lines(
        "Ordinary dense programs on one thread of a CPU, from the slowest to the fastest", "share of the programs, %", "time of torch over ours",
        {size: [(100 * (i + 1) / len(found), ratio(entry)) for i, entry in enumerate(found)] for size, found in sizes.items()},
        y_logarithmic=True, reference=1))
