#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles matrix products to PTX and manifests, for bench_matmul.py.

    build_matmul.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case becomes a directory of OUT with
case.json, program.mlir, kernels.ptx and manifest.json; with ptxas at hand its
report must be free of spills and advisories. Needs no GPU, no numpy.
"""
import os

import builder

# f32 as tf32, which matrix instructions only take along k.
TF32 = {"b": "nk", "dtype": "f32", "out": "f32", "products": "tf32"}

# 8 bits, which they take along k, too, with a scale of each input.
FP8 = {"b": "nk", "dtype": "f8E4M3FN", "scaled": True}

# name: m (None is dynamic), n, k, and what differs from A [m,k] bf16, B [k,n] bf16, C bf16.
CASES = {
    "dense-4096": (4096, 4096, 4096, {}),
    "dense-8192": (8192, 8192, 8192, {}),
    "dense-4096-nk": (4096, 4096, 4096, {"b": "nk"}),
    "dense-4096-f16": (4096, 4096, 4096, {"dtype": "f16", "out": "f16"}),
    "dense-4096-f32": (4096, 4096, 4096, {"out": "f32"}),
    "dense-4096-km": (4096, 4096, 4096, {"a": "km"}),
    "rows-4096": (None, 4096, 4096, {}),
    "tails": (None, 1032, 456, {}),
    "tails-nk": (None, 1032, 456, {"b": "nk"}),
    "tails-f16": (None, 264, 72, {"dtype": "f16", "out": "f16"}),
    "tails-f32": (None, 1032, 456, {"out": "f32"}),
    "tails-km": (264, 328, 152, {"a": "km"}),
    "tails-km-nk": (264, 328, 152, {"a": "km", "b": "nk"}),
    "tiny": (None, 8, 8, {}),
    # Without a warpgroup that only loads: what that gains.
    "plain-4096": (4096, 4096, 4096, {"specialise": False}),
    "plain-8192": (8192, 8192, 8192, {"specialise": False}),
    "plain-tails": (None, 1032, 456, {"specialise": False}),
    "plain-tails-f16": (None, 520, 264, {"dtype": "f16", "out": "f16", "specialise": False}),
    "plain-tails-nk": (None, 328, 456, {"b": "nk", "specialise": False}),
    "plain-tails-km": (264, 328, 152, {"a": "km", "out": "f32", "specialise": False}),
    "plain-tails-tf32": (None, 328, 204, {**TF32, "specialise": False}),
    "plain-few": (20, 1032, 1048, {"specialise": False}),
    "plain-shallow": (264, 328, 40, {"dtype": "f16", "out": "f16", "specialise": False}),
    "rows-8192": (None, 8192, 8192, {}),
    "tf32-4096": (4096, 4096, 4096, TF32),
    "tf32-8192": (8192, 8192, 8192, TF32),
    "tails-tf32": (None, 1032, 456, TF32),
    "tails-tf32-rounded": (None, 328, 204, {**TF32, "out": "bf16"}),
    "tails-tf32-shallow": (264, 328, 20, TF32),
    "tiny-tf32": (None, 8, 4, TF32),
    "few-tf32": (20, 1032, 1044, TF32),
    "few-tf32-tall": (100, 264, 456, TF32),
    "few-tf32-rounded": (33, 328, 1044, {**TF32, "out": "bf16"}),
    "few-tf32-pairs": (17, 264, 4100, TF32),
    "few-tf32-pairs-rounded": (48, 72, 4100, {**TF32, "out": "bf16"}),
    **{f"decode-tf32-{m}": (m, 4096, 4096, TF32) for m in (2, 16, 64, 128, 256)},
    "fp8-4096": (4096, 4096, 4096, FP8),
    "fp8-8192": (8192, 8192, 8192, FP8),
    "fp8-rows-4096": (None, 4096, 4096, FP8),
    "fp8-4096-f32": (4096, 4096, 4096, {**FP8, "out": "f32"}),
    "fp8-llama": (8192, 14336, 4096, FP8),
    "fp8-2048-deep": (2048, 2048, 16384, FP8),
    "fp8-bert": (4096, 3072, 768, FP8),
    **{f"decode-fp8-{m}": (m, 4096, 4096, FP8) for m in (16, 64, 128, 256)},
    "tails-fp8": (None, 1032, 464, FP8),
    "tails-fp8-f32": (None, 328, 208, {**FP8, "out": "f32"}),
    "tails-fp8-shallow": (264, 328, 16, FP8),
    "tiny-fp8": (None, 8, 16, FP8),
    "few-fp8": (20, 1032, 1040, FP8),
    "few-fp8-tall": (100, 264, 464, FP8),
    "few-fp8-f32": (33, 328, 1040, {**FP8, "out": "f32"}),
    "few-fp8-pairs": (48, 72, 8208, FP8),
    "few-fp8-pairs-f32": (17, 264, 8208, {**FP8, "out": "f32"}),
    "gathered-4096": (None, 4096, 4096, {"rows": "listed"}),
    "gathered-4096-nk": (None, 4096, 4096, {"rows": "listed", "b": "nk"}),
    "gathered-8192": (None, 8192, 8192, {"rows": "listed"}),
    "gathered-tails": (None, 1032, 456, {"rows": "listed"}),
    "gathered-tails-nk": (None, 1032, 456, {"rows": "listed", "b": "nk"}),
    "gathered-tails-f32": (None, 264, 72, {"rows": "listed", "out": "f32"}),
    "gathered-tails-f16": (None, 264, 72, {"rows": "listed", "dtype": "f16", "out": "f16"}),
    **{f"decode-{m}-{size}{'-nk' if b == 'nk' else ''}": (m, size, size, {"b": b} if b == "nk" else {})
       for size in (4096, 14336) for m in (1, 2, 16, 32, 64, 128, 256, 512) for b in ("kn", "nk")},
    # Each way to tile a product of few rows, with tails.
    "few-2": (2, 1032, 456, {}),
    "few-20": (20, 1032, 1048, {}),
    "few-20-nk": (20, 1032, 1048, {"b": "nk"}),
    "few-33-f16": (33, 264, 4096, {"dtype": "f16", "out": "f16"}),
    "few-100": (100, 1032, 1048, {}),
    "few-100-nk": (100, 1096, 8, {"b": "nk"}),
    "few-130": (130, 520, 4096, {}),
    "few-tiny": (2, 8, 8, {}),
    "few-tiny-64": (64, 8, 8, {}),
    **{f"few-{m}{'-nk' if b == 'nk' else ''}-{k}": (m, n, k, {**({"b": b} if b == "nk" else {}), **options})
       for m, n, k, b, options in (
           (2, 264, 456, "nk", {}), (3, 328, 72, "kn", {}), (9, 328, 200, "kn", {"out": "f32"}), (15, 136, 264, "kn", {}),
           (16, 328, 1032, "kn", {}), (17, 72, 520, "nk", {}), (31, 264, 136, "kn", {}), (32, 1032, 200, "nk", {}),
           (48, 520, 136, "kn", {"dtype": "f16", "out": "f16"}), (63, 264, 328, "kn", {}), (65, 264, 456, "kn", {}),
           (97, 328, 200, "nk", {"out": "f32"}), (128, 328, 200, "kn", {}), (129, 264, 1048, "nk", {}),
           (191, 520, 456, "kn", {}),
           # Deep enough for pairs of blocks.
           (2, 264, 4096, "kn", {}), (2, 264, 4104, "nk", {}), (5, 136, 3080, "kn", {}), (16, 328, 2056, "kn", {}),
           (17, 328, 2056, "nk", {}), (24, 72, 4096, "kn", {}), (31, 264, 4096, "kn", {}), (32, 520, 2560, "nk", {}),
           (40, 264, 4168, "kn", {}), (48, 328, 3072, "kn", {"dtype": "f16", "out": "f16"}),
           (64, 520, 2048, "nk", {}), (65, 264, 2312, "kn", {}), (80, 136, 4096, "nk", {}),
           (97, 328, 4096, "nk", {}), (100, 264, 3000, "kn", {}), (112, 72, 5000, "kn", {}), (128, 520, 4096, "kn", {}),
           (129, 264, 4096, "nk", {}), (160, 328, 2568, "kn", {}))},
    "ksum-4096": (4096, 4096, 4096, {"ks": "listed"}),
    "ksum-tails": (264, 328, 456, {"ks": "listed"}),
    "ksum-tails-f32": (264, 328, 456, {"ks": "listed", "out": "f32"}),
    "ksum-tails-f16": (72, 264, 456, {"ks": "listed", "dtype": "f16", "out": "f16"}),
    "ksum-large": (2056, 2056, 456, {"ks": "listed"}),
    "ksum-even": (256, 512, 456, {"ks": "listed"}),
    # A product for each batch: `batch` is how many there are, 0 if that is dynamic. A, B and C have the axes that `a`, `b` and `c`
    # name, bmk, bkn and bmn if nothing is said; what lacks b is the same for all. With `heads`, bh is in the place of b.
    "bmm-64x1024x1024x64": (1024, 1024, 64, {"batch": 64}),
    "bmm-64x1024x64x1024": (1024, 64, 1024, {"batch": 64}),
    "bmm-64x1024x1024x64-nk": (1024, 1024, 64, {"batch": 64, "b": "bnk"}),
    "bmm-32x512x512x512": (512, 512, 512, {"batch": 32}),
    "bmm-12x1000x1000x200": (1000, 1000, 200, {"batch": 12}),
    "bmm-64x16x128x1024": (16, 128, 1024, {"batch": 64}),
    "bmm-shared-32x512x512x512": (512, 512, 512, {"batch": 32, "a": "mk"}),
    "bmm-tails": (None, 328, 136, {"batch": 0}),
    "bmm-tails-nk": (None, 264, 72, {"batch": 3, "b": "bnk"}),
    "bmm-tails-f16": (130, 136, 72, {"batch": 0, "dtype": "f16", "out": "f16"}),
    "bmm-tails-f32": (None, 72, 136, {"batch": 2, "out": "f32"}),
    "bmm-tails-km": (136, 200, 88, {"batch": 3, "a": "bkm"}),
    "bmm-tails-km-nk": (136, 328, 152, {"batch": 2, "a": "bkm", "b": "bnk"}),
    "bmm-panels": (None, 320, 72, {"batch": 3}),
    "bmm-narrow": (None, 64, 136, {"batch": 5}),
    "bmm-one": (None, 264, 136, {"batch": 1}),
    "bmm-tiny": (None, 8, 8, {"batch": 0}),
    # Matrices that lie between each other, as those of heads do.
    "bmm-between": (None, 136, 72, {"batch": 3, "a": "mbk", "b": "kbn", "c": "mbn"}),
    "bmm-heads": (None, 72, 136, {"batch": 0, "heads": 3, "epilogue": ["scale", "residual"]}),
    "bmm-plain": (None, 328, 136, {"batch": 3, "specialise": False}),
    "bmm-shared-a": (None, 264, 136, {"batch": 0, "a": "mk"}),
    "bmm-shared-a-km": (136, 264, 72, {"batch": 3, "a": "km"}),
    "bmm-shared-b": (5, 136, 72, {"batch": 9, "b": "kn", "c": "mbn"}),
    "bmm-bias": (None, 264, 72, {"batch": 0, "epilogue": ["bias", "relu"]}),
    "bmm-residual": (None, 136, 72, {"batch": 0, "epilogue": ["residual", "scale"]}),
    "bmm-rows": (None, 136, 72, {"batch": 3, "epilogue": ["rows", "bias16", "relu"]}),
    "bmm-rows-f32": (70, 136, 72, {"batch": 3, "epilogue": ["rows", "bias16", "residual"], "out": "f32"}),
    "bmm-gated": (None, 136, 72, {"batch": 2, "epilogue": ["gated", "bias"]}),
    **{f"bmm-few-{m}": (m, n, k, {"batch": batch, **options}) for m, n, k, batch, options in (
        (1, 136, 264, 7, {}), (2, 64, 72, 0, {}), (9, 72, 136, 5, {"out": "f32"}), (16, 328, 136, 9, {}),
        (33, 136, 264, 3, {"b": "bnk"}), (40, 264, 72, 4, {"dtype": "f16", "out": "f16"}), (64, 128, 1032, 3, {}),
        (80, 72, 136, 3, {}), (20, 136, 72, 5, {"epilogue": ["residual", "bias16", "scale"]}),
        (24, 136, 72, 3, {"a": "mk"}))},
    # Deep enough for pairs of blocks.
    "bmm-pairs": (16, 72, 4096, {"batch": 2}),
    "bmm-pairs-f32": (40, 136, 4104, {"batch": 2, "out": "f32", "epilogue": ["residual"]}),
    "bmm-tf32": (None, 136, 76, {**TF32, "b": "bnk", "batch": 3}),
    "bmm-few-tf32": (20, 72, 140, {**TF32, "b": "bnk", "batch": 3, "out": "bf16"}),
    "bmm-fp8": (None, 136, 208, {"dtype": "f8E4M3FN", "b": "bnk", "batch": 3, "epilogue": ["scale"]}),
    "bmm-few-fp8": (20, 72, 208, {"dtype": "f8E4M3FN", "b": "bnk", "batch": 0, "out": "f32"}),
}


def product_of(dtype):
    """%p, of %x and %y, in f32."""
    if dtype == "f32":
        return "%p = arith.mulf %x, %y : f32"
    return f"""%xf = arith.extf %x : {dtype} to f32
      %yf = arith.extf %y : {dtype} to f32
      %p = arith.mulf %xf, %yf : f32"""


def pipeline_options(case):
    """What a case asks of the pipeline."""
    return f" f32-products={case['products']}" if "products" in case else ""


def pass_edits(case):
    """What a case asks of passes alone: kernels without a warpgroup that only loads are a reference."""
    return () if case.get("specialise", True) else (("specialise=true", "specialise=false"),)


def matmul(m, n, k, a="mk", b="kn", dtype="bf16", out="bf16", products=None,
           specialise=True, scaled=False):
    """One product in linalg on tensors, with the layouts as indexing maps; the last two are matters of the pipeline."""
    rows = "?" if m is None else str(m)
    extents = {"m": rows, "n": str(n), "k": str(k)}

    def tensor(axes, element):
        return f"tensor<{'x'.join(extents[axis] for axis in axes)}x{element}>"

    def indexing(axes):
        return f"affine_map<(m, n, k) -> ({', '.join(axes)})>"

    ta, tb, tsum, tc = tensor(a, dtype), tensor(b, dtype), tensor("mn", "f32"), tensor("mn", out)
    size = "" if m is not None else "%m"
    scales = ", %sa: tensor<f32>, %sb: tensor<f32>" if scaled else ""
    text = [f"func.func @main(%a: {ta}, %b: {tb}{scales}) -> {tc} {{", "  %zero = arith.constant 0.0 : f32"]
    if m is None:
        text += [f"  %axis = arith.constant {a.index('m')} : index", f"  %m = tensor.dim %a, %axis : {ta}"]
    text += [
        f"  %e = tensor.empty({size}) : {tsum}",
        f"  %z = linalg.fill ins(%zero : f32) outs(%e : {tsum}) -> {tsum}",
        f"  %s = linalg.generic {{indexing_maps = [{indexing(a)}, {indexing(b)}, {indexing('mn')}],",
        '    iterator_types = ["parallel", "parallel", "reduction"]}',
        f"    ins(%a, %b : {ta}, {tb}) outs(%z : {tsum}) {{",
        f"  ^bb0(%x: {dtype}, %y: {dtype}, %acc: f32):",
        f"    {product_of(dtype)}",
        "    %r = arith.addf %acc, %p : f32",
        "    linalg.yield %r : f32",
        f"  }} -> {tsum}",
    ]
    result = "%s"
    if scaled or out != "f32":
        same, one = "affine_map<(m, n) -> (m, n)>", "affine_map<(m, n) -> ()>"
        maps = [same, one, one, same] if scaled else [same, same]
        inputs = f"%s, %sa, %sb : {tsum}, tensor<f32>, tensor<f32>" if scaled else f"%s : {tsum}"
        value = "%v" if scaled else "%x"
        text += [
            f"  %f = tensor.empty({size}) : {tc}",
            f"  %c = linalg.generic {{indexing_maps = [{', '.join(maps)}],",
            f'    iterator_types = ["parallel", "parallel"]}} ins({inputs}) outs(%f : {tc}) {{',
            f"  ^bb0(%x: f32{', %p: f32, %q: f32' if scaled else ''}, %o: {out}):",
        ]
        if scaled:
            text += ["    %pq = arith.mulf %p, %q : f32", "    %v = arith.mulf %x, %pq : f32"]
        if out != "f32":
            text.append(f"    %t = arith.truncf {value} : f32 to {out}")
            value = "%t"
        text += [f"    linalg.yield {value} : {out}", f"  }} -> {tc}"]
        result = "%c"
    return "\n".join(text + [f"  return {result} : {tc}", "}", ""])


# What an elementwise op behind a batched product may read: the operand's axes and element, and what it does with it.
STEPS = {
    "bias": ("n", "f32", "addf"),
    "bias16": ("bn", "bf16", "addf"),
    "scale": ("b", "f32", "mulf"),
    "rows": ("bm", "f32", "mulf"),
    "residual": ("bmn", "bf16", "addf"),
}


def batched_matmul(m, n, k, batch, a="bmk", b="bkn", c="bmn", dtype="bf16", out="bf16", epilogue=(), products=None, heads=None,
                   specialise=True):
    """A product for each batch, in linalg on tensors, and elementwise ops behind it; `products` and `specialise` are matters of the
    pipeline."""
    extents = {"b": str(batch or "?"), "h": str(heads), "m": "?" if m is None else str(m), "n": str(n), "k": str(k)}

    def split(axes):
        return axes.replace("b", "bh") if heads else axes

    a, b, c = map(split, (a, b, c))

    def tensor(axes, element):
        return f"tensor<{''.join(extents[axis] + 'x' for axis in axes)}{element}>"

    def indexing(axes, loops):
        return f"affine_map<({', '.join(loops)}) -> ({', '.join(axes)})>"

    ta, tb, tsum, tc = tensor(a, dtype), tensor(b, dtype), tensor(c, "f32"), tensor(c, out)
    read = [(f"%{step}", c if step == "residual" else split(STEPS[step][0]), STEPS[step][1])
            for step in epilogue if step in STEPS]
    parallel = ['"parallel"'] * len(c)
    factors = ["%b"] + ["%b2"] * ("gated" in epilogue)
    parameters = [f"%a: {ta}", *(f"{factor}: {tb}" for factor in factors),
                  *(f"{name}: {tensor(axes, element)}" for name, axes, element in read)]
    text = [f"func.func @main({', '.join(parameters)}) -> {tc} {{", "  %zero = arith.constant 0.0 : f32"]
    for axis in "bm":
        if extents[axis] == "?":
            name, axes, kind = ("%a", a, ta) if axis in a else ("%b", b, tb)
            text += [f"  %at{axis} = arith.constant {axes.index(axis)} : index",
                     f"  %{axis}{axis} = tensor.dim {name}, %at{axis} : {kind}"]
    size = ", ".join(f"%{axis}{axis}" for axis in c if extents[axis] == "?")
    for i, factor in enumerate(factors):
        text += [
            f"  %e{i} = tensor.empty({size}) : {tsum}",
            f"  %z{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {tsum}) -> {tsum}",
            f"  %s{i} = linalg.generic {{indexing_maps = [{', '.join(indexing(axes, split('bmnk')) for axes in (a, b, c))}],",
            f"    iterator_types = [{', '.join(parallel)}, \"reduction\"]}}",
            f"    ins(%a, {factor} : {ta}, {tb}) outs(%z{i} : {tsum}) {{",
            f"  ^bb0(%x: {dtype}, %y: {dtype}, %acc: f32):",
            f"    {product_of(dtype)}",
            "    %r = arith.addf %acc, %p : f32",
            "    linalg.yield %r : f32",
            f"  }} -> {tsum}",
        ]
    if not epilogue and out == "f32":
        return "\n".join(text + [f"  return %s0 : {tc}", "}", ""])
    inputs = [(f"%s{i}", c, "f32") for i in range(len(factors))] + read
    arguments = [f"%x{i}: {element}" for i, (_, _, element) in enumerate(inputs)]
    maps = [indexing(axes, c) for axes in [axes for _, axes, _ in inputs] + [c]]
    text += [
        f"  %f = tensor.empty({size}) : {tc}",
        f"  %c = linalg.generic {{indexing_maps = [{', '.join(maps)}],",
        f"    iterator_types = [{', '.join(parallel)}]}}",
        f"    ins({', '.join(name for name, _, _ in inputs)} : {', '.join(tensor(axes, element) for _, axes, element in inputs)})"
        f" outs(%f : {tc}) {{",
        f"  ^bb0({', '.join(arguments)}, %o: {out}):",
    ]
    value, number = "%x0", len(factors)
    for i, step in enumerate(epilogue):
        if step == "relu":
            text.append(f"    %v{i} = arith.maximumf {value}, %zero : f32")
        elif step == "gated":
            text.append(f"    %v{i} = arith.mulf {value}, %x1 : f32")
        else:
            _, element, op = STEPS[step]
            other = f"%x{number}"
            if element != "f32":
                text.append(f"    %w{i} = arith.extf {other} : {element} to f32")
                other = f"%w{i}"
            text.append(f"    %v{i} = arith.{op} {value}, {other} : f32")
            number += 1
        value = f"%v{i}"
    if out != "f32":
        text.append(f"    %t = arith.truncf {value} : f32 to {out}")
        value = "%t"
    return "\n".join(text + [f"    linalg.yield {value} : {out}", f"  }} -> {tc}", f"  return %c : {tc}", "}", ""])


def listed_matmul(n, k, b="kn", dtype="bf16", out="bf16", rows="listed"):
    """Rows of A through a list, multiplied, to the same rows of C; in buffers, at the level of tiles."""
    a = f"?x{k}x{dtype}"
    extents = {"n": str(n), "k": str(k)}
    weights = f"{'x'.join(extents[axis] for axis in b)}x{dtype}"
    index = "!pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>"
    tile = "strided<[?, ?], offset: ?>"
    product = "memref<?x%dx%s%s>" % (n, "f32", f", {tile}" if out == "f32" else "")
    text = f"""
