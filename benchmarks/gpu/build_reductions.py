#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles reductions over whole tensors and over any axes, for bench_reductions.py.

    build_reductions.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand its
report must be free of spills. Needs no GPU, no numpy.
"""
import os

import builder

# name: kind, extents (None is dynamic), axes that are reduced over, element.
CASES = {
    "sum-67108864": ("sum", (67108864,), (0,), "f32"),
    "sum-columns-8192": ("sum", (8192, 8192), (0,), "f32"),
    "sum-columns-8192-bf16": ("sum", (8192, 8192), (0,), "bf16"),
    "sum-rows-8192": ("sum", (8192, 8192), (1,), "f32"),
    "max-67108864-bf16": ("max", (8192, 8192), (0, 1), "bf16"),
    "argmax-rows-4096x32000": ("argmax", (4096, 32000), (1,), "f32"),
    "mean-64x256x3136": ("mean", (64, 256, 3136), (0, 2), "f32"),
    "sum-1000003": ("sum", (1000003,), (0,), "f32"),
    "sum-columns-100003x33": ("sum", (100003, 33), (0,), "f32"),
    # Others that --check runs.
    "squares-1000003-f16": ("squares", (1000003,), (0,), "f16"),
    "sum-dynamic": ("sum", (None,), (0,), "f32"),
    "sum-columns-dynamic": ("sum", (None, None), (0,), "bf16"),
    "sum-middle": ("sum", (37, 1009, 130), (1,), "f32"),
    "max-columns-odd": ("max", (5003, 1001), (0,), "f16"),
    "argmax-columns": ("argmax", (4099, 514), (0,), "f32"),
    "argmax-whole": ("argmax", (1000003,), (0,), "f32"),
    "sum-i64": ("sum", (3000017,), (0,), "i64"),
    "sum-f64": ("sum", (77, 20011), (0, 1), "f64"),
}
# What sums of a type are kept in, and where a maximum starts from.
SUMS = {"f32": "f32", "bf16": "f32", "f16": "f32", "f64": "f64", "i64": "i64"}
LEAST = {"f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00"}


def tensor(shape, element):
    return f"tensor<{''.join(('?' if n is None else str(n)) + 'x' for n in shape)}{element}>"


def reduction(kind, shape, axes, element):
    """One reduction of a tensor, in linalg on tensors; a mean divides behind it."""
    rank = len(shape)
    kept = [axis for axis in range(rank) if axis not in axes]
    out = [shape[axis] for axis in kept]
    sums = element if kind in ("max", "argmax") else SUMS[element]
    is_float = not sums.startswith("i")
    names = [f"d{axis}" for axis in range(rank)]
    whole = f"affine_map<({', '.join(names)}) -> ({', '.join(names)})>"
    part = f"affine_map<({', '.join(names)}) -> ({', '.join(names[axis] for axis in kept)})>"
    kinds = ", ".join('"reduction"' if axis in axes else '"parallel"' for axis in range(rank))
    x, y, numbers = tensor(shape, element), tensor(out, sums), tensor(out, "i64")
    results = f"({y}, {numbers})" if kind == "argmax" else y
    text = [f"func.func @main(%x: {x}) -> {results} {{"]
    sizes = []
    for axis in kept:
        if shape[axis] is None:
            text += [f"  %axis{axis} = arith.constant {axis} : index", f"  %n{axis} = tensor.dim %x, %axis{axis} : {x}"]
            sizes.append(f"%n{axis}")
    size = ", ".join(sizes)
    start = LEAST[element] if kind in ("max", "argmax") else "0.0" if is_float else "0"
    text += [f"  %start = arith.constant {start} : {sums}",
             f"  %e = tensor.empty({size}) : {y}",
             f"  %z = linalg.fill ins(%start : {sums}) outs(%e : {y}) -> {y}"]
    if kind == "argmax":
        text += ["  %first = arith.constant 0 : i64", f"  %en = tensor.empty({size}) : {numbers}",
                 f"  %zn = linalg.fill ins(%first : i64) outs(%en : {numbers}) -> {numbers}",
                 f"  %r:2 = linalg.generic {{indexing_maps = [{whole}, {part}, {part}], iterator_types = [{kinds}]}}",
                 f"      ins(%x : {x}) outs(%z, %zn : {y}, {numbers}) {{",
                 f"  ^bb0(%v: {element}, %m: {element}, %k: i64):",
                 f"    %i = linalg.index {axes[0]} : index",
                 "    %j = arith.index_cast %i : index to i64",
                 f"    %t = arith.maximumf %v, %m : {element}",
                 f"    %c = arith.cmpf ogt, %v, %m : {element}",
                 "    %l = arith.select %c, %j, %k : i64",
                 f"    linalg.yield %t, %l : {element}, i64",
                 f"  }} -> ({y}, {numbers})",
                 f"  return %r#0, %r#1 : {y}, {numbers}", "}", ""]
        return "\n".join(text)
    text += [f"  %r = linalg.generic {{indexing_maps = [{whole}, {part}], iterator_types = [{kinds}]}}",
             f"      ins(%x : {x}) outs(%z : {y}) {{",
             f"  ^bb0(%v: {element}, %s: {sums}):"]
    value = "%v"
    if element != sums:
        text.append(f"    %w = arith.extf %v : {element} to {sums}")
        value = "%w"
    if kind == "squares":
        text.append(f"    %q = arith.mulf {value}, {value} : {sums}")
        value = "%q"
    op = "maximumf" if kind == "max" else "addf" if is_float else "addi"
    text += [f"    %t = arith.{op} %s, {value} : {sums}", f"    linalg.yield %t : {sums}", f"  }} -> {y}"]
    result = "%r"
    if kind == "mean":
        count = 1
        for axis in axes:
            count *= shape[axis]
        same = f"affine_map<({', '.join(names[:len(kept)])}) -> ({', '.join(names[:len(kept)])})>"
        parallel = ", ".join(['"parallel"'] * len(kept))
        text += [f"  %count = arith.constant {float(count)} : {sums}",
                 f"  %o = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{parallel}]}}",
                 f"      ins(%r : {y}) outs(%e : {y}) {{", f"  ^bb0(%v: {sums}, %s: {sums}):",
                 f"    %t = arith.divf %v, %count : {sums}", f"    linalg.yield %t : {sums}", f"  }} -> {y}"]
        result = "%o"
    return "\n".join(text + [f"  return {result} : {y}", "}", ""])


def build(binaries, out, name):
    kind, shape, axes, element = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), reduction(kind, shape, axes, element))
    report = built.assemble()
    built.describe(name=name, kind=kind, shape=shape, axes=axes, element=element, **report)
    print(name, report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
