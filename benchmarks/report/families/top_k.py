# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a router makes of its logits: bench_top_k.py."""
from page import number

RESULTS = ["h100-top-k.json"]


def report(contents, results):
    contents.table("top-k", ["router", "logits", "tokens", "PIT, µs", "torch, µs", "torch.compile, µs"], [
        [f"{case['k']} of {case['experts']}", case["element"], str(case["tokens"]), number(1000 * case["ms"], 1),
         number(1000 * case["peers"]["torch"]["ms"], 1),
         number(1000 * case["peers"]["torch.compile"]["ms"], 1) if "ms" in case["peers"]["torch.compile"] else "–"]
        for case in results["cases"]])
