# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns that a mask gives, at 200 points: bench_blocks.py."""
import statistics

from charts import Lines
from page import number
from records import entries

RESULTS = ["h200-given.json"]
# What the figure has, from single pieces of rows to large blocks.
DRAWN = ("16x1-given", "32x4-given", "1x64-given", "given", "64x64-given", "128x128-given")
SHOWN = (0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99)


def report(contents, given):
    times = entries(given)[0]["times"]
    shown = [time for time in times if time["zeros"] in SHOWN]
    names = {name: (name.removesuffix("-given") if name != "given" else "32x64").replace("x", " x ")
             for name in times[0]["variants"]}
    contents.table("given", ["micro-tiles"] + [f"{100 * time['zeros']:g} % dead" for time in shown], [
        [text] + [number(time["variants"][name]["ratio"], 2) for time in shown] for name, text in names.items()])
    contents.figure("given", Lines(
        "Products under a mask of micro-tiles on an H200 (4096 x 4096 x 4096, bf16)", "micro-tiles that are dead, %",
        "time of torch's dense product over ours",
        {names[name]: [(100 * time["zeros"], time["variants"][name]["ratio"]) for time in times] for name in DRAWN},
        y_logarithmic=True, reference=1))
    ratios = [variant["ratio"] for time in times for variant in time["variants"].values()]
    contents.table("given-summary", ["points", "slowest, over cuBLAS' time", "points beyond 1.05",
                                     "mean speed-up over cuBLAS (geometric)"], [
        [str(len(ratios)), number(1 / min(ratios), 3), str(sum(1 / ratio > 1.05 for ratio in ratios)),
         number(statistics.geometric_mean(ratios), 2)]])
