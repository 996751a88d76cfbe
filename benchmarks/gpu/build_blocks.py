#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products of a matrix with dead micro-tiles, written dense, for bench_blocks.py.

    build_blocks.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand also
kernels.cubin, and its report must be free of spills and advisories. A name may end
in @STRIPS, for tiles of as many strips of rows (or, of micro-tiles of one row, for
steps of as many pieces of k), or @sparse, for a kernel that never multiplies what is
dead. Needs no GPU, no numpy.
"""
import os
import re
import subprocess

import builder

# name: m (None is dynamic), n, k, extents of the micro-tile (None is no mark), and what differs from values of A, bf16,
# A stored [m, k], and B stored [k, n].
CASES = {
    "dense": (4096, 4096, 4096, None, {}),
    "32x64": (4096, 4096, 4096, (32, 64), {}),
    "64x64": (4096, 4096, 4096, (64, 64), {}),
    "32x32": (4096, 4096, 4096, (32, 32), {}),
    "16x128": (4096, 4096, 4096, (16, 128), {}),
    "16x64": (4096, 4096, 4096, (16, 64), {}),
    "128x64": (4096, 4096, 4096, (128, 64), {}),
    "128x128": (4096, 4096, 4096, (128, 128), {}),
    # Pieces of rows, gathered.
    "1x64": (4096, 4096, 4096, (1, 64), {}),
    "1x64-given": (4096, 4096, 4096, (1, 64), {"source": "blocks"}),
    "tails-1x64": (1000, 320, 1152, (1, 64), {}),
    "tails-1x64-f16": (1160, 128, 4224, (1, 64), {"source": "blocks", "element": "f16"}),
    "long-1x64": (600, 192, 40000, (1, 64), {}),
    # With the dense product in the same launch, whose tiles all extents end in.
    "wide-1x64": (1056, 1984, 192, (1, 64), {}),
    "wide-1x64-given": (1056, 1984, 192, (1, 64), {"source": "blocks"}),
    "rows-1x64-given": (None, 1984, 1152, (1, 64), {"source": "blocks", "element": "f16"}),
    "rows-1x64": (None, 1984, 1152, (1, 64), {"element": "f16"}),
    "one-1x64": (1, 64, 64, (1, 64), {"source": "blocks"}),
    "dynamic-1x64": (None, 512, 1024, (1, 64), {"source": "blocks"}),
    "given": (4096, 4096, 4096, (32, 64), {"source": "blocks"}),
    # With the dense product in the same launch, where what is dead comes as zeros.
    "given-tails": (1056, 1984, 1112, (32, 64), {"source": "blocks", "epilogue": True}),
    "given-16x64": (1160, 1992, 328, (16, 64), {"source": "blocks", "element": "f16"}),
    "given-128x128": (None, 1984, 1112, (128, 128), {"source": "blocks", "transposed": True}),
    "km-given-64x64": (1160, 1984, 1112, (64, 64), {"stored_km": True, "source": "blocks"}),
    "b-given-64x64": (1056, 1992, 1112, (64, 64), {"operand": "b", "source": "blocks", "epilogue": True}),
    "bt-given-32x64": (1160, 1992, 1112, (32, 64), {"operand": "b", "transposed": True, "source": "blocks"}),
    "bt-given-16x128": (1056, 1992, 4104, (16, 128), {"operand": "b", "transposed": True, "element": "f16", "source": "blocks"}),
    "transposed": (4096, 4096, 4096, (32, 64), {"transposed": True}),
    "bias-relu": (4096, 4096, 4096, (32, 64), {"epilogue": True}),
    # Ends inside of tiles, strips, micro-tiles and words; more than one chunk of words.
    "tails": (1000, 328, 1112, (32, 64), {}),
    "tails-f16": (1000, 328, 1112, (32, 64), {"element": "f16"}),
    "tails-64x64": (1000, 328, 1112, (64, 64), {"transposed": True, "epilogue": True}),
    "tails-32x32": (1000, 328, 1112, (32, 32), {}),
    "tails-8x16": (1000, 328, 1112, (8, 16), {}),
    "tails-16x256": (1000, 328, 1112, (16, 256), {"epilogue": True}),
    "tails-128x64": (1000, 328, 1112, (128, 64), {"transposed": True}),
    "tails-128x128": (1000, 328, 4240, (128, 128), {}),
    "tails-96x64": (1000, 328, 1112, (96, 64), {}),
    "long": (320, 264, 40000, (32, 64), {}),
    "long-16x64": (320, 264, 40000, (16, 64), {"source": "blocks"}),
    "one": (8, 8, 8, (32, 64), {}),
    # Of few k each: packed.
    "32x1": (4096, 4096, 4096, (32, 1), {}),
    "16x1": (4096, 4096, 4096, (16, 1), {}),
    "64x1": (4096, 4096, 4096, (64, 1), {}),
    "32x2": (4096, 4096, 4096, (32, 2), {}),
    "32x4": (4096, 4096, 4096, (32, 4), {}),
    "32x8": (4096, 4096, 4096, (32, 8), {}),
    "32x16": (4096, 4096, 4096, (32, 16), {}),
    "64x8": (4096, 4096, 4096, (64, 8), {}),
    "tails-32x1": (1000, 320, 1112, (32, 1), {"epilogue": True}),
    "tails-16x2": (1000, 448, 2056, (16, 2), {"element": "f16"}),
    "tails-64x4": (1000, 1088, 1112, (64, 4), {}),
    "tails-32x16": (1000, 320, 1112, (32, 16), {}),
    # With the dense product in the same launch, for which nothing is packed.
    "wide-32x1": (1056, 1984, 1112, (32, 1), {"epilogue": True}),
    "wide-16x2": (None, 1984, 1544, (16, 2), {"element": "f16"}),
    "wide-32x4": (None, 1984, 1288, (32, 4), {"epilogue": True}),
    "wide-64x16": (1160, 1984, 2056, (64, 16), {}),
    # Given by a mask.
    "32x1-given": (4096, 4096, 4096, (32, 1), {"source": "blocks"}),
    "64x1-given": (4096, 4096, 4096, (64, 1), {"source": "blocks"}),
    "16x1-given": (4096, 4096, 4096, (16, 1), {"source": "blocks"}),
    "32x4-given": (4096, 4096, 4096, (32, 4), {"source": "blocks"}),
    "32x16-given": (4096, 4096, 4096, (32, 16), {"source": "blocks"}),
    "16x64-given": (4096, 4096, 4096, (16, 64), {"source": "blocks"}),
    "64x64-given": (4096, 4096, 4096, (64, 64), {"source": "blocks"}),
    "128x128-given": (4096, 4096, 4096, (128, 128), {"source": "blocks"}),
    "2x1": (4096, 4096, 4096, (2, 1), {}),
    "4x1": (4096, 4096, 4096, (4, 1), {}),
    "8x1": (4096, 4096, 4096, (8, 1), {}),
    "2x2": (4096, 4096, 4096, (2, 2), {}),
    "4x4": (4096, 4096, 4096, (4, 4), {}),
    # Which no kernel follows: dead ones become zeros, which are found in larger micro-tiles.
    "2x1-given": (4096, 4096, 4096, (2, 1), {"source": "blocks"}),
    "4x1-given": (4096, 4096, 4096, (4, 1), {"source": "blocks"}),
    "8x1-given": (4096, 4096, 4096, (8, 1), {"source": "blocks"}),
    "2x2-given": (4096, 4096, 4096, (2, 2), {"source": "blocks"}),
    "4x4-given": (4096, 4096, 4096, (4, 4), {"source": "blocks"}),
    "tails-4x2-given": (1000, 320, 1112, (4, 2), {"source": "blocks", "epilogue": True}),
    "rows-2x1-given": (None, 1984, 1112, (2, 1), {"source": "blocks", "element": "f16"}),
    "b-2x2-given": (1000, 328, 1112, (2, 2), {"operand": "b", "source": "blocks"}),
    "bt-4x4-given": (520, 264, 1112, (4, 4), {"operand": "b", "transposed": True, "source": "blocks"}),
    "tails-32x1-given": (1000, 320, 1112, (32, 1), {"source": "blocks", "epilogue": True}),
    "tails-16x2-given": (1000, 448, 2056, (16, 2), {"source": "blocks", "element": "f16"}),
    "tails-64x4-given": (None, 1088, 1112, (64, 4), {"source": "blocks"}),
    "tails-32x8-given": (1000, 320, 1112, (32, 8), {"source": "blocks"}),
    "tails-32x16-given": (1000, 320, 1112, (32, 16), {"source": "blocks"}),
    "few-16x1-given": (16, 512, 4096, (16, 1), {"source": "blocks"}),
    # With the dense product in the same launch, which applies the mask.
    "wide-32x1-given": (1056, 1984, 1112, (32, 1), {"source": "blocks", "epilogue": True}),
    "wide-16x2-given": (None, 1984, 1544, (16, 2), {"source": "blocks", "element": "f16"}),
    "wide-64x16-given": (1160, 1984, 2056, (64, 16), {"source": "blocks"}),
    "long-32x1": (320, 256, 40000, (32, 1), {}),
    "one-16x1": (16, 64, 512, (16, 1), {}),
    "small-32x1": (70, 192, 1048, (32, 1), {}),
    "small-64x1": (130, 128, 520, (64, 1), {"element": "f16", "epilogue": True}),
    # Few rows: clusters of blocks share the parts of k.
    "few-16x1": (16, 512, 4096, (16, 1), {}),
    "few-4x1": (4, 576, 2048, (4, 1), {"epilogue": True}),
    "few-2x1": (2, 2048, 3000, (2, 1), {"element": "f16"}),
    "few-32x1": (32, 1088, 3000, (32, 1), {"epilogue": True}),
    "few-64x2": (64, 192, 9000, (64, 2), {}),
    "few-of-70": (70, 320, 5000, (32, 1), {}),
    # The second product of OPT's feed-forward layers, of 4096 tokens.
    "opt-1.3b": (4096, 2048, 8192, (32, 1), {}),
    "opt-13b": (4096, 5120, 20480, (32, 1), {}),
    "opt-30b": (4096, 7168, 28672, (32, 1), {}),
    # Dead micro-tiles of B: columns and k.
    "b-32x64": (4096, 4096, 4096, (32, 64), {"operand": "b"}),
    "b-given": (4096, 4096, 4096, (32, 64), {"operand": "b", "source": "blocks"}),
    "b-64x64": (4096, 4096, 4096, (64, 64), {"operand": "b"}),
    "b-128x64": (4096, 4096, 4096, (128, 64), {"operand": "b"}),
    "bt-32x64": (4096, 4096, 4096, (32, 64), {"operand": "b", "transposed": True}),
    "bt-given": (4096, 4096, 4096, (32, 64), {"operand": "b", "transposed": True, "source": "blocks"}),
    "b-tails": (1000, 328, 1112, (32, 64), {"operand": "b"}),
    "b-tails-f16": (999, 328, 1112, (32, 64), {"operand": "b", "element": "f16", "epilogue": True}),
    "b-tails-16x64": (1000, 328, 1112, (16, 64), {"operand": "b"}),
    "b-tails-64x128": (1000, 328, 1112, (64, 128), {"operand": "b", "epilogue": True}),
    "b-tails-128x64": (1000, 328, 4240, (128, 64), {"operand": "b", "source": "blocks", "epilogue": True}),
    "b-long": (320, 264, 40000, (32, 64), {"operand": "b", "source": "blocks"}),
    "b-wide": (200, 2600, 520, (32, 64), {"operand": "b"}),
    "b-dynamic": (None, 512, 1024, (32, 64), {"operand": "b", "epilogue": True}),
    "b-one": (1, 8, 8, (32, 64), {"operand": "b"}),
    "bt-tails": (1000, 328, 1112, (32, 64), {"operand": "b", "transposed": True, "epilogue": True}),
    "bt-tails-8x16": (1000, 328, 1112, (8, 16), {"operand": "b", "transposed": True}),
    "bt-tails-64x64": (1000, 328, 1112, (64, 64), {"operand": "b", "transposed": True, "source": "blocks"}),
    "bt-tails-128x256": (999, 328, 1112, (128, 256), {"operand": "b", "transposed": True, "element": "f16"}),
    "bt-dynamic": (None, 512, 1024, (32, 64), {"operand": "b", "transposed": True, "epilogue": True}),
    # Dead micro-tiles of an A stored [k, m].
    "km-tails": (1000, 328, 1112, (32, 64), {"stored_km": True, "epilogue": True}),
    "km-given": (1000, 328, 1112, (64, 128), {"stored_km": True, "source": "blocks", "transposed": True}),
    "km-32x64": (4096, 4096, 4096, (32, 64), {"stored_km": True}),
    "dynamic-32x1": (None, 512, 1024, (32, 1), {"epilogue": True}),
    "dynamic": (None, 512, 1024, (32, 64), {"epilogue": True}),
}
# Masks that no kernel follows.
CLEARED = [name for name, (*_, tile, options) in CASES.items()
           if options.get("source") == "blocks" and tile[0] < 16 and tile != (1, 64)]
# Tiles of fewer strips than there may be.
FEWER_STRIPS = ["32x64@1", "32x64@2", "tails@1"]
# Micro-tiles of one row, with a wish for how many of a row are gathered together where more than a few are live.
ROWS = ["1x64@1", "1x64@2", "1x64-given@1", "1x64-given@2", "tails-1x64@1", "tails-1x64@2", "tails-1x64-f16@1", "tails-1x64-f16@2", "long-1x64@1",
        "long-1x64@2", "dynamic-1x64@1", "dynamic-1x64@2"]
# What the tile database has: all that multiply nothing dead.
MICRO_TILES = [f"{extents}@sparse" for extents in ("1x64", "16x1", "32x1", "64x1", "32x4", "64x8", "32x16", "32x32", "16x64", "32x64", "64x64",
                                                   "128x64", "128x128")]


def write_program(m, n, k, tile, source="values", element="bf16", transposed=False, epilogue=False, operand="a",
                  stored_km=False):
    """C = A * B, or max(A * B + bias, 0), rounded; `operand` has the micro-tiles."""
    rows = "?" if m is None else str(m)
    c, wide = f"tensor<{rows}x{n}x{element}>", f"tensor<{rows}x{n}xf32>"
    a = f"tensor<{k}x{rows}x{element}>" if stored_km else f"tensor<{rows}x{k}x{element}>"
    b = f"tensor<{n}x{k}x{element}>" if transposed else f"tensor<{k}x{n}x{element}>"
    mark, live = "", []
    if tile:
        # As the operand's axes lie.
        turned = stored_km if operand == "a" else not transposed
        extents = (m if operand == "a" else n), k
        grid = ["?" if extent is None else str(-(-extent // size)) for extent, size in zip(extents, tile)]
        if turned:
            tile, grid = tile[::-1], grid[::-1]
        from_number = 1 if operand == "a" else 2
        mark = f"""{{pit.sparse = {{
      source = "{source}", axes = array<i64: 0, 1>, {f'from = {from_number} : i64, ' if source == 'blocks' else ''}
      granularity = array<i64: {tile[0]}, {tile[1]}>, absent = "zero"}}}}"""
        if source == "blocks":
            live = [f"%live: tensor<{'x'.join(grid)}xi1>"]
    arguments = [f"%a: {a} {mark}", *live, f"%b: {b}"] if operand == "a" else [f"%a: {a}", f"%b: {b} {mark}", *live]
    if epilogue:
        arguments.append(f"%bias: tensor<{n}xf32>")
    size = "" if m is not None else "%m"
    reads = f", %bias : {wide}, tensor<{n}xf32>" if epilogue else f" : {wide}"
    maps = ["affine_map<(i, j) -> (i, j)>"] * 2
    if epilogue:
        maps.insert(1, "affine_map<(i, j) -> (j)>")
    return f"""
