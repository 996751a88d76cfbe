#!/usr/bin/env python3
# ===- compared.py - A program with options of its pipeline, and dense --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiles a program for a GPU with options of the pipeline, and dense, and compares results: the norm of the difference, of that of the dense one.

    compared.py FILE --options PIPELINE-OPTIONS [--prefix ARGUMENT,...] [--error E] [--entry NAME] [--unknown N,...]

Arguments are normally distributed; those of --prefix are true in front of a random place of each row, and of several rows, one has none. With --unknown,
the program is called once for each number, which all of its unknown extents are; masks are then any, and whole numbers up to it.
"""
import argparse
import sys

import numpy as np

import pit_mlir


def bf16(array):
    return (array.astype("f").view("u4") >> 16).astype("u2")


def numbers_of(array):
    return (array.view("u2").astype("u4") << 16).view("f") if array.dtype.itemsize == 2 else array


def as_tuple(results):
    return results if isinstance(results, (tuple, list)) else (results,)


def draw(random, spec, is_prefix, unknown):
    shape = tuple(unknown if extent is None or extent < 0 else extent for extent in spec.extents)
    if not is_prefix and spec.type == "i1":
        return random.integers(0, 2, shape) > 0
    if spec.type.startswith("i") and not is_prefix:
        return random.integers(0, unknown + 1, shape).astype(spec.numpy_type)
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
    parser.add_argument("--entry")
    parser.add_argument("--unknown", type=lambda text: [int(number) for number in text.split(",")], default=[0])
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    sparse, dense = (pit_mlir.compile(text, "cuda:sm_90a", pipeline=pipeline) for pipeline in (options.options, "dense=true"))
    name = options.entry or next(iter(sparse.entries))
    random = np.random.default_rng(7)
    failed = 0
    for unknown in options.unknown:
        inputs = [draw(random, spec, number in options.prefix, unknown) for number, spec in enumerate(sparse[name].inputs)]
        expected = dense[name](*inputs)
        if len(options.unknown) > 1:
            print(f"unknown: {unknown}", file=sys.stderr, flush=True)
        for number, (found, wanted) in enumerate(zip(as_tuple(sparse[name](*inputs)), as_tuple(expected))):
            found, wanted = numbers_of(found), numbers_of(wanted)
            error = float(np.linalg.norm(found - wanted) / max(np.linalg.norm(wanted), 1e-30))
            failed += not error <= options.error
            print(f"result {number}: {'as dense' if error <= options.error else f'WRONG, error {error:.1e}'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
