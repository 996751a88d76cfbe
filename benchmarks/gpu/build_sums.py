#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sums of listed rows through the inverse of an index, for bench_sums.py.

    build_sums.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand also
kernels.cubin, and its report must be free of spills and advisories. Needs no
GPU, no numpy.
"""
import os

import builder

# name: tokens, experts, columns (None is dynamic), top_k for measuring, and what differs from rows and results of bf16.
CASES = {
    "qwen3": (8192, 128, 2048, 8, {}),
    "qwen3-f32": (8192, 128, 2048, 8, {"rows": "f32"}),
    "qwen3-dynamic": (None, 128, 2048, 8, {}),
    "mixtral": (4096, 8, 4096, 2, {}),
    "mixtral-f32": (4096, 8, 4096, 2, {"rows": "f32"}),
    "switch": (8192, 128, 768, 1, {}),
    "deepseek": (4096, 256, 7168, 8, {}),
    # Every width of vectors and rows, many segments, sums that go on.
    "tails": (None, None, 20, 0, {}),
    "tails-f32": (None, None, 12, 0, {"rows": "f32", "out": "f32"}),
    "tails-f16": (None, None, 264, 0, {"rows": "f16", "out": "f16"}),
    "tails-odd": (None, None, 7, 0, {"rows": "f32", "out": "f32"}),
    "tails-columns": (None, None, None, 0, {"out": "f32"}),
    "tails-long": (None, None, 4104, 0, {"out": "f32"}),
    "tails-added": (None, 40, 72, 0, {"out": "f32", "added": True}),
    "tails-wide": (None, None, 64, 0, {"width": 64}),
}


def gated_sum(tokens, experts, columns, rows="bf16", out="bf16", width=32, added=False, top_k=0):
    """Rows that experts computed of their tokens, times gates per row, summed per token."""
    t, e, d = ("?" if n is None else str(n) for n in (tokens, experts, columns))
    n = "?" if tokens is None or not top_k else str(tokens * top_k)
    te = "?" if tokens is None else str(tokens + 1)
    ee = "?" if experts is None else str(experts + 1)
    index = f"!pit.index_buffer<!pit.index<[{t}, {e}], coordinate = 0, tile = [1, 1], width = {width}>>"
    inverse = f"!pit.index_buffer<!pit.index<[{t}, {n}], coordinate = 1, tile = [1, 1], width = 32>>"
    extents = [v for v, size in (("%t", t), ("%e", e)) if size == "?"]
    ends = [v for v, size in (("%t", t), ("%n", n)) if size == "?"]
    use = lambda names: f" extents({', '.join(names)})" if names else ""
    sizes = ", ".join(v for v, size in (("%t", t), ("%d", d)) if size == "?")
    tile = lambda shape, element: (f"memref<{shape}x{element}, strided<[{', '.join('?' * len(shape.split('x')))}], "
                                   "offset: ?>>")
    tg, tr, ty = tile("?", "f32"), tile(f"?x{d}", rows), tile(d, "f32")
    wide = "%r" if rows == "f32" else "%w"
    extend = "" if rows == "f32" else f"%w = arith.extf %r : {rows} to f32"
    y = f"memref<{t}x{d}xf32>"
    start = f"""%y = memref.alloc({sizes}) : {y}
  linalg.fill ins(%zero : f32) outs(%y : {y})"""
    end = f"""linalg.generic {{indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>],
                  iterator_types = ["parallel", "parallel"]}} ins(%y : {y}) outs(%z : memref<{t}x{d}x{out}>) {{
  ^bb0(%x: f32, %before: {out}):
    %rounded = arith.truncf %x : f32 to {out}
    linalg.yield %rounded : {out}
  }}"""
    if out == "f32":
        start, end = ("" if added else f"linalg.fill ins(%zero : f32) outs(%z : {y})"), ""
    result = "%z" if out == "f32" else "%y"
    return f"""
func.func @main(%gates: memref<{n}xf32>, %rows: memref<{n}x{d}x{rows}>, %offsets: memref<{ee}xi64>,
                %tokens: memref<{n}xi{width}>, %z: memref<{t}x{d}x{out}>, %t: index, %e: index) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %gates, %c0 : memref<{n}xf32>
  %d = memref.dim %z, %c1 : memref<{t}x{d}x{out}>
  %te = arith.addi %t, %c1 : index
  %from = pit.assemble %offsets, %tokens{use(extents)} : memref<{ee}xi64>, memref<{n}xi{width}> -> {index}
  %o = memref.alloc({"%te" if tokens is None else ""}) : memref<{te}xi64>
  %c = memref.alloc({"%n" if n == "?" else ""}) : memref<{n}xi32>
  pit.invert_into %from outs(%o, %c : memref<{te}xi64>, memref<{n}xi32>) : {index}
  %inverse = pit.assemble %o, %c{use(ends)} : memref<{te}xi64>, memref<{n}xi32> -> {inverse}
  {start}
  pit.tiled tile 64 {{dims = [array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>],
                     packed = array<i1: false, false, false>}}
      over(%inverse : {inverse}) ins(%gates, %rows : memref<{n}xf32>, memref<{n}x{d}x{rows}>) outs({result} : {y}) {{
  ^bb0(%tg: {tg}, %tr: {tr}, %ty: {ty}):
    linalg.generic {{indexing_maps = [affine_map<(p, d) -> (p)>, affine_map<(p, d) -> (p, d)>, affine_map<(p, d) -> (d)>],
                    iterator_types = ["reduction", "parallel"]}} ins(%tg, %tr : {tg}, {tr}) outs(%ty : {ty}) {{
    ^bb1(%g: f32, %r: {rows}, %acc: f32):
      {extend}
      %m = arith.mulf %g, {wide} : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    }}
    pit.yield
  }}
  {end}
  return
}}
"""


def build(binaries, out, name):
    tokens, experts, columns, top_k, options = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name),
                          gated_sum(tokens, experts, columns, top_k=top_k, **options), "--pit-buffers-to-ptx")
    kernels = built.ptx.count(".visible .entry")
    if kernels != 2 or "main_sum_0" not in built.ptx:
        raise RuntimeError(f"{name}: {kernels} kernels instead of one that inverts and one that sums")
    report = built.assemble()
    built.describe(name=name, tokens=tokens, experts=experts, columns=columns, top_k=top_k, **options, **report)
    print(name, report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
