# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many bytes the L2 cache fetches at a time: cases and their copies by set_promotion.py, in the same rounds."""
from page import number

RESULTS = ["h200-l2-promotion.json"]
COPY = "@128"


def pairs(numbers):
    """(name, value, the copy's value) of each variant that has a copy."""
    return [(name, value, numbers[name + COPY]) for name, value in numbers.items() if name + COPY in numbers]


def report(contents, results):
    rows = []
    for entry in results["experts, alone"]:
        ratios = {name: variant["over_bmm"] for name, variant in entry["variants"].items()}
        rows += [(f"layer of experts, {entry['tokens']} tokens ({name})", *values) for name, *values in pairs(ratios)]
    for entry in results["segments"]:
        rows += [(f"segments, {entry['tokens']} tokens ({name})", *values) for name, *values in pairs(entry["ratio"])]
    products = results["products"]
    for entry, copy in zip(products[::2], products[1::2]):
        if entry["case"] != copy["case"] or copy["variant"] != COPY:
            raise ValueError(f"{entry['case']}: not in front of its copy")
        rows.append((f"product ({entry['case'].partition(':')[0]})", entry["flushed"]["ratio"], copy["flushed"]["ratio"]))
    for entry in results["live micro-tiles"]:
        for time in entry["times"]:
            ratios = {name: variant["ratio"] for name, variant in time["variants"].items()}
            rows += [(f"live micro-tiles, {100 * time['zeros']:g} % dead ({name})", *values)
                     for name, *values in pairs(ratios)]
    contents.table("promotion", ["what", "256 bytes", "128 bytes"],
                   [[name, number(before, 3), number(after, 3)] for name, before, after in rows])
