# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiling takes: benchmarks/cpu/compile_time.py."""
from page import number
from records import entries

RESULTS = ["compile-time.json"]


def report(contents, times):
    contents.table("compile-time", ["program", "lines", "kernels", "least, s", "median, s", "processor, s"], [
        [entry["program"].removeprefix("examples/"), str(entry["lines"]), str(entry["kernels"]),
         number(entry["least_s"], 2), number(entry["median_s"], 2), number(entry["least_processor_s"], 2)]
        for entry in entries(times)])
