#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products of which only blocks are sampled (SDDMM), written dense, for bench_sampled.py.

    build_sampled.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT, as those of
build_blocks.py. Needs no GPU, no numpy.
"""
import os

import builder

# name: m (None is dynamic), n, k, extents of the blocks, and what differs from bf16, B stored [k, n] and no bias.
CASES = {
    "128x128": (4096, 4096, 4096, (128, 128), {}),
    "64x64": (4096, 4096, 4096, (64, 64), {}),
    "128x256": (4096, 4096, 4096, (128, 256), {}),
    "64x128": (4096, 4096, 4096, (64, 128), {}),
    "64x256": (4096, 4096, 4096, (64, 256), {}),
    "128x64": (4096, 4096, 4096, (128, 64), {}),
    "transposed": (4096, 4096, 4096, (128, 128), {"transposed": True}),
    "tails-128x128": (1000, 328, 1112, (128, 128), {"epilogue": True}),
    "tails-64x64": (999, 328, 1112, (64, 64), {"element": "f16", "transposed": True}),
    "tails-256x64": (1000, 328, 200, (256, 64), {"epilogue": True, "transposed": True}),
    "tails-64x512": (1000, 1096, 200, (64, 512), {}),
    "many": (300, 9000, 72, (64, 64), {"epilogue": True}),
    "dynamic": (None, 520, 264, (64, 128), {"epilogue": True}),
    "one": (128, 128, 64, (128, 128), {}),
}


def write_program(m, n, k, block, element="bf16", transposed=False, epilogue=False):
    """C = A * B, or max(A * B + bias, 0), rounded, where a block is sampled, else 0."""
    rows, size = ("?", "%m") if m is None else (str(m), "")
    a, c, wide = f"tensor<{rows}x{k}x{element}>", f"tensor<{rows}x{n}x{element}>", f"tensor<{rows}x{n}xf32>"
    b = f"tensor<{n}x{k}x{element}>" if transposed else f"tensor<{k}x{n}x{element}>"
    grid = ["?" if m is None else str(-(-m // block[0])), str(-(-n // block[1]))]
    bias = f", %bias: tensor<{n}xf32>" if epilogue else ""
    reads = f", %bias : {wide}, tensor<{n}xf32>" if epilogue else f" : {wide}"
    maps = ["affine_map<(i, j) -> (i, j)>"] * 2
    if epilogue:
        maps.insert(1, "affine_map<(i, j) -> (j)>")
    work = """    %w = arith.addf %x, %v : f32
    %u = arith.maximumf %w, %zero : f32
""" if epilogue else ""
    return f"""
func.func @main(%a: {a}, %b: {b}, %live: tensor<{'x'.join(grid)}xi1>{bias}) -> {c} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : {a}
{builder.write_sum(a, b, wide, size, element, transposed=transposed)}
  %f = tensor.empty({size}) : {c}
  %r = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = ["parallel", "parallel"]}}
      ins(%s{reads}) outs(%f : {c}) attrs = {{pit.sparse = {{
        source = "blocks", from = 2 : i64, axes = array<i64: 0, 1>,
        granularity = array<i64: {block[0]}, {block[1]}>, absent = "zero"}}}} {{
  ^bb0(%x: f32, {'%v: f32, ' if epilogue else ''}%o: {element}):
{work}    %t = arith.truncf {'%u' if epilogue else '%x'} : f32 to {element}
    linalg.yield %t : {element}
  }} -> {c}
  return %r : {c}
}}
"""


def build(binaries, out, name):
    m, n, k, block, options = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), write_program(m, n, k, block, **options))
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    if sum("contraction" in kernel for kernel in kernels) != 1 or "contraction" not in kernels[-1]:
        raise RuntimeError(f"{name}: not one kernel that computes sampled blocks, as the last: {kernels}")
    report = built.assemble()
    built.describe(name=name, m=m, n=n, k=k, tile=block, **options, **report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
