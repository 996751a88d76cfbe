#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products of segments of rows with one matrix each, for bench_grouped.py.

    build_grouped.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand also
kernels.cubin, and its report must be free of spills and advisories. Needs no
GPU, no numpy.
"""
import os

import builder
from build_matmul import pipeline_options, product_of

# f32 as tf32, which matrix instructions only take along k.
TF32 = {"b": "enk", "dtype": "f32", "out": "f32", "products": "tf32"}

# name: segments (None is dynamic), n, k, and what differs from A gathered, B [e,k,n] bf16, C packed bf16.
CASES = {
    # Mixtures of experts: first product with gate and up columns, second product.
    "mixtral-up": (8, 28672, 4096, {}),
    "mixtral-down": (8, 4096, 14336, {"a": "packed"}),
    "qwen3-up": (128, 1536, 2048, {}),
    "qwen3-down": (128, 2048, 768, {"a": "packed"}),
    "deepseek-up": (256, 4096, 7168, {}),
    "deepseek-down": (256, 7168, 2048, {"a": "packed"}),
    "switch-up": (128, 3072, 768, {}),
    "switch-down": (128, 768, 3072, {"a": "packed"}),
    # Extents that end inside tiles, every way to load and store.
    "tails": (None, 328, 200, {}),
    "tails-nk": (None, 328, 200, {"b": "enk"}),
    "tails-packed": (None, 328, 200, {"a": "packed"}),
    "tails-packed-nk": (None, 320, 192, {"a": "packed", "b": "enk"}),
    "tails-f16": (None, 264, 72, {"dtype": "f16", "out": "f16"}),
    "tails-f32": (None, 328, 200, {"out": "f32"}),
    "tails-scattered": (6, 328, 200, {"c": "scattered"}),
    "tails-scattered-f32": (6, 320, 192, {"a": "packed", "c": "scattered", "out": "f32", "b": "enk"}),
    "tails-tf32": (None, 328, 200, {**TF32, "a": "packed"}),
    "tails-tf32-scattered": (6, 328, 204, {**TF32, "a": "packed", "c": "scattered"}),
    "tails-tf32-rounded": (None, 264, 72, {**TF32, "a": "packed", "out": "bf16"}),
    "tails-tf32-short": (None, 264, 72, {**TF32, "a": "packed", "out": "bf16", "short": True, "draw": True}),
    "tails-short": (None, 328, 200, {"short": True}),
    "tails-short-nk": (None, 328, 200, {"short": True, "b": "enk", "draw": True}),
    "tails-short-packed": (None, 328, 200, {"short": True, "a": "packed"}),
    "tails-short-f16": (None, 264, 72, {"short": True, "dtype": "f16", "out": "f16"}),
    "tails-short-scattered": (6, 320, 192, {"short": True, "b": "enk", "c": "scattered"}),
    "tails-drawn": (None, 328, 200, {"draw": True}),
    "tails-drawn-packed": (None, 328, 200, {"a": "packed", "draw": True}),
    "tails-drawn-nk": (None, 320, 192, {"b": "enk", "draw": True}),
    "tails-drawn-scattered-f32": (6, 328, 200, {"c": "scattered", "out": "f32", "draw": True}),
    "even": (None, 512, 256, {}),
    "even-packed": (None, 512, 256, {"a": "packed"}),
}

for _name in [name for name in CASES if name.split("-")[0] in ("mixtral", "qwen3", "deepseek", "switch")]:
    _segments, _n, _k, _options = CASES[_name]
    CASES[_name + "-drawn"] = (_segments, _n, _k, {**_options, "draw": True})
    CASES[_name + "-short"] = (_segments, _n, _k, {**_options, "short": True})
    CASES[_name + "-short-drawn"] = (_segments, _n, _k, {**_options, "short": True, "draw": True})


def grouped_matmul(segments, n, k, a="gathered", b="ekn", c="packed", dtype="bf16", out="bf16", short=False,
                   draw=False, products=None):
    """In buffers, at the level of tiles: rows that an index lists per segment, times the segment's matrix."""
    extents = {"e": "?" if segments is None else str(segments), "n": str(n), "k": str(k), "t": "?"}

    def memref(axes, element, tile=False):
        layout = ", strided<[" + ", ".join("?" * len(axes)) + "], offset: ?>" if tile else ""
        return f"memref<{'x'.join(extents[axis] for axis in axes)}x{element}{layout}>"

    index = f"!pit.index_buffer<!pit.index<[?, {extents['e']}], coordinate = 0, tile = [1, 1], width = 32>>"
    ends = "?" if segments is None else segments + 1
    axes_c = "tn" if c == "packed" else "ten"
    ta, tb, tc = memref("tk", dtype, True), memref(b[1:], dtype, True), memref("tn", out, True)
    product = tc if out == "f32" else memref("tn", "f32")
    dims = ["0, -1", "-1, 0", "0, -1" if c == "packed" else "0, 1"]
    packed = [a == "packed", False, c == "packed"]
    hints = f", pit.short_segments = {str(short).lower()}, pit.draw_tiles = {str(draw).lower()}"
    dynamic = ", %segments" if segments is None else ""
    text = f"""
func.func @main(%a: {memref("tk", dtype)}, %b: {memref(b, dtype)}, %rows: memref<?xi32>,
                %offsets: memref<{ends}xi64>, %tokens: index, %c: {memref(axes_c, out)}) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %segments = memref.dim %b, %c0 : {memref(b, dtype)}
  %i = pit.assemble %offsets, %rows extents(%tokens{dynamic}) : memref<{ends}xi64>, memref<?xi32> -> {index}
  pit.tiled tile 128 {{dims = [{', '.join(f'array<i64: {d}>' for d in dims)}], packed = array<i1: {', '.join(str(p).lower() for p in packed)}>{hints}}}
      over(%i : {index}) ins(%a, %b : {memref("tk", dtype)}, {memref(b, dtype)}) outs(%c : {memref(axes_c, out)}) {{
  ^bb0(%ta: {ta}, %tb: {tb}, %tc: {tc}):
    SUM
    linalg.fill ins(%zero : f32) outs(%sum : {product})
    linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({', '.join(b[1:])})>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%ta, %tb : {ta}, {tb}) outs(%sum : {product}) {{
    ^bb0(%x: {dtype}, %y: {dtype}, %acc: f32):
      {product_of(dtype)}
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }}
    ROUND
    pit.yield
  }}
  return
}}
"""
    if out == "f32":
        return text.replace("SUM", "").replace("ROUND", "").replace("%sum", "%tc")
    text = text.replace("SUM", f"%m = memref.dim %ta, %c0 : {ta}\n    %sum = memref.alloc(%m) : {product}")
    return text.replace("ROUND", f"""linalg.generic {{
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sum : {product}) outs(%tc : {tc}) {{
    ^bb0(%x: f32, %o: {out}):
      %t = arith.truncf %x : f32 to {out}
      linalg.yield %t : {out}
    }}
    memref.dealloc %sum : {product}""")


def build(binaries, out, name):
    segments, n, k, options = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), grouped_matmul(segments, n, k, **options),
                          "--pit-buffers-to-ptx", f"chip=sm_90a{pipeline_options(options)}")
    if "wgmma" not in built.ptx:
        raise RuntimeError(f"{name}: not one kernel for the matrix units")
    report = built.assemble()
    built.describe(name=name, segments=segments, n=n, k=k, **options, **report)
    print(name, report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
