#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles transformer encoder layers on padded sequences, for bench_encoder.py.

    build_encoder.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT. What
products run on is checked by the names of kernels.
"""
import dataclasses
import os

import builder
import encoder_program
from encoder_program import Shape

# BERT-base; batches of sequences of up to 128 tokens, and long documents.
SHAPES = {"128x128": Shape(128, 128), "32x128": Shape(32, 128), "4x2048": Shape(4, 2048),
          "left-32x128": Shape(32, 128, pad="left"), "left-128x128": Shape(128, 128, pad="left"),
          "cola-128x128": Shape(128, 128), "qnli-128x128": Shape(128, 128), "rte-128x128": Shape(128, 128),
          # BERT-large.
          "large-128x128": Shape(128, 128, width=1024, inner=4096, heads=16),
          "large-left-4x2048": Shape(4, 2048, width=1024, inner=4096, heads=16, pad="left"), "small": Shape(5, 80, width=128, inner=256, heads=4),
          # The other numbers of elements per head.
          "small-64": Shape(3, 200, width=128, inner=256, heads=2),
          "small-128": Shape(4, 70, width=256, inner=256, heads=2, pad="left")}
# Which of bench_encoder.py's lengths short sequences have, where not those of MNLI.
LENGTHS = {"cola-128x128": "cola", "qnli-128x128": "qnli", "rte-128x128": "rte"}
PARTS = {"ffn": encoder_program.feed_forward, "layer": encoder_program.whole_layer}
CASES = {f"{part}-{shape}": (part, shape) for part in PARTS for shape in SHAPES}


def build(binaries, out, name):
    part, shape = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), PARTS[part](SHAPES[shape]))
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    report = built.assemble()
    products = sum("contraction" in kernel for kernel in kernels)
    # Queries, keys and values are computed by one launch.
    if products != (2 if part == "ffn" else 4) or (part == "layer" and not any("attention" in k for k in kernels)):
        raise RuntimeError(f"{name}: {kernels}")
    built.describe(name=name, part=part, lengths=LENGTHS.get(shape, "mnli"), launches=kernels, **dataclasses.asdict(SHAPES[shape]), **report)
    print(name, kernels)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
