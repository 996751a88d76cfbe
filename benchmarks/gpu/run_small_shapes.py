#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a family of kernels on small shapes, compares with numpy, and repeats it to the bit.

    run_small_shapes.py [--part I/N] [--few] [--unwritten] FAMILY OUT
    run_small_shapes.py [--large] --reruns N FAMILY OUT
    run_small_shapes.py --planted NAME

OUT/FAMILY holds the cases of kernel_families.py, built by check_sanitizers.py --build. Outputs and workspaces are
filled with NaN before every launch; with --unwritten nobody writes them, and nothing is compared: for tools that
watch who reads what nobody wrote. Every N-th shape from the I-th on is run; with --few, of each case the first and the
last alone. With --reruns, the largest result of each case is computed N times more, and must keep its bits; --large takes shapes of a few cases with many tiles. Needs the CUDA driver and numpy.

With --planted, the kernel of that name of programs/planted.ptx.

Prints a line of JSON per shape. Exit code 1 when one fails.
"""
import argparse
import ctypes
import itertools
import json
import os
import sys
import time

import numpy as np

import run_manifest
import small_shapes
from kernel_families import FAMILIES
from numpy_program import NumpyProgram

MOST_LARGE = 3  # cases of a family with so many tiles
HERE = os.path.dirname(os.path.abspath(__file__))


def read_case(directory):
    path = os.path.join(directory, "case.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def all_shapes(family, folder, large=False):
    """(case, shape) of each in the order of the table."""
    names = FAMILIES[family].cases or sorted(name for name in os.listdir(folder) if name.endswith(".sparse"))
    for name in names:
        directory = os.path.join(folder, name)
        case = read_case(directory)
        for shape in small_shapes.shapes(FAMILIES[family].shapes, case or directory, f"{family}/{name}", large):
            yield name, shape


def largest_of_case(pairs):
    """Of pairs of a case and a shape, in order, the one of each case with the largest result, the last of those."""
    for _, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        yield max(reversed(list(group)), key=lambda pair: sum(array.size for array in pair[1].expected))


def ends_of_case(pairs):
    """Of pairs of a case and a shape, in order, the first and the last of each case."""
    for _, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        first, *others = group
        yield first
        yield from others[-1:]


def rerun(program, shape, count):
    """Raises where one of so many more runs leaves other bits."""
    # As bytes: NaN must be the same NaN.
    first = [array.tobytes() for array in program.read(shape.written)]
    again = [number for number in shape.written if number not in shape.poisoned]
    for _ in range(count):
        program.poison()
        for number in again:
            array = shape.inputs[number]
            buffer = next(i for i, b in enumerate(program.function["buffers"]) if b.get("argument") == number)
            program.driver.call("cuMemcpyHtoD_v2", ctypes.c_uint64(program.pointers[buffer]),
                                ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        program.launch()
        if [array.tobytes() for array in program.read(shape.written)] != first:
            raise RuntimeError("another run, other bits")


def run(program, shape, unwritten, reruns):
    program.prepare(shape.inputs, shape.poisoned, not unwritten)
    try:
        program.launch()
        program.check_status()
        if not unwritten:
            outputs = program.read(shape.written)
            arguments, results = program.function["arguments"], program.function["results"]
            dtypes = [arguments[number]["dtype"] for number in shape.written] + [r["dtype"] for r in results]
            small_shapes.compare(shape, outputs, dtypes)
            rerun(program, shape, reruns)
    finally:
        program.free()


def run_family(options):
    part, parts = (int(number) for number in options.part.split("/"))
    driver, failures, programs = run_manifest.Driver(), 0, {}
    folder = os.path.join(options.out, options.family)
    chosen = all_shapes(options.family, folder, options.large)
    if options.reruns:
        chosen = largest_of_case(chosen)
    elif options.few:
        chosen = ends_of_case(chosen)
    for number, (name, shape) in enumerate(chosen):
        if options.large and number == MOST_LARGE:
            break
        if number % parts != part:
            continue
        record, start = {"shape": f"{name}, {shape.name}"}, time.time()
        try:
            if name not in programs:
                programs = {name: NumpyProgram(driver, os.path.join(folder, name))}
            run(programs[name], shape, options.unwritten, options.reruns)
            record["kernels"] = programs[name].kernels()
        except (RuntimeError, OSError, KeyError, ValueError, IndexError) as error:
            record["failed"] = str(error)
            failures += 1
        record["seconds"] = round(time.time() - start, 2)
        print(json.dumps(record), flush=True)
        if "cuCtxSynchronize" in record.get("failed", ""):
            break
    return 1 if failures else 0


def run_planted(name):
    driver = run_manifest.Driver()
    with open(os.path.join(HERE, "programs", "planted.ptx"), "rb") as file:
        module = driver.load(file.read())
    inputs = driver.upload(np.arange(64, dtype=np.int32))
    buffers = [ctypes.c_uint64() for _ in range(2)]
    for buffer in buffers:
        driver.call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(256))
    source = buffers[0].value if name.endswith("unwritten") else inputs
    arguments = [ctypes.c_uint64(source), ctypes.c_uint64(buffers[1].value)]
    driver.launch(driver.function(module, name, 0), [1, 1, 1], [64, 1, 1], 0, arguments)
    driver.synchronize()
    return 0


def main():
    parser = argparse.ArgumentParser(description="run_small_shapes.py: " + __doc__.splitlines()[0])
    parser.add_argument("family", nargs="?", choices=list(FAMILIES))
    parser.add_argument("out", nargs="?")
    parser.add_argument("--part", default="0/1", help="which of how many parts")
    parser.add_argument("--few", action="store_true", help="two shapes of each case")
    parser.add_argument("--reruns", type=int, default=0, help="how often to repeat the largest shape of each case")
    parser.add_argument("--large", action="store_true", help="a few shapes of many tiles instead of small ones")
    parser.add_argument("--unwritten", action="store_true", help="fill nothing, compare nothing")
    parser.add_argument("--planted", metavar="NAME", help="run a kernel with a mistake")
    options = parser.parse_args()
    if options.planted:
        return run_planted(options.planted)
    if not options.out:
        parser.error("FAMILY and OUT are needed")
    return run_family(options)


if __name__ == "__main__":
    sys.exit(main())
