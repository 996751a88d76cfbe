#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products for chips without wgmma, for bench_mma.py.

    build_mma.py BIN OUT [--chip CHIP]... [--device CHIP] [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json, all for the first chip
(sm_80 without one). Each chip's code must have one kernel with mma.sync (with
fma where threads multiply f32) and, with ptxas at hand, assemble without spills. With --device, that PTX is also
assembled for the chip that runs it. Needs no GPU, no numpy.
"""
import argparse
import os
import re

import builder
from build_grouped import grouped_matmul
from build_matmul import listed_matmul, matmul

# name: kind, m or number of segments (None is dynamic), n, k, options of the function that writes the program.
CASES = {
    "dense-4096": ("dense", 4096, 4096, 4096, {}),
    "dense-8192": ("dense", 8192, 8192, 8192, {}),
    "dense-4096-nk": ("dense", 4096, 4096, 4096, {"b": "nk"}),
    "dense-4096-km": ("dense", 4096, 4096, 4096, {"a": "km"}),
    "dense-4096-km-nk": ("dense", 4096, 4096, 4096, {"a": "km", "b": "nk"}),
    "dense-4096-f16": ("dense", 4096, 4096, 4096, {"dtype": "f16", "out": "f16"}),
    "dense-4096-f32": ("dense", 4096, 4096, 4096, {"out": "f32"}),
    "gathered-4096": ("listed", None, 4096, 4096, {}),
    # Rows that are aligned to 8, 4 and 2 bytes.
    "dense-4092": ("dense", 4092, 4092, 4092, {}),
    "dense-4094": ("dense", 4094, 4094, 4094, {}),
    "dense-4095": ("dense", 4095, 4095, 4095, {}),
    # Extents that end inside tiles.
    "tails": ("dense", None, 1032, 456, {}),
    "tails-nk": ("dense", None, 1032, 456, {"b": "nk"}),
    "tails-f16": ("dense", None, 264, 72, {"dtype": "f16", "out": "f16"}),
    "tails-f32": ("dense", None, 1032, 456, {"out": "f32"}),
    "tails-km": ("dense", 264, 328, 152, {"a": "km"}),
    "tails-km-nk": ("dense", 264, 328, 152, {"a": "km", "b": "nk"}),
    "narrow": ("dense", None, 72, 200, {}),
    "narrow-km-nk": ("dense", 328, 104, 200, {"a": "km", "b": "nk"}),
    "tiny": ("dense", None, 8, 8, {}),
    # Nothing is aligned to 16 bytes.
    "by-8": ("dense", 260, 316, 76, {}),
    "by-8-km-nk": ("dense", 260, 316, 76, {"a": "km", "b": "nk", "out": "f32"}),
    "by-4": ("dense", 262, 318, 74, {"dtype": "f16", "out": "f16"}),
    "by-4-km-nk": ("dense", 262, 318, 74, {"a": "km", "b": "nk"}),
    "by-2": ("dense", None, 319, 75, {}),
    "by-2-km-nk": ("dense", 263, 319, 75, {"a": "km", "b": "nk"}),
    "by-2-f32": ("dense", None, 319, 75, {"b": "nk", "out": "f32"}),
    "gathered-tails": ("listed", None, 1032, 456, {}),
    "gathered-tails-nk": ("listed", None, 1032, 456, {"b": "nk"}),
    "gathered-tails-f32": ("listed", None, 264, 72, {"out": "f32"}),
    "gathered-by-4": ("listed", None, 318, 74, {}),
    "gathered-by-2": ("listed", None, 319, 75, {"b": "nk", "dtype": "f16", "out": "f16"}),
    "segments": ("grouped", None, 328, 200, {}),
    "segments-nk": ("grouped", None, 328, 200, {"b": "enk"}),
    "segments-packed": ("grouped", None, 328, 200, {"a": "packed"}),
    "segments-f32": ("grouped", None, 328, 200, {"out": "f32"}),
    "segments-scattered": ("grouped", 6, 328, 200, {"c": "scattered"}),
    "segments-by-2": ("grouped", None, 319, 75, {}),
    "segments-narrow-short": ("grouped", None, 104, 72, {"short": True, "dtype": "f16", "out": "f16"}),
    # Mixtures of experts: first and second product.
    "mixtral-up": ("grouped", 8, 28672, 4096, {}),
    "qwen3-up": ("grouped", 128, 1536, 2048, {}),
    "qwen3-down": ("grouped", 128, 2048, 768, {"a": "packed"}),
}

# The same of f32, for each way to multiply them; in f32-NAME as two tf32 each, in tf32-NAME as one, in simt-NAME as they
# are, by threads.
F32_CASES = {
    "4096": ("dense", 4096, 4096, 4096, {}),
    "4096-nk": ("dense", 4096, 4096, 4096, {"b": "nk"}),
    "4096-km": ("dense", 4096, 4096, 4096, {"a": "km"}),
    "4096-km-nk": ("dense", 4096, 4096, 4096, {"a": "km", "b": "nk"}),
    "8192": ("dense", 8192, 8192, 8192, {}),
    "1024": ("dense", 1024, 1024, 1024, {}),
    "512-nk": ("dense", 512, 2048, 2048, {"b": "nk"}),
    "128-nk": ("dense", 128, 4096, 4096, {"b": "nk"}),
    "100": ("dense", 100, 256, 512, {}),
    "4094": ("dense", 4094, 4094, 4094, {}),
    "gathered-4096": ("listed", None, 4096, 4096, {}),
    "deep-16": ("dense", 512, 512, 16, {}),
    "deep-256": ("dense", 512, 512, 256, {}),
    "deep-65536": ("dense", 256, 256, 65536, {}),
    # As many tiles as make them as large as they get.
    "wide": ("dense", 1416, 1420, 40, {}),
    "wide-km-nk": ("dense", 1416, 1420, 40, {"a": "km", "b": "nk"}),
    "tails": ("dense", None, 1032, 456, {}),
    "tails-nk": ("dense", None, 1032, 456, {"b": "nk"}),
    "tails-km": ("dense", 264, 328, 152, {"a": "km"}),
    "tails-km-nk": ("dense", 264, 328, 152, {"a": "km", "b": "nk"}),
    "narrow": ("dense", None, 72, 200, {}),
    "narrow-km-nk": ("dense", 328, 104, 200, {"a": "km", "b": "nk"}),
    "tiny": ("dense", None, 8, 8, {}),
    "by-8": ("dense", 262, 318, 74, {}),
    "by-8-km-nk": ("dense", 262, 318, 74, {"a": "km", "b": "nk"}),
    "by-4": ("dense", None, 319, 75, {}),
    "by-4-nk": ("dense", None, 319, 75, {"b": "nk"}),
    "by-4-km": ("dense", 263, 319, 75, {"a": "km"}),
    "by-4-km-nk": ("dense", 263, 319, 75, {"a": "km", "b": "nk"}),
    "gathered-tails": ("listed", None, 1032, 456, {}),
    "gathered-by-4": ("listed", None, 319, 75, {"b": "nk"}),
    "segments": ("grouped", None, 328, 200, {}),
    "segments-nk": ("grouped", None, 328, 200, {"b": "enk"}),
    "segments-scattered": ("grouped", 6, 328, 200, {"c": "scattered"}),
    "segments-packed-by-4": ("grouped", None, 319, 75, {"a": "packed"}),
    "rounded": ("dense", None, 328, 200, {"out": "bf16"}),
}
for prefix, products in (("f32", "tf32x3"), ("tf32", "tf32"), ("simt", "simt")):
    CASES.update({f"{prefix}-{name}": (kind, m, n, k, {"dtype": "f32", "out": "f32", **rest, "products": products})
                  for name, (kind, m, n, k, rest) in F32_CASES.items()})


def write_program(kind, m, n, k, options):
    options = {key: value for key, value in options.items() if key != "products"}
    if kind == "listed":
        return listed_matmul(n, k, **options)
    return grouped_matmul(m, n, k, **options) if kind == "grouped" else matmul(m, n, k, **options)


def build(options, name):
    kind, m, n, k, case = CASES[name]
    program = write_program(kind, m, n, k, case)
    pipeline = "--pit-to-ptx" if kind == "dense" else "--pit-buffers-to-ptx"
    products = f" f32-products={case['products']}" if "products" in case else ""
    reports = {}
    # The first is built last, and stays.
    for chip in reversed(options.chip or ["sm_80"]):
        built = builder.Built(options.binaries, os.path.join(options.out, name), program, pipeline, f"chip={chip}{products}")
        unit = "fma.rn.f32" if case.get("products") == "simt" else "mma.sync"
        # One for each size where rows are not known.
        kernels = re.findall(r"\.entry (\w+)", built.ptx)
        if unit not in built.ptx or not all("_contraction_" in kernel for kernel in kernels):
            raise RuntimeError(f"{built.directory}: not kernels with {unit} alone: {kernels}")
        reports[chip] = built.assemble(cubin=False, chip=chip)
    if options.device:
        built.assemble(chip=options.device)
    rows = {"rows": "listed"} if kind == "listed" else {}
    built.describe(name=name, kind=kind, m=m, segments=m, n=n, k=k, **case, chips=reports, **rows)
    print(name, reports)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries")
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--chip", action="append")
    parser.add_argument("--device")
    options = parser.parse_intermixed_args()
    for name in builder.chosen(options.names, CASES):
        build(options, name)


if __name__ == "__main__":
    main()
