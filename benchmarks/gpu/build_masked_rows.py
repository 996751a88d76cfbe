#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs/masked_rows.mlir, for bench_masked_rows.py.

    build_masked_rows.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. The case becomes a directory of OUT.
"""
import os

import builder

CASES = {"masked-rows": "masked_rows.mlir"}


def build(binaries, out, name):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs", CASES[name])
    with open(source, encoding="utf-8") as file:
        built = builder.Built(binaries, os.path.join(out, name), file.read())
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    report = built.assemble(kernels="contraction")
    built.describe(name=name, launches=len(kernels), **report)
    print(name, kernels)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
