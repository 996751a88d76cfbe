# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models trained by PIT and by torch: benchmarks/training/losses.py."""
from charts import Lines
from page import number
from records import entries

RESULTS = ["cpu-losses.json"]
NAMES = {"opt": "OPT, sequences of a third of the length", "switch": "Switch, 8 experts", "pruned": "encoder, 10 % of the blocks of weights"}


def draw(contents, results, name, title):
    """The table and the figure of that name."""
    found = list(entries(results))
    contents.table(name, ["model", "steps", "last 50 losses, PIT", "torch", "f64", "largest distance from f64, PIT", "torch", "ms a step, PIT", "torch", "over torch"], [
        [NAMES[entry["case"]], str(entry["steps"])] + [number(entry["last_50"][key], 4) for key in ("pit", "torch", "f64")] +
        [f"{entry['apart_from_f64'][key]:.0e}" for key in ("pit", "torch")] +
        [number(entry["ms"], 1), number(entry["peers"]["torch"]["ms"], 1), number(entry["peers"]["torch"]["ms"] / entry["ms"], 2)] for entry in found])
    contents.figure(name, Lines(
        title, "step", "loss",
        {f"{NAMES[entry['case']].partition(',')[0]}, {by}": [(entry["each"] * (i + 1), loss) for i, loss in enumerate(entry["losses"][key])]
         for entry in found for key, by in (("pit", "PIT"), ("torch", "torch"))}))


def report(contents, results):
    draw(contents, results, "losses", "Loss of small models, means of ten steps")
