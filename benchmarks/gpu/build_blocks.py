#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products of a matrix with dead micro-tiles, written dense, for bench_blocks.py.

    build_blocks.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand also
kernels.cubin, and its report must be free of spills and advisories. A name may end
in @STRIPS, for tiles of as many strips of rows. Needs no GPU, no numpy.
"""
import json
import os
import re
import subprocess
import sys

from build_matmul import assemble

# name: m (None is dynamic), n, k, extents of the micro-tile, and what differs from values, bf16, and B stored [k, n].
CASES = {
    "32x64": (4096, 4096, 4096, (32, 64), {}),
    "64x64": (4096, 4096, 4096, (64, 64), {}),
    "32x32": (4096, 4096, 4096, (32, 32), {}),
    "16x128": (4096, 4096, 4096, (16, 128), {}),
    "128x128": (4096, 4096, 4096, (128, 128), {}),
    "given": (4096, 4096, 4096, (32, 64), {"source": "blocks"}),
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
    "tails-96x64": (1000, 328, 1112, (96, 64), {}),
    "long": (320, 264, 40000, (32, 64), {}),
    "long-16x64": (320, 264, 40000, (16, 64), {"source": "blocks"}),
    "one": (8, 8, 8, (32, 64), {}),
    "dynamic": (None, 512, 1024, (32, 64), {"epilogue": True}),
}


def write_program(m, n, k, tile, source="values", element="bf16", transposed=False, epilogue=False):
    """C = A * B, or max(A * B + bias, 0), rounded."""
    rows = "?" if m is None else str(m)
    a, c, wide = (f"tensor<{rows}x{size}x{kind}>" for size, kind in ((k, element), (n, element), (n, "f32")))
    b = f"tensor<{n}x{k}x{element}>" if transposed else f"tensor<{k}x{n}x{element}>"
    grid = ["?" if m is None else str(-(-m // tile[0])), str(-(-k // tile[1]))]
    arguments = [f"""%a: {a} {{pit.sparse = {{
      source = "{source}", axes = array<i64: 0, 1>, {'from = 1 : i64, ' if source == 'blocks' else ''}
      granularity = array<i64: {tile[0]}, {tile[1]}>, absent = "zero"}}}}"""]
    if source == "blocks":
        arguments.append(f"%live: tensor<{'x'.join(grid)}xi1>")
    arguments.append(f"%b: {b}")
    if epilogue:
        arguments.append(f"%bias: tensor<{n}xf32>")
    size = "" if m is not None else "%m"
    reads = f", %bias : {wide}, tensor<{n}xf32>" if epilogue else f" : {wide}"
    maps = ["affine_map<(i, j) -> (i, j)>"] * 2
    if epilogue:
        maps.insert(1, "affine_map<(i, j) -> (j)>")
    return f"""
func.func @main({', '.join(arguments)}) -> {c} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : {a}
  %e = tensor.empty({size}) : {wide}
  %z = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}
  %s = linalg.generic {{
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> ({'j, k' if transposed else 'k, j'})>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {a}, {b}) outs(%z : {wide}) {{
  ^bb0(%x: {element}, %y: {element}, %o: f32):
    %xf = arith.extf %x : {element} to f32
    %yf = arith.extf %y : {element} to f32
    %p = arith.mulf %xf, %yf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> {wide}
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


def build(binaries, out, name):
    base, _, strips = name.partition("@")
    directory = os.path.join(out, name)
    os.makedirs(directory, exist_ok=True)
    path = {part: os.path.join(directory, part)
            for part in ("program.mlir", "module.mlir", "kernels.ptx", "manifest.json", "case.json")}
    with open(path["program.mlir"], "w", encoding="utf-8") as file:
        file.write(write_program(*CASES[base][:4], **CASES[base][4]))
    program = path["program.mlir"]
    if strips:
        tiled = subprocess.run([os.path.join(binaries, "pit-opt"), program, "--pit-annotate-axes",
                                "--pit-materialize-marks", "--pit-normalize", "--pit-propagate-sparsity",
                                "--convert-linalg-to-pit", "--pit-tile-rules"], check=True, capture_output=True,
                               text=True).stdout
        text, count = re.subn(r"(pit\.tiled tile \d+ \{)", rf"\1pit.strips_of_tile = {strips} : i64, ", tiled)
        if count != 1:
            raise RuntimeError(f"{name}: {count} tiled ops")
        program = path["module.mlir"]
        with open(program, "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run([os.path.join(binaries, "pit-opt"), program, "--pit-to-ptx=chip=sm_90a", "-o", path["module.mlir"]],
                   check=True)
    for target, flag in (("kernels.ptx", "--pit-to-ptx"), ("manifest.json", "--pit-to-manifest")):
        subprocess.run([os.path.join(binaries, "pit-translate"), flag, path["module.mlir"], "-o", path[target]],
                       check=True)
    os.remove(path["module.mlir"])
    with open(path["manifest.json"], encoding="utf-8") as file:
        kernels = [launch["kernel"] for launch in json.load(file)["functions"][0]["launches"]]
    if sum("contraction" in kernel for kernel in kernels) != 1 or any("list" in kernel for kernel in kernels):
        raise RuntimeError(f"{name}: not one kernel over the bitmap: {kernels}")
    report = assemble(path["kernels.ptx"], os.path.join(directory, "kernels.cubin"), kernels="contraction")
    m, n, k, tile, options = CASES[base]
    with open(path["case.json"], "w", encoding="utf-8") as file:
        json.dump({"name": name, "m": m, "n": n, "k": k, "tile": tile, **options, **report}, file)
    print(name, kernels, report)


def main():
    binaries, out = sys.argv[1:3]
    for name in sys.argv[3:] or list(CASES):
        build(binaries, out, name)


if __name__ == "__main__":
    main()
