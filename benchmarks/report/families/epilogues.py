# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise work behind products: bench_epilogues.py."""
from charts import Ratios
from page import number
from records import by_case

RESULTS = ["h200-epilogues.json"]
ROWS = [
    ("bias", "4096^3, bias", "bias"),
    ("bias-relu", "bias, ReLU", "bias, ReLU"),
    ("bias-silu", "bias, SiLU", "bias, SiLU"),
    ("bias-gelu", "bias, GELU (erf)", "bias, GELU"),
    ("bias-residual", "bias, bf16 residual", "bias, residual"),
    ("gated", "SwiGLU: two products [4096 x 4096] x [4096 x 2048]", "SwiGLU"),
    ("short-bias-gelu", "[8192 x 768] x [768 x 3072], bias, GELU", "k = 768: bias, GELU"),
    ("short-gated", "SwiGLU: two products [8192 x 768] x [768 x 1536]", "k = 768: SwiGLU"),
    ("rows-bias-relu:8192", "8192 rows, half of them under a mask, 4096^2, bias, ReLU (whole program)",
     "half of the rows: bias, ReLU"),
]
PEERS = {"over plain": "over_plain", "over matmul": "over_matmul", "over torch": "over_torch"}


def report(contents, epilogues):
    found = by_case(epilogues)
    # The mask has no plain product to compare with.
    ratios = {name: [found[case][0].get(key) for case, _, _ in ROWS] for name, key in PEERS.items()}
    contents.table("epilogues", ["program", *PEERS],
                   [[label] + ["" if ratios[name][i] is None else number(ratios[name][i], 3) for name in PEERS]
                    for i, (_, label, _) in enumerate(ROWS)])
    contents.figure("epilogues", Ratios(
        "Elementwise work behind products on an H200", "peer's time over ours (right of 1: faster than the peer)",
        [label for _, _, label in ROWS], ratios))
