# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is busy in kernels, by Nsight Compute's counters."""
from page import number
from records import entries

RESULTS = ["h200-counters.json"]
COUNTERS = {"tensor": "tensor cores", "l1tex": "L1 and shared memory", "l2": "L2", "dram": "memory",
            "issued": "issue slots"}


def report(contents, counters):
    rows = []
    for entry in entries(counters):
        rows.append([entry["name"], number(entry["us"], 1), number(entry["clock_ghz"], 2),
                     *(number(entry["percent"][counter], 0) for counter in COUNTERS)])
    contents.table("counters", ["kernel", "µs", "GHz", *(f"{name}, %" for name in COUNTERS.values())], rows)