func.func @main(%a: memref<{a}>, %b: memref<{weights}>, %rows: memref<?xi32>, %offsets: memref<2xi64>,
                %c: memref<?x{n}x{out}>) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %extent = memref.dim %a, %c0 : memref<{a}>
  %i = pit.assemble %offsets, %rows extents(%extent) : memref<2xi64>, memref<?xi32> -> {index}
  pit.tiled flat tile 128 {{dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, false>}}
      over(%i : {index}) ins(%a, %b : memref<{a}>, memref<{weights}>) outs(%c : memref<?x{n}x{out}>) {{
  ^bb0(%ta: memref<{a}, {tile}>, %tb: memref<{weights}, {tile}>, %tc: memref<?x{n}x{out}, {tile}>):
    SUM
    linalg.fill ins(%zero : f32) outs(%sum : {product})
    linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({', '.join(b)})>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%ta, %tb : memref<{a}, {tile}>, memref<{weights}, {tile}>) outs(%sum : {product}) {{
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
    text = text.replace("SUM", f"%m = memref.dim %ta, %c0 : memref<{a}, {tile}>\n"
                               f"    %sum = memref.alloc(%m) : {product}")
    return text.replace("ROUND", f"""linalg.generic {{
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sum : {product}) outs(%tc : memref<?x{n}x{out}, {tile}>) {{
    ^bb0(%x: f32, %o: {out}):
      %t = arith.truncf %x : f32 to {out}
      linalg.yield %t : {out}
    }}
    memref.dealloc %sum : {product}""")


def listed_sum(m, n, k, dtype="bf16", out="bf16", ks="listed"):
    """A sum over listed k, A stored [k, m] and B [k, n]; in buffers, at the level of tiles."""
    a, b, c = f"{k}x{m}x{dtype}", f"{k}x{n}x{dtype}", f"{m}x{n}x{out}"
    index = "!pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>"
    tile = "strided<[?, ?], offset: ?>"
    tiles = f"memref<?x{m}x{dtype}, {tile}>, memref<?x{n}x{dtype}, {tile}>"
    sums, product = "%c" if out == "f32" else "%sum", f"memref<{m}x{n}xf32>"
    text = f"""
func.func @main(%a: memref<{a}>, %b: memref<{b}>, %ks: memref<?xi32>, %offsets: memref<2xi64>, %c: memref<{c}>) {{
  %zero = arith.constant 0.0 : f32
  %extent = arith.constant {k} : index
  %i = pit.assemble %offsets, %ks extents(%extent) : memref<2xi64>, memref<?xi32> -> {index}
  SUM
  linalg.fill ins(%zero : f32) outs({sums} : {product})
  pit.tiled flat tile 64 {{dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}}
      over(%i : {index}) ins(%a, %b : memref<{a}>, memref<{b}>) outs({sums} : {product}) {{
  ^bb0(%ta: memref<?x{m}x{dtype}, {tile}>, %tb: memref<?x{n}x{dtype}, {tile}>, %tc: memref<{m}x{n}xf32, {tile}>):
    linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%ta, %tb : {tiles}) outs(%tc : memref<{m}x{n}xf32, {tile}>) {{
    ^bb0(%x: {dtype}, %y: {dtype}, %acc: f32):
      {product_of(dtype)}
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }}
    pit.yield
  }}
  ROUND
  return
}}
"""
    if out == "f32":
        return text.replace("SUM", "").replace("ROUND", "")
    return text.replace("SUM", f"%sum = memref.alloc() : {product}").replace("ROUND", f"""linalg.generic {{
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}} ins(%sum : {product}) outs(%c : memref<{c}>) {{
  ^bb0(%x: f32, %o: {out}):
    %t = arith.truncf %x : f32 to {out}
    linalg.yield %t : {out}
  }}
  memref.dealloc %sum : {product}""")


def build(binaries, out, name):
    m, n, k, options = CASES[name]
    if "rows" in options:
        program = listed_matmul(n, k, **options)
    elif "ks" in options:
        program = listed_sum(m, n, k, **options)
    elif "batch" in options:
        program = batched_matmul(m, n, k, **options)
    else:
        program = matmul(m, n, k, **options)
    pipeline = "--pit-buffers-to-ptx" if "rows" in options or "ks" in options else "--pit-to-ptx"
    built = builder.Built(binaries, os.path.join(out, name), program, pipeline,
                          f"chip=sm_90a{pipeline_options(options)}", pass_edits(options))
    if "wgmma" not in built.ptx:
        raise RuntimeError(f"{name}: not one kernel for the matrix units")
    report = built.assemble(cubin=False)
    built.describe(name=name, m=m, n=n, k=k, **options, **report)
    print(name, report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
