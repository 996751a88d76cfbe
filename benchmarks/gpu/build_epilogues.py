#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products with elementwise work behind them, for bench_epilogues.py.

    build_epilogues.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. Each case is written dense, on tensors, and
must become one kernel for the matrix units, besides those that find rows under
a mask. Needs no GPU, no numpy.
"""
import os

import builder
from build_matmul import TF32, product_of

# name: m (None is dynamic), n, k, steps behind the product, and what differs
# from A [m,k] bf16, B [k,n] bf16, C bf16.
CASES = {
    "plain": (4096, 4096, 4096, [], {}),
    "bias": (4096, 4096, 4096, ["bias"], {}),
    "bias-relu": (4096, 4096, 4096, ["bias", "relu"], {}),
    "bias-silu": (4096, 4096, 4096, ["bias", "silu"], {}),
    "bias-gelu": (4096, 4096, 4096, ["bias", "gelu"], {}),
    "bias-residual": (4096, 4096, 4096, ["bias", "residual"], {}),
    "gated": (4096, 2048, 4096, ["gated"], {}),
    "short-plain": (8192, 3072, 768, [], {}),
    "short-bias-gelu": (8192, 3072, 768, ["bias", "gelu"], {}),
    "short-gated": (8192, 1536, 768, ["gated"], {}),
    "rows-bias-relu": (None, 4096, 4096, ["bias", "relu"], {"rows": "masked"}),
    "tails": (None, 1032, 456, ["bias", "relu", "scale", "residual"], {}),
    "tails-nk": (None, 328, 200, ["bias16", "silu", "residual"], {"b": "nk"}),
    "tails-f32": (None, 328, 200, ["bias", "silu", "scale", "residual32"], {"out": "f32"}),
    "tails-f16": (None, 264, 72, ["bias", "gelu"], {"dtype": "f16", "out": "f16"}),
    "tails-gated": (None, 328, 200, ["gated", "scale"], {}),
    "tails-gated-nk": (None, 264, 72, ["gated", "bias", "residual"], {"b": "nk"}),
    "tails-gated-f32": (None, 328, 200, ["gated", "residual32"], {"out": "f32"}),
    "tails-rows": (None, 328, 200, ["bias", "relu", "scale", "residual"], {"rows": "masked"}),
    "tails-rows-gated": (None, 264, 72, ["gated", "scale", "residual32"], {"rows": "masked", "out": "f32"}),
    # Few rows: smaller tiles with operands swapped, in pairs of blocks where k is deep.
    "few-bias": (16, 4096, 4096, ["bias", "relu"], {}),
    "few-residual": (64, 4096, 512, ["bias", "relu", "scale", "residual"], {"b": "nk"}),
    "few-gated": (32, 4096, 512, ["gated", "residual"], {}),
    "few-tails": (100, 1032, 456, ["bias", "relu", "scale", "residual"], {}),
    "few-pairs": (16, 512, 4096, ["bias", "scale"], {}),
    "few-gated-pairs": (16, 512, 4096, ["gated"], {}),
    "tiny": (None, 8, 8, ["bias", "residual"], {}),
    "tails-tf32": (None, 328, 200, ["bias", "silu", "scale", "residual32"], TF32),
    "tails-tf32-gated": (None, 328, 200, ["gated", "bias", "residual"], {**TF32, "out": "bf16"}),
    # Without wgmma; f32, which has none unless as one tf32, on the same chip.
    "mma-bias-gelu": (4096, 4096, 4096, ["bias", "gelu"], {"chip": "sm_80"}),
    "mma-gated": (4096, 2048, 4096, ["gated"], {"chip": "sm_80"}),
    "mma-tails": (None, 1032, 456, ["bias", "relu", "scale", "residual"], {"chip": "sm_80"}),
    "mma-tails-odd": (None, 319, 75, ["bias", "silu", "residual"], {"b": "nk", "chip": "sm_80"}),
    "mma-tails-gated": (None, 318, 74, ["gated", "bias", "residual"], {"dtype": "f16", "out": "f16", "chip": "sm_80"}),
    "mma-tails-rows": (None, 328, 200, ["bias", "relu", "scale", "residual"], {"rows": "masked", "chip": "sm_80"}),
    "mma-few": (100, 264, 456, ["bias", "relu", "scale", "residual"], {"chip": "sm_80"}),
    "mma-few-gated": (100, 264, 456, ["gated", "residual"], {"b": "nk", "chip": "sm_80"}),
    "f32-bias-gelu": (4096, 4096, 4096, ["bias", "gelu"], {"dtype": "f32", "out": "f32"}),
    "f32-gated": (4096, 2048, 4096, ["gated"], {"dtype": "f32", "out": "f32"}),
    "f32-tails": (None, 1032, 456, ["bias", "relu", "scale", "residual32"], {"dtype": "f32", "out": "f32"}),
    "f32-tails-odd": (None, 319, 75, ["bias", "relu", "residual32"], {"dtype": "f32", "out": "f32", "b": "nk"}),
    "f32-tails-gated": (None, 319, 75, ["gated", "residual32"], {"dtype": "f32", "out": "f32"}),
    "f32-tails-rounded": (None, 328, 200, ["gated", "bias"], {"dtype": "f32", "b": "nk"}),
    "f32-tails-rows": (None, 328, 200, ["bias", "scale", "residual32"], {"dtype": "f32", "out": "f32", "rows": "masked"}),
    "f32-few": (100, 264, 456, ["bias", "relu", "scale", "residual32"], {"dtype": "f32", "out": "f32"}),
    # By threads; with so many tiles that they are as large as they get.
    "simt-gated": (1416, 712, 40, ["gated"], {"dtype": "f32", "out": "f32", "products": "simt"}),
    "simt-gated-nk": (1416, 712, 40, ["gated", "bias"], {"dtype": "f32", "out": "f32", "b": "nk", "products": "simt"}),
    "simt-tails-gated": (None, 319, 75, ["gated", "residual32"], {"dtype": "f32", "out": "f32", "products": "simt"}),
    "f32-few-gated": (100, 264, 456, ["gated", "bias"], {"dtype": "f32", "out": "f32"}),
    "f32-one-row": (1, 264, 456, ["bias", "relu"], {"dtype": "f32", "out": "f32"}),
}

# Step: axes and type of its operand (None takes none; "B" is like B), and its body on %v and %w.
STEPS = {
    "bias": ("n", "f32", "%v{o} = arith.addf %v{i}, %w{o} : f32"),
    "bias16": ("n", "bf16", "%x{o} = arith.extf %w{o} : bf16 to f32\n    %v{o} = arith.addf %v{i}, %x{o} : f32"),
    "scale": ("m", "f32", "%v{o} = arith.mulf %v{i}, %w{o} : f32"),
    "residual": ("mn", "bf16", "%x{o} = arith.extf %w{o} : bf16 to f32\n    %v{o} = arith.addf %v{i}, %x{o} : f32"),
    "residual32": ("mn", "f32", "%v{o} = arith.addf %v{i}, %w{o} : f32"),
    "relu": (None, None, "%v{o} = arith.maximumf %v{i}, %zero : f32"),
    "silu": (None, None, "%n{o} = arith.negf %v{i} : f32\n    %e{o} = math.exp %n{o} : f32\n"
             "    %d{o} = arith.addf %e{o}, %one : f32\n    %v{o} = arith.divf %v{i}, %d{o} : f32"),
    "gelu": (None, None, "%s{o} = arith.mulf %v{i}, %root : f32\n    %e{o} = math.erf %s{o} : f32\n"
             "    %d{o} = arith.addf %e{o}, %one : f32\n    %h{o} = arith.mulf %v{i}, %half : f32\n"
             "    %v{o} = arith.mulf %h{o}, %d{o} : f32"),
    "gated": (None, None, "%n{o} = arith.negf %v{i} : f32\n    %e{o} = math.exp %n{o} : f32\n"
              "    %d{o} = arith.addf %e{o}, %one : f32\n    %g{o} = arith.divf %v{i}, %d{o} : f32\n"
              "    %v{o} = arith.mulf %g{o}, %uv : f32"),
}


def write_program(m, n, k, steps, b="kn", dtype="bf16", out="bf16", rows=None):
    extents = {"m": "?" if m is None else str(m), "n": str(n), "k": str(k)}

    def tensor(axes, element):
        return f"tensor<{''.join(extents[axis] + 'x' for axis in axes)}{element}>"

    def indexing(axes, loops="m, n"):
        return f"affine_map<({loops}) -> ({', '.join(axes)})>"

    ta, tb, sums, tc = tensor("mk", dtype), tensor(b, dtype), tensor("mn", "f32"), tensor("mn", out)
    mark = (' {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}'
            if rows == "masked" else "")
    parameters = [f"%a: {ta}{mark}"]
    if rows == "masked":
        parameters.append(f"%live: {tensor('m', 'i1')}")
    parameters.append(f"%b: {tb}")
    if "gated" in steps:
        parameters.append(f"%b2: {tb}")
    operands = {number: (axes, element) for number, step in enumerate(steps, 1)
                for axes, element, _ in [STEPS[step]] if axes}
    parameters += [f"%arg{number}: {tensor(axes, element)}" for number, (axes, element) in operands.items()]
    size = "%m" if m is None else ""
    text = [f"func.func @main({', '.join(parameters)}) -> {tc} {{"]
    for name, value in (("zero", "0.0"), ("one", "1.0"), ("half", "0.5"), ("root", "0.70710678")):
        text.append(f"  %{name} = arith.constant {value} : f32")
    if m is None:
        text += ["  %c0 = arith.constant 0 : index", f"  %m = tensor.dim %a, %c0 : {ta}"]
    text += [f"  %e = tensor.empty({size}) : {sums}",
             f"  %z = linalg.fill ins(%zero : f32) outs(%e : {sums}) -> {sums}"]
    for product, factor in [("s", "b")] + ([("u", "b2")] if "gated" in steps else []):
        text += [
            f"  %{product} = linalg.generic {{indexing_maps = [{indexing('mk', 'm, n, k')}, "
            f"{indexing(b, 'm, n, k')}, {indexing('mn', 'm, n, k')}],",
            '    iterator_types = ["parallel", "parallel", "reduction"]}',
            f"    ins(%a, %{factor} : {ta}, {tb}) outs(%z : {sums}) {{",
            f"  ^bb0(%x: {dtype}, %y: {dtype}, %acc: f32):",
            f"    {product_of(dtype)}",
            "    %r = arith.addf %acc, %p : f32",
            "    linalg.yield %r : f32",
            f"  }} -> {sums}",
        ]
    inputs, types, maps, arguments = ["%s"], [sums], [indexing("mn")], ["%v0: f32"]
    if "gated" in steps:
        inputs, types, maps, arguments = inputs + ["%u"], types + [sums], maps + [indexing("mn")], arguments + ["%uv: f32"]
    for number, (axes, element) in operands.items():
        inputs.append(f"%arg{number}")
        types.append(tensor(axes, element))
        maps.append(indexing(axes))
        arguments.append(f"%w{number}: {element}")
    body = [STEPS[step][2].format(i=number - 1, o=number) for number, step in enumerate(steps, 1)]
    last = f"%v{len(steps)}"
    if out != "f32":
        body.append(f"%t = arith.truncf {last} : f32 to {out}")
        last = "%t"
    text += [
        f"  %o = tensor.empty({size}) : {tc}",
        f"  %c = linalg.generic {{indexing_maps = [{', '.join(maps + [indexing('mn')])}],",
        '    iterator_types = ["parallel", "parallel"]}',
        f"    ins({', '.join(inputs)} : {', '.join(types)}) outs(%o : {tc}) {{",
        f"  ^bb0({', '.join(arguments)}, %out: {out}):",
        *[f"    {line}" for line in body],
        f"    linalg.yield {last} : {out}",
        f"  }} -> {tc}",
        f"  return %c : {tc}",
        "}",
        "",
    ]
    return "\n".join(text)


def build(binaries, out, name):
    m, n, k, steps, options = CASES[name]
    options = dict(options)
    chip = options.pop("chip", "sm_90a")
    products = options.pop("products", "tf32x3")
    program = write_program(m, n, k, steps, **options)
    built = builder.Built(binaries, os.path.join(out, name), program, options=f"chip={chip} f32-products={products}")
    launches = built.function["launches"]
    unit = "fma.rn.f32" if products == "simt" else "wgmma" if chip == "sm_90a" and (options.get("dtype") != "f32" or products == "tf32") else "mma.sync"
    # One for each size where rows are not known.
    kernels = [launch["kernel"] for launch in launches]
    if unit not in built.ptx or not (all("_contraction_" in kernel for kernel in kernels) or "rows" in options):
        raise RuntimeError(f"{name}: not kernels for the matrix units alone: {kernels}")
    built.assemble(cubin=False, chip=chip)
    # What runs is made for the chip that the times are of.
    report = built.assemble()
    if options.get("dtype") == "f32":
        options["products"] = products
    built.describe(name=name, m=m, n=n, k=k, steps=steps, **options, **report)
    print(name, len(launches), report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
