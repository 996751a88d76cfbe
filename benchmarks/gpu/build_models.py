#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles several layers of transformers, each family as one dense program, for bench_models.py.

    build_models.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT. What comes
out must keep to the plan: as many lists of live rows as one layer needs, products and
attention on the kernels for them, and no more workspace than two layers have.
"""
import dataclasses
import os

import builder
import model_program
from model_program import Shape

BERT_BASE = {"width": 768, "inner": 3072, "heads": 12}
BERT_LARGE = {"width": 1024, "inner": 4096, "heads": 16}
OPT_1B = {"width": 2048, "inner": 8192, "heads": 32, "epsilon": 1e-5}
OPT_13B = {"width": 5120, "inner": 20480, "heads": 40, "epsilon": 1e-5}
OPT_30B = {"width": 7168, "inner": 28672, "heads": 56, "epsilon": 1e-5}
SWITCH = {"width": 768, "inner": 3072, "heads": 12, "experts": 128, "epsilon": 1e-6}
SMALL = {"width": 128, "inner": 256, "heads": 4}

CASES = {
    "bert-base-128x128": ("bert", Shape(128, 128, layers=4, **BERT_BASE)),
    "bert-base-32x128": ("bert", Shape(32, 128, layers=4, **BERT_BASE)),
    "bert-base-12-32x128": ("bert", Shape(32, 128, layers=12, **BERT_BASE)),
    "bert-large-32x512": ("bert", Shape(32, 512, layers=4, **BERT_LARGE)),
    "opt-1.3b-4x2048": ("opt", Shape(4, 2048, layers=4, **OPT_1B)),
    "opt-1.3b-4x2048-relu": ("opt", Shape(4, 2048, layers=4, alike=32, live=.1, **OPT_1B)),
    "opt-13b-2x2048": ("opt", Shape(2, 2048, layers=4, **OPT_13B)),
    "opt-13b-2x2048-relu": ("opt", Shape(2, 2048, layers=4, alike=32, live=.1, **OPT_13B)),
    "opt-13b-1x4096-relu": ("opt", Shape(1, 4096, layers=4, alike=32, live=.1, **OPT_13B)),
    "opt-30b-2x2048": ("opt", Shape(2, 2048, layers=4, **OPT_30B)),
    "opt-30b-2x2048-relu": ("opt", Shape(2, 2048, layers=4, alike=32, live=.1, **OPT_30B)),
    "switch-64x128": ("switch", Shape(64, 128, layers=4, **SWITCH)),
    "switch-32x512": ("switch", Shape(32, 512, layers=4, **SWITCH)),
    "bert-small": ("bert", Shape(5, 80, layers=3, **SMALL)),
    "opt-small": ("opt", Shape(3, 160, layers=3, **SMALL)),
    "opt-small-relu": ("opt", Shape(3, 160, layers=3, alike=32, live=.1, **SMALL)),
    "switch-small": ("switch", Shape(5, 80, layers=4, experts=8, **SMALL)),
}


def count(kernels, part):
    return sum(part in kernel for kernel in kernels)


def build(binaries, out, name):
    family, shape = CASES[name]
    program, weights = model_program.write(family, shape)
    built = builder.Built(binaries, os.path.join(out, name), program)
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    print(name, len(kernels), kernels)
    report = built.assemble(kernels="contraction")
    # Queries, keys and values in one launch, and three others.
    if count(kernels, "attention") != shape.layers or count(kernels, "contraction") < 4 * shape.layers:
        raise RuntimeError(f"{name}: {kernels}")
    built.describe(name=name, family=family, launches=kernels, weights=weights, **dataclasses.asdict(shape), **report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