func.func @main({', '.join(arguments)}) -> {c} {{
  %axis = arith.constant {1 if stored_km else 0} : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %axis : {a}
{builder.write_sum(a, b, wide, size, element, stored_km, transposed)}
  %f = tensor.empty({size}) : {c}
  %r = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = ["parallel", "parallel"]}}
      ins(%s{reads}) outs(%f : {c}) {{
  ^bb0(%x: f32, {'%v: f32, ' if epilogue else ''}%o: {element}):
    {'%w = arith.addf %x, %v : f32' if epilogue else ''}
    {'%u = arith.maximumf %w, %zero : f32' if epilogue else ''}
    %t = arith.truncf {'%u' if epilogue else '%x'} : f32 to {element}
    linalg.yield %t : {element}
  }} -> {c}
  return %r : {c}
}}
"""


def write_tiled(binaries, program, wish):
    """The program as far as the tiled op, with a wish for its kernel."""
    passes = ["annotate-axes", "materialize-marks", "normalize", "propagate-sparsity"]
    flags = [f"--pit-{name}" for name in passes] + ["--convert-linalg-to-pit", "--pit-tile-rules"]
    tiled = subprocess.run([os.path.join(binaries, "pit-opt"), "-", *flags], input=program, check=True,
                           capture_output=True, text=True).stdout
    text, count = re.subn(r"(pit\.tiled tile \d+ \{)", rf"\1{wish}, ", tiled)
    if count != 1:
        raise RuntimeError(f"{count} tiled ops:\n{tiled}")
    return text


def build(binaries, out, name):
    base, _, wish = name.partition("@")
    m, n, k, tile, options = CASES[base]
    program = write_program(m, n, k, tile, **options)
    if wish:
        number = "pieces_of_group" if tile[0] == 1 else "strips_of_tile"
        wish = "pit.dense_variant = false" if wish == "sparse" else f"pit.{number} = {wish} : i64"
        program = write_tiled(binaries, program, wish)
    built = builder.Built(binaries, os.path.join(out, name), program)
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    found = list(kernels)
    # What clears dead elements is elementwise, and comes first.
    if base in CLEARED and re.fullmatch(r"main_\d+", found[0]):
        del found[0]
    if ["detect" in kernel for kernel in found] != [True, False][tile is None:] or "contraction" not in found[-1]:
        raise RuntimeError(f"{name}: not one kernel that finds bits and one that walks them: {kernels}")
    report = built.assemble(kernels="contraction")
    built.describe(name=name, m=m, n=n, k=k, tile=tile, **options, **report)


if __name__ == "__main__":
    builder.main(__doc__, [*CASES, *FEWER_STRIPS, *ROWS, *MICRO_TILES], build)
