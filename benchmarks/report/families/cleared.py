# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix with dead micro-tiles that no kernel follows, times a dense one: bench_blocks.py."""
from page import number
from records import entries

RESULTS = ["h200-cleared.json"]


def report(contents, cleared):
    rows, shares = [], []
    for entry in entries(cleared):
        shares = [time["zeros"] for time in entry["times"]]
        for name in reversed(entry["times"][0]["variants"]):
            found = [time["variants"][name] for time in entry["times"]]
            rows.append([name.replace("x", " x ").replace("-given", ", mask given")] +
                        [f"{number(variant['ms'], 4)} ({number(variant['ratio'], 2)})" for variant in found])
    contents.table("cleared", ["micro-tiles", *(f"{100 * share:g} % dead" for share in shares)], rows)
