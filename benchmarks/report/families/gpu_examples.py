# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples on a GPU: bench_examples.py."""
from page import number

RESULTS = ["h200-examples.json"]


def report(contents, results):
    contents.table("gpu-examples", ["example", "inputs", "launches", "sparse, ms", "dense, ms", "ratio"], [
        [case["program"] + ".mlir", "`" + " ".join(case["inputs"]) + "`", str(case["launches"]), number(case["ms"], 4),
         number(case["peers"]["dense"]["ms"], 4), number(case["peers"]["dense"]["ms"] / case["ms"], 2)]
        for case in results["cases"]])
