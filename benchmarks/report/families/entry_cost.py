# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of a compiled program costs the host: check_loaded.py."""
from page import number

RESULTS = ["h200-entry-cost.json"]


def spread(call):
    """The median of a call's host time, and where most of them lie."""
    return number(call["host_us_median"], 1), f"{number(call['host_us_p10'], 1)} to {number(call['host_us_p90'], 1)}"


def report(contents, cost):
    header = ["program", "launches", "host, µs", "10 % to 90 %", "without checks, µs", "10 % to 90 %", "first call, µs", "workspace, KiB"]
    contents.table("entry-cost", header, [
        [entry["program"].removeprefix("examples/"), str(entry["launches"]), *spread(entry["call"]), *spread(entry["unchecked"]),
         str(entry["call"]["first_call_us"]), number(entry["call"]["workspace_bytes"] / 1024, 0)]
        for entry in cost["programs"]])
