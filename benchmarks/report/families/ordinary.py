# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense programs of all kinds against torch, eager and compiled: benchmarks/ordinary/bench.py."""
import math

from charts import Lines
from page import number
from records import entries

RESULTS = ["h200-ordinary.json"]
SIZES = ("large", "small", "odd")
# Rows of the table: the slowest ones.
MOST = 60


def ratio(entry, peer="torch"):
    return entry["peers"][peer]["ms"] / entry["ms"]


def mean(ratios):
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def report(contents, results):
    timed = [entry for entry in entries(results) if "ms" in entry]
    sizes = {size: sorted((entry for entry in timed if entry["case"].endswith(":" + size)), key=ratio) for size in SIZES}
    rows = [[entry["case"].partition(":")[0], number(entry["ms"], 4), number(entry["peers"]["torch"]["ms"], 4),
             number(ratio(entry), 3), number(ratio(entry, "torch.compile"), 3) if "torch.compile" in entry["peers"] else "not run"]
            for entry in sizes["large"][:MOST]]
    contents.table("ordinary", ["program, large", "ms", "ms, torch", "over torch", "over torch.compile"], rows)
    rows = [[size, str(len(found)), number(mean([ratio(entry) for entry in found]), 3),
             f"{number(ratio(found[0]), 3)} ({found[0]['case'].partition(':')[0]})",
             str(sum(ratio(entry) < .8 for entry in found))] for size, found in sizes.items() if found]
    contents.table("ordinary-sizes", ["size", "programs", "over torch, geometric mean", "least", "below .80"], rows)
    contents.figure("ordinary", Lines(
        "Ordinary dense programs on an H200, from the slowest to the fastest", "share of the programs, %", "time of torch over ours",
        {size: [(100 * (i + 1) / len(found), ratio(entry)) for i, entry in enumerate(found)] for size, found in sizes.items() if found},
        y_logarithmic=True, reference=1))
