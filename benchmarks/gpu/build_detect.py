#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles detections to PTX and manifests, for bench_detect.py.

    build_detect.py [--chip CHIP] BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand its
report must be free of spills. Needs no GPU, no numpy.
"""
import argparse
import math
import os

import builder

# Shape of the buffer that is read, and what differs from a values pattern over all of its axes, listing the last one.
# `dynamic`: axes whose extent only the host knows. `strides`, `offset`: of the buffer, where it is a view.
CASES = {
    # What is timed.
    "k-4096": {"shape": [4096, 4096], "dtype": "bf16", "tile": [32, 1]},
    "k-16384": {"shape": [16384, 16384], "dtype": "bf16", "tile": [32, 1]},
    "blocks-4096": {"shape": [4096, 4096], "dtype": "bf16", "tile": [32, 64]},
    "blocks-16384": {"shape": [16384, 16384], "dtype": "bf16", "tile": [32, 64]},
    "rows-4096": {"shape": [4096, 4096], "dtype": "bf16", "axes": [0]},
    "points-4096": {"shape": [4096, 4096], "dtype": "bf16", "tile": [1, 1]},
    "m-4096": {"shape": [4096, 4096], "dtype": "bf16", "tile": [1, 64], "coordinate": 0},
    "gate-8192": {"shape": [8192, 256], "dtype": "f32", "kind": "routing", "coordinate": 0, "at_most": 8},
    "gate-dynamic": {"shape": [8192, 256], "dtype": "f32", "kind": "routing", "coordinate": 0, "at_most": 8,
                     "dynamic": [0]},
    "mask-4096": {"shape": [4096, 4096], "dtype": "i1", "kind": "mask", "tile": [1, 1]},
    "lengths-64": {"shape": [64], "dtype": "i64", "kind": "lengths", "positions": 4096},
    # Element types, absent values.
    "f16": {"shape": [96, 200], "dtype": "f16", "tile": [32, 1]},
    "f32": {"shape": [96, 200], "dtype": "f32", "tile": [8, 4]},
    "f64": {"shape": [96, 200], "dtype": "f64", "tile": [1, 2]},
    "i8": {"shape": [96, 208], "dtype": "i8", "tile": [4, 1]},
    "i16": {"shape": [96, 200], "dtype": "i16", "tile": [4, 1], "coordinate": 0},
    "i32": {"shape": [96, 200], "dtype": "i32", "tile": [3, 5]},
    "i64": {"shape": [96, 200], "dtype": "i64", "tile": [1, 1], "coordinate": 0, "width": 64},
    "neg-inf": {"shape": [64, 128], "dtype": "bf16", "tile": [4, 1], "absent": "neg_inf"},
    "neg-inf-f64": {"shape": [64, 130], "dtype": "f64", "tile": [4, 1], "absent": "neg_inf", "coordinate": 0},
    # Micro-tiles and tails, either dimension listed.
    "tails": {"shape": [77, 333], "dtype": "bf16", "tile": [32, 1]},
    "tails-0": {"shape": [77, 333], "dtype": "bf16", "tile": [32, 1], "coordinate": 0},
    "tile-3x5-0": {"shape": [100, 333], "dtype": "f32", "tile": [3, 5], "coordinate": 0},
    "tile-12": {"shape": [50, 1236], "dtype": "bf16", "tile": [1, 12]},
    "tile-24-0": {"shape": [50, 1240], "dtype": "bf16", "tile": [2, 24], "coordinate": 0},
    "tile-wide": {"shape": [100, 5000], "dtype": "bf16", "tile": [7, 1000]},
    "tile-wide-0": {"shape": [100, 5000], "dtype": "bf16", "tile": [7, 1000], "coordinate": 0},
    "blocks-tails-0": {"shape": [500, 1000], "dtype": "bf16", "tile": [32, 64], "coordinate": 0},
    "narrow": {"shape": [1000, 8], "dtype": "f32", "tile": [1, 1]},
    "narrow-0": {"shape": [1000, 8], "dtype": "f32", "tile": [1, 1], "coordinate": 0, "at_most": 2},
    "one-column": {"shape": [1000, 1], "dtype": "f32", "tile": [1, 1], "coordinate": 0},
    # Ranks and axes.
    "rows": {"shape": [300, 1000], "dtype": "bf16", "axes": [0]},
    "columns": {"shape": [1000, 300], "dtype": "bf16", "axes": [1]},
    "channels": {"shape": [2, 64, 18, 18], "dtype": "f32", "axes": [0, 1], "tile": [1, 1]},
    "channels-last": {"shape": [2, 18, 18, 64], "dtype": "f32", "axes": [0, 3], "tile": [1, 1]},
    "swapped": {"shape": [100, 200], "dtype": "f32", "axes": [1, 0], "tile": [4, 2]},
    "batch": {"shape": [3, 100, 200], "dtype": "bf16", "tile": [1, 32, 1]},
    "batch-1": {"shape": [3, 100, 200], "dtype": "bf16", "tile": [2, 3, 4], "coordinate": 1},
    "batch-0": {"shape": [70, 10, 24], "dtype": "f32", "tile": [1, 1, 1], "coordinate": 0},
    "line": {"shape": [5000], "dtype": "i1", "kind": "mask"},
    "line-dynamic": {"shape": [5000], "dtype": "i1", "kind": "mask", "dynamic": [0]},
    # Sources.
    "mask": {"shape": [100, 160], "dtype": "i1", "kind": "mask", "tile": [1, 1]},
    "mask-0": {"shape": [100, 160], "dtype": "i1", "kind": "mask", "tile": [4, 8], "coordinate": 0},
    "routing-f16": {"shape": [512, 64], "dtype": "f16", "kind": "routing", "coordinate": 0, "at_most": 2},
    "block-bits": {"shape": [16, 24], "dtype": "i1", "kind": "blocks", "extents": [500, 1530], "tile": [32, 64]},
    "block-bits-0": {"shape": [16, 24], "dtype": "i1", "kind": "blocks", "extents": [500, 1530], "tile": [32, 64],
                     "coordinate": 0},
    "lengths": {"shape": [37], "dtype": "i64", "kind": "lengths", "positions": 300},
    "lengths-left": {"shape": [37], "dtype": "i32", "kind": "lengths", "positions": 300, "pad": "left",
                     "tile": [4, 16]},
    "lengths-0": {"shape": [37], "dtype": "i16", "kind": "lengths", "positions": 300, "coordinate": 0},
    "lengths-left-0": {"shape": [37], "dtype": "i64", "kind": "lengths", "positions": 300, "pad": "left",
                       "tile": [2, 7], "coordinate": 0},
    "lengths-dynamic": {"shape": [37], "dtype": "i64", "kind": "lengths", "positions": 300, "pad": "left",
                        "dynamic": [0, 1]},
    # What only the host knows, and views.
    "dynamic": {"shape": [130, 260], "dtype": "bf16", "tile": [32, 1], "dynamic": [0, 1]},
    "dynamic-0": {"shape": [130, 260], "dtype": "bf16", "tile": [5, 3], "coordinate": 0, "dynamic": [0, 1]},
    "dynamic-rows": {"shape": [130, 256], "dtype": "bf16", "tile": [32, 1], "dynamic": [0]},
    "dynamic-reduced": {"shape": [130, 7, 40], "dtype": "bf16", "axes": [0], "dynamic": [0, 1, 2]},
    "empty": {"shape": [0, 260], "dtype": "bf16", "tile": [32, 1], "dynamic": [0]},
    "empty-line": {"shape": [130, 0], "dtype": "bf16", "tile": [32, 1], "dynamic": [1]},
    "empty-0": {"shape": [0, 40], "dtype": "bf16", "tile": [1, 1], "coordinate": 0, "dynamic": [0]},
    "transposed": {"shape": [130, 256], "dtype": "bf16", "tile": [32, 1], "strides": [1, 130]},
    "view": {"shape": [128, 128], "dtype": "bf16", "tile": [32, 1], "strides": [512, 2], "offset": 5},
    "view-aligned": {"shape": [128, 128], "dtype": "bf16", "tile": [32, 1], "strides": [512, 1], "offset": 64},
}


def describe(name):
    """A case with everything spelled out."""
    case = {"kind": "values", "absent": "zero", "pad": "right", "width": 32, "offset": 0, "dynamic": [], "at_most": 0,
            "strides": None, **CASES[name], "name": name}
    shape, kind = case["shape"], case["kind"]
    if kind == "lengths":
        case["extents"] = [shape[0], case["positions"]]
    case.setdefault("extents", shape)
    case.setdefault("axes", list(range(len(case["extents"]))))
    if kind == "values":
        case["extents"] = [shape[axis] for axis in case["axes"]]
    case.setdefault("tile", [1] * len(case["axes"]))
    case.setdefault("coordinate", len(case["axes"]) - 1)
    tiles = [math.ceil(extent / tile) for extent, tile in zip(case["extents"], case["tile"])]
    case["segments"] = math.prod(tiles) // max(1, tiles[case["coordinate"]]) if all(tiles) else math.prod(
        tile for i, tile in enumerate(tiles) if i != case["coordinate"])
    case["capacity"] = math.prod(tiles)
    if case["at_most"]:
        case["capacity"] = case["extents"][0] * (case["at_most"] if len(tiles) > 1 else 1)
    return case


def span(case):
    """Elements of the buffer that a view is of."""
    return 1 + case["offset"] + sum((n - 1) * stride for n, stride in zip(case["shape"], case["strides"]))


def program(case):
    """One `pit.detect_into` on buffers; dynamic extents come from the buffer, or as arguments."""
    axes, kind = case["axes"], case["kind"]
    extents = [str(extent) for extent in case["shape"]]
    for axis in case["dynamic"]:
        if axis < len(extents):
            extents[axis] = "?"
    buffer = "x".join(extents) + "x" + case["dtype"]
    argument, lines = f"%x: memref<{buffer}>", []
    if case["strides"]:
        strides = ", ".join(map(str, case["strides"]))
        flat = f"memref<{span(case)}x{case['dtype']}>"
        buffer += f", strided<[{strides}], offset: {case['offset']}>"
        argument = f"%flat: {flat}"
        lines.append(f"  %x = memref.reinterpret_cast %flat to offset: [{case['offset']}], "
                     f"sizes: {case['shape']}, strides: [{strides}] : {flat} to memref<{buffer}>")
    space, operands, arguments = [], [], []
    for i, extent in enumerate(case["extents"]):
        source = axes[i] if kind == "values" else i
        if source not in case["dynamic"]:
            space.append(str(extent))
            continue
        space.append("?")
        operands.append(f"%n{i}")
        if kind == "lengths" and i == 1:
            arguments.append(f"%n{i}: index")
        else:
            lines += [f"  %axis{i} = arith.constant {source} : index",
                      f"  %n{i} = memref.dim %x, %axis{i} : memref<{buffer}>"]
    given = "values" if kind == "values" else "by"
    pattern = [f"kind = {kind}", f"axes = {axes}", f"absent = {case['absent']}", f"pad = {case['pad']}",
               f"tile = {case['tile']}"] + ([f"at_most = {case['at_most']}"] if case["at_most"] else [])
    sizes = f"extents({', '.join(operands)}) " if operands else ""
    lists = f"memref<?xi64>, memref<?xi{case['width']}>"
    index = (f"!pit.index<[{', '.join(space)}], coordinate = {case['coordinate']}, tile = {case['tile']}, "
             f"width = {case['width']}>")
    parameters = ", ".join([argument, "%offsets: memref<?xi64>",
                            f"%coords: memref<?xi{case['width']}>"] + arguments)
    return "\n".join([f"func.func @main({parameters}) {{", *lines,
                      f"  pit.detect_into {given}(%x : memref<{buffer}>) {sizes}outs(%offsets, %coords : {lists})",
                      f"    <{', '.join(pattern)}> rule 7 : {index}", "  return", "}", ""])


def build(options, name):
    case = describe(name)
    built = builder.Built(options.bin, os.path.join(options.out, name), program(case), "--pit-buffers-to-ptx",
                          f"chip={options.chip}")
    report = built.assemble(cubin=False, chip=options.chip, stack=True)
    built.describe(**case, **report)
    print(name, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("out")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--chip", default="sm_90a")
    options = parser.parse_args()
    for name in builder.chosen(options.names, CASES):
        build(options, name)


if __name__ == "__main__":
    main()
