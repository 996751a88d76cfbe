# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix whose rows have dead pieces, times a dense one: bench_blocks.py."""
from page import number
from records import entries

RESULTS = ["h200-rows.json"]
NAMES = {"1x64@1": "1 x 64", "1x64-given@1": "1 x 64, bits given", "1x64@2": "1 x 64, pairs of pieces",
         "1x64-given@2": "1 x 64, pairs of pieces, bits given", "32x64": "32 x 64", "32x1": "32 x 1"}


def report(contents, rows):
    times = entries(rows)[0]["times"]
    contents.table("rows", ["micro-tiles"] + [f"{100 * time['zeros']:g} % dead" for time in times], [
        [text] + [f"{number(time['variants'][name]['ms'], 4)} ({number(time['variants'][name]['ratio'], 2)})"
                  for time in times] for name, text in NAMES.items()])
