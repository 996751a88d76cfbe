#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What skipping takes on the CPU, and the dense op in its place, by micro-tile and share of dead ones.

    bench_micro_tiles.py [--rounds N] [--machine TEXT] [--output FILE] [--shape MxNxK...] BIN

BIN holds pit-run, which times the detection and the rule of a product C[m,n] = A[m,k] * B[k,n] in f32, with A's zeros in
blocks, without dense variants; n = 1 is a sum along rows of A. The least time counts, as the machine may have other
work: of a dense op the least beside any micro-tile. Rounds go through all cases, so that a busy minute does not hit all
runs of one of them; `nice -n -15` helps as well. report/tile_database.py makes lib/Selection/Data of it.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

SHAPES = [(512, 256, 1024), (128, 128, 128), (512, 16, 512), (1024, 1, 2048)]
# Rows and depth; 0 is all of it.
TILES = [(1, 1), (1, 16), (1, 64), (8, 1), (32, 1), (128, 1), (32, 32), (64, 64), (1, 0), (0, 1)]
DEAD = [0, 0.25, 0.5, 0.7, 0.9, 1]

PROGRAM = """
func.func @main(%a: tensor<{m}x{k}xf32> {{pit.sparse = {{source = "values", axes = array<i64: {axes}>,
    granularity = array<i64: {granularity}>, absent = "zero"}}}}{more}) -> tensor<{result}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{result}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{result}xf32>) -> tensor<{result}xf32>
  {op}
  return %c : tensor<{result}xf32>
}}
"""
PRODUCT = ("%c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) "
           "outs(%f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>")
SUM = ("%c = linalg.reduce {{ arith.addf }} ins(%a : tensor<{m}x{k}xf32>) "
       "outs(%f : tensor<{m}xf32>) dimensions = [1]")


def get_tiles(shape):
    """All but those that are whole rows or columns under another name."""
    return [tile for tile in TILES if tile[0] != shape[0] and tile[1] != shape[2]]


def write_program(shape, tile):
    m, n, k = shape
    # Whole rows or columns are patterns of one axis.
    listed = [(axis, extent) for axis, extent in enumerate(tile) if extent]
    extents = {"m": m, "n": n, "k": k}
    return PROGRAM.format(**extents, axes=", ".join(str(axis) for axis, _ in listed),
                          granularity=", ".join(str(extent) for _, extent in listed),
                          more=f", %b: tensor<{k}x{n}xf32>" if n > 1 else "",
                          result=f"{m}x{n}" if n > 1 else f"{m}",
                          op=(PRODUCT if n > 1 else SUM).format(**extents))


def measure(pit_run, program, shape, tile, dead):
    """Milliseconds: of the detection, of the rule, of the dense op."""
    m, n, k = shape
    rows, depth = tile[0] or m, tile[1] or k
    command = [pit_run, program, "--target=cpu", "--threads=1", "--no-dense-variants", "--report",
               f"--random=block-sparse:{rows}x{depth}:{dead}"] + (["--random=normal"] if n > 1 else [])
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.search(r"^report: pattern 0 was found in ([\d.]+) ms$", text, re.MULTILINE)
    rule = re.search(r"^0 .* sparse +([\d.]+) +([\d.]+) +[\d.-]+$", text, re.MULTILINE)
    if not found or not rule:
        sys.exit(f"{' '.join(command)}: no times in\n{text}")
    return [float(found.group(1)), float(rule.group(1)), float(rule.group(2))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shape", action="append", help="such as 512x256x1024, instead of all")
    parser.add_argument("--machine", default="", help="what it was measured on")
    parser.add_argument("--output")
    options = parser.parse_args()
    shapes = [tuple(map(int, text.split("x"))) for text in options.shape or []] or SHAPES
    least = {}
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.mlir")
        for _ in range(options.rounds):
            for case in [(shape, tile, dead) for shape in shapes for tile in get_tiles(shape) for dead in DEAD]:
                with open(program, "w", encoding="utf-8") as file:
                    file.write(write_program(*case[:2]))
                times = measure(os.path.join(options.bin, "pit-run"), program, *case)
                least[case] = [min(pair) for pair in zip(times, least.get(case, times))]
                print(case, *least[case], flush=True)
    tiles = []
    for shape in shapes:
        dense = min(least[shape, tile, dead][2] for tile in get_tiles(shape) for dead in DEAD)
        for tile in get_tiles(shape):
            times = []
            for dead in DEAD:
                index, product, _ = least[shape, tile, dead]
                times.append({"zeros": dead, "granularity": [tile[0] or shape[0], tile[1] or shape[2]], "dense_ms": dense,
                              "variants": {"sparse": {"index_ms": index, "ms": round(index + product, 4)}}})
            tiles.append({**dict(zip("mnk", shape)), "times": times})
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": options.machine, "rounds": options.rounds, "tiles": tiles, "cases": []},
                      file, indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
