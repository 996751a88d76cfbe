#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles what a router of experts makes of its logits, for run_small_shapes.py.

    build_router.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Of each row: the sum of the exponentials, the softmax, and the first place of the
largest logit. All of that must be one kernel. Needs no GPU, no numpy.
"""
import os

import builder

# name: logits, f32 unless said.
CASES = {
    # Several rows a warp.
    "tails-5": (5, "f32"),
    "tails-8": (8, "bf16"),
    "tails-32": (32, "f32"),
    "tails-40": (40, "bf16"),
    "tails-128": (128, "f32"),
    "tails-250": (250, "f16"),
    # A block per row.
    "tails-2056": (2056, "f32"),
}


def router(columns, element):
    logits, row, axes = f"tensor<?x{columns}x{element}>", "tensor<?xf32>", f"tensor<?x{columns}xf32>"
    extend = "%w = arith.addf %l, %zero : f32" if element == "f32" else f"%w = arith.extf %l : {element} to f32"
    reduction = 'iterator_types = ["parallel", "reduction"]'
    return f"""#row = affine_map<(i, e) -> (i, e)>
#one = affine_map<(i, e) -> (i)>
#number = affine_map<(i, e) -> (e)>
func.func @main(%logits: {logits}) -> ({row}, {axes}, tensor<?xi64>) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %all = arith.constant {columns} : i64
  %tokens = tensor.dim %logits, %c0 : {logits}
  %empty = tensor.empty(%tokens) : {row}
  %start = linalg.fill ins(%least : f32) outs(%empty : {row}) -> {row}
  %top = linalg.generic {{indexing_maps = [#row, #one], {reduction}}} ins(%logits : {logits}) outs(%start : {row}) {{
  ^bb0(%l: {element}, %acc: f32):
    {extend}
    %m = arith.maximumf %acc, %w : f32
    linalg.yield %m : f32
  }} -> {row}
  %nothing = linalg.fill ins(%zero : f32) outs(%empty : {row}) -> {row}
  %sum = linalg.generic {{indexing_maps = [#row, #one, #one], {reduction}}}
      ins(%logits, %top : {logits}, {row}) outs(%nothing : {row}) {{
  ^bb0(%l: {element}, %t: f32, %acc: f32):
    {extend}
    %d = arith.subf %w, %t : f32
    %p = math.exp %d : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }} -> {row}
  %emptySoftmax = tensor.empty(%tokens) : {axes}
  %softmax = linalg.generic {{indexing_maps = [#row, #one, #one, #row], iterator_types = ["parallel", "parallel"]}}
      ins(%logits, %top, %sum : {logits}, {row}, {row}) outs(%emptySoftmax : {axes}) {{
  ^bb0(%l: {element}, %t: f32, %s: f32, %acc: f32):
    {extend}
    %d = arith.subf %w, %t : f32
    %p = math.exp %d : f32
    %q = arith.divf %p, %s : f32
    linalg.yield %q : f32
  }} -> {axes}
  %emptyNumbers = tensor.empty() : tensor<{columns}xi64>
  %numbers = linalg.generic {{indexing_maps = [affine_map<(e) -> (e)>], iterator_types = ["parallel"]}}
      outs(%emptyNumbers : tensor<{columns}xi64>) {{
  ^bb0(%acc: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  }} -> tensor<{columns}xi64>
  %emptyFirst = tensor.empty(%tokens) : tensor<?xi64>
  %none = linalg.fill ins(%all : i64) outs(%emptyFirst : tensor<?xi64>) -> tensor<?xi64>
  %first = linalg.generic {{indexing_maps = [#row, #one, #number, #one], {reduction}}}
      ins(%logits, %top, %numbers : {logits}, {row}, tensor<{columns}xi64>) outs(%none : tensor<?xi64>) {{
  ^bb0(%l: {element}, %t: f32, %n: i64, %acc: i64):
    {extend}
    %is = arith.cmpf oeq, %w, %t : f32
    %p = arith.select %is, %n, %all : i64
    %m = arith.minsi %acc, %p : i64
    linalg.yield %m : i64
  }} -> tensor<?xi64>
  return %sum, %softmax, %first : {row}, {axes}, tensor<?xi64>
}}
"""


def build(binaries, out, name):
    columns, element = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), router(columns, element))
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    if kernels != ["main_rows_0"]:
        raise RuntimeError(f"{name}: {kernels} instead of one for the rows")
    report = built.assemble()
    built.describe(name=name, columns=columns, element=element, **report)
    print(name, report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
