# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models trained by PIT and by torch on a GPU: benchmarks/training/losses.py --run."""
from .losses import draw

RESULTS = ["h200-losses.json"]


def report(contents, results):
    draw(contents, results, "device-losses", "Loss of small models on a GPU, means of ten steps")
