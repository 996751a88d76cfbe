# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cost model chooses on a sweep, against all that it could: bench_micro_tiles.py, choose_micro_tiles.py."""
from charts import Lines
from page import number

RESULTS = ["h200-selection.json"]


# What the figure has of what is dead together.
DRAWN = ((1, 1), (1, 64), (8, 1), (32, 1), (32, 64), (128, 128))


def find_points(selection):
    """(granularity, share of dead blocks, chosen, its time, the best time, the dense time) of each point."""
    chosen = {(tuple(choice["granularity"]), choice["zeros"]): choice["chosen"] for choice in selection["choices"]}
    for case in selection["cases"]:
        for time in case["times"]:
            key = tuple(time["granularity"]), time["zeros"]
            times = {name: variant["ms"] for name, variant in time["variants"].items()}
            yield (*key, chosen[key], times[chosen[key]], min(times.values()), times["dense"])


def report(contents, selection):
    points = list(find_points(selection))
    shares = sorted({point[1] for point in points})
    cells = {(granularity, share): f"{name} {number(dense / time, 2)}"
             for granularity, share, name, time, _, dense in points}
    granularities = list(dict.fromkeys(point[0] for point in points))
    contents.table("selection", ["dead together"] + [f"{100 * share:g} % dead" for share in shares], [
        ["{} x {}".format(*granularity)] + [cells[granularity, share] for share in shares]
        for granularity in granularities])
    drawn = [granularity for granularity in DRAWN if granularity in granularities]
    contents.figure("selection", Lines(
        "Micro-tiles that the cost model chooses, on an H200 (4096 x 4096 x 4096, bf16)", "blocks that are dead, %",
        "time of our dense product over that of the choice",
        {"{} x {} dead together".format(*granularity): [(100 * share, dense / time) for found, share, _, time, _, dense in points
                                                        if found == granularity] for granularity in drawn},
        y_logarithmic=True, reference=1))
    slowdowns = [time / dense for *_, time, _, dense in points]
    regrets = [time / best - 1 for *_, time, best, _ in points]
    contents.table("selection-regret", ["points", "slowest, over dense", "mean regret", "largest regret",
                                        "mean speed-up over dense (geometric)"], [[
        str(len(points)), number(max(slowdowns), 3), f"{number(100 * sum(regrets) / len(regrets), 2)} %",
        f"{number(100 * max(regrets), 1)} %",
        number(geometric_mean([1 / slowdown for slowdown in slowdowns]), 2)]])


def geometric_mean(values):
    product = 1.
    for value in values:
        product *= value ** (1 / len(values))
    return product
