#!/usr/bin/env python3
# ===- compared.py - A program with options of its pipeline, and dense --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiles a program for a GPU with options of the pipeline, and dense, and compares results: the norm of the difference, of that of the dense one.

    compared.py FILE --options PIPELINE-OPTIONS [--prefix ARGUMENT,...] [--error E]

Arguments are normally distributed; those of --prefix are true in front of a random place of each row, and of several rows, one has none.
"""
import argparse
import sys

import numpy as np

import pit_mlir


def bf16(array):
    return (array.astype("f").view("u4") >> 16).astype("u2")


def numbers_of(array):
    return (array.view("u2").astype("u4") << 16).view("f") if array.dtype.itemsize == 2 else array


def draw(random, spec, is_prefix):
    shape = tuple(spec.extents)
    if is_prefix:
        counts = random.integers(1, shape[-1], shape[:-1])
        counts.flat[1:2] = 0
        return np.arange(shape[-1]) < counts[..., None]
    array = random.normal(size=shape)
    return bf16(array) if spec.type == "bf16" else array.astype(spec.numpy_type)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--options", required=True)
    parser.add_argument("--prefix", type=lambda text: [int(number) for number in text.split(",")], default=[])
    parser.add_argument("--error", type=float, default=1e-6)
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    sparse, dense = (pit_mlir.compile(text, "cuda:sm_90a", pipeline=pipeline) for pipeline in (options.options, "dense=true"))
    (entry,) = (sparse[name] for name in sparse.entries)
    random = np.random.default_rng(7)
    inputs = [draw(random, spec, number in options.prefix) for number, spec in enumerate(entry.inputs)]
    failed = 0
    for number, (found, expected) in enumerate(zip(sparse(*inputs), dense(*inputs))):
        found, expected = numbers_of(found), numbers_of(expected)
        error = float(np.linalg.norm(found - expected) / np.linalg.norm(expected))
        failed += not error <= options.error
        print(f"result {number}: {'as dense' if error <= options.error else f'WRONG, error {error:.1e}'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
