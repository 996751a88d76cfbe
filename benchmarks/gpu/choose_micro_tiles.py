#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler chooses for the points of a sweep, and at which price.

    choose_micro_tiles.py BIN --granularity RxK... --zeros S... --output FILE [--extents M N K]

BIN holds pit-opt. For each granularity and share of dead blocks, a product is
written whose mark says both; FILE gets what --pit-select-micro-tiles reports of it.
Needs no GPU. bench_micro_tiles.py measures the same points.
"""
import argparse
import json
import os
import re
import subprocess


def write_function(number, granularity, zeros, m, n, k):
    a, b, c, wide = f"tensor<{m}x{k}xbf16>", f"tensor<{k}x{n}xbf16>", f"tensor<{m}x{n}xbf16>", f"tensor<{m}x{n}xf32>"
    return f"""
func.func @point{number}(%a: {a}, %b: {b}) -> {c} {{
  %s = pit.sparse %a <kind = values, axes = [0, 1], tile = [{granularity[0]}, {granularity[1]}]>
    {{pit.live = {1 - zeros:.6f} : f64}} : {a}
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {wide}
  %z = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}
  %p = linalg.matmul ins(%s, %b : {a}, {b}) outs(%z : {wide}) -> {wide}
  %f = tensor.empty() : {c}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%p : {wide}) outs(%f : {c}) {{
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }} -> {c}
  return %r : {c}
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", metavar="BIN")
    parser.add_argument("--granularity", nargs="+", required=True)
    parser.add_argument("--zeros", nargs="+", type=float, required=True)
    parser.add_argument("--extents", nargs=3, type=int, default=[4096, 4096, 4096])
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    points = [(tuple(map(int, extents.split("x"))), zeros) for extents in options.granularity for zeros in options.zeros]
    program = "".join(write_function(i, *point, *options.extents) for i, point in enumerate(points))
    run = subprocess.run([os.path.join(options.binaries, "pit-opt"), "-", "--pit-select-micro-tiles=report",
                          "--mlir-disable-threading", "-o", os.devnull], input=program, text=True, capture_output=True,
                         check=True)
    remarks = re.findall(r"remark: micro-tiles for \S+, [\d.]+ % dead: (.*); chosen: (\S+)", run.stderr)
    if len(remarks) != len(points):
        raise RuntimeError(f"{len(remarks)} choices for {len(points)} points:\n{run.stderr[:2000]}")
    choices = []
    for (granularity, zeros), (prices, chosen) in zip(points, remarks):
        # Each is a name and its time.
        expected = {name: float(ms) for name, ms in re.findall(r"(\w+) ([\d.]+) ms", prices)}
        choices.append({"granularity": granularity, "zeros": zeros, "chosen": chosen, "expected_ms": expected})
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump({"m": options.extents[0], "n": options.extents[1], "k": options.extents[2], "choices": choices}, file)
        file.write("\n")


if __name__ == "__main__":
    main()
