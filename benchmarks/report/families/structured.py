# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix whose dead micro-tiles have a structure, times a dense one: bench_blocks.py --pattern."""
from page import number
from records import entries

RESULTS = ["h200-structured.json"]
PATTERNS = {"bands": "band around the diagonal", "strips": "alike in 128 rows", "random": "at random"}
NAMES = {"32x64": "32 x 64", "given": "32 x 64, bits given", "64x64": "64 x 64", "32x1": "32 x 1", "1x64@1": "1 x 64"}


def report(contents, structured):
    found = {entry.get("pattern", "random"): entry["times"] for entry in entries(structured)}
    shares = [time["zeros"] for time in found["random"]]
    contents.table("structured", ["micro-tiles", "dead"] + [f"{100 * share:g} % dead" for share in shares], [
        [name, what] + [f"{number(time['variants'][key]['ms'], 4)} ({number(time['variants'][key]['ratio'], 2)})"
                        for time in found[pattern]] for key, name in NAMES.items() for pattern, what in PATTERNS.items()])
