#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles mixtures of experts, written dense, for bench_moe.py.

    build_moe.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. A program computes every expert for every
token and weights the results with a gate; only the gate is marked as sparse.
With -short behind its name, a case has tiles for segments of few rows. What comes
out must keep to the plan: two kernels for the matrix units, no buffer of tokens x
experts x hidden elements. Needs no GPU, no numpy.
"""
import dataclasses
import os

import builder


@dataclasses.dataclass
class Experts:
    experts: int
    top_k: int  # experts per token, at most
    width: int  # of the model
    hidden: int
    activation: str
    biases: bool = False  # of both linear layers, in f32


CASES = {
    "mixtral": Experts(8, 2, 4096, 14336, "swiglu"),
    "qwen3": Experts(128, 8, 2048, 768, "swiglu"),
    "deepseek": Experts(256, 8, 7168, 2048, "swiglu"),
    "switch": Experts(128, 1, 768, 3072, "relu"),
    "switch-64": Experts(64, 1, 768, 3072, "relu"),
    "switch-256": Experts(256, 1, 768, 3072, "relu"),
    "olmoe": Experts(64, 8, 2048, 1024, "swiglu"),
    "swin": Experts(32, 1, 512, 2048, "gelu", biases=True),
    "tiny": Experts(6, 2, 64, 72, "swiglu"),
    "tiny-relu": Experts(5, 1, 72, 136, "relu"),
    "tiny-gelu": Experts(5, 1, 72, 136, "gelu"),
    "tiny-biases": Experts(5, 1, 72, 136, "gelu", biases=True),
    "tiny-biases-2": Experts(6, 2, 64, 72, "relu", biases=True),
    # Enough steps along k that the second product waits for its tiles' rows alone; two experts share a flag.
    "tiny-handed": Experts(40, 3, 520, 136, "swiglu"),
    "tiny-handed-relu": Experts(6, 2, 584, 264, "relu"),
}


def contraction(result, left, right, init, maps, types):
    return f"""  %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
    ins(%{left}, %{right} : {types[0]}, {types[1]}) outs(%{init} : {types[2]}) {{
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> {types[2]}"""


ACTIVATIONS = {
    "relu": "    %r = arith.maximumf %v, %zero : f32",
    "gelu": """    %n = arith.mulf %v, %root : f32
    %ef = math.erf %n : f32
    %d = arith.addf %ef, %one : f32
    %s = arith.mulf %v, %d : f32
    %r = arith.mulf %s, %half : f32""",
    "swiglu": """    %n = arith.negf %v : f32
    %ex = math.exp %n : f32
    %d = arith.addf %ex, %one : f32
    %s = arith.divf %v, %d : f32
    %r = arith.mulf %s, %u : f32""",
}


def pointwise(result, init, inputs, body, out):
    """`inputs` are (value, subscripts, type, argument of `body`); the output has all axes."""
    maps = ", ".join(f"affine_map<(t, e, f) -> ({subscripts})>" for subscripts in [i[1] for i in inputs] + ["t, e, f"])
    arguments = ", ".join(f"{name}: {type_[:-1].rpartition('x')[2]}" for _, _, type_, name in inputs)
    return f"""  %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel"]}}
    ins({", ".join(i[0] for i in inputs)} : {", ".join(i[2] for i in inputs)}) outs(%{init} : {out}) {{
  ^bb0({arguments}, %o: bf16):
{body}
    linalg.yield %t : bf16
  }} -> {out}"""


def write_program(case):
    e, d, f = case.experts, case.width, case.hidden
    x, gate = f"tensor<?x{d}xbf16>", f"tensor<?x{e}xf32>"
    up, down = f"tensor<{e}x{d}x{f}xbf16>", f"tensor<{e}x{f}x{d}xbf16>"
    sums, act = f"tensor<?x{e}x{f}xf32>", f"tensor<?x{e}x{f}xbf16>"
    ysums, y, out = f"tensor<?x{e}x{d}xf32>", f"tensor<?x{e}x{d}xbf16>", f"tensor<?x{d}xf32>"
    up_bias, down_bias = f"tensor<{e}x{f}xf32>", f"tensor<{e}x{d}xf32>"
    tefd, teda = "(t, e, f, d)", "(t, e, d, f)"
    maps1 = ", ".join(f"affine_map<{tefd} -> {r}>" for r in ("(t, d)", "(e, d, f)", "(t, e, f)"))
    maps2 = ", ".join(f"affine_map<{teda} -> {r}>" for r in ("(t, e, f)", "(e, f, d)", "(t, e, d)"))
    every = "t, e, f"
    # Of the first layers: products with their names in the activation, weights, biases.
    first = [("h", "v", "w1", "b1")] + ([("g", "u", "wu", "bu")] if case.activation == "swiglu" else [])
    arguments = [f"%{weight}: {up}" for _, _, weight, _ in first] + [f"%w2: {down}"]
    inputs = [(f"%{product}", every, sums, f"%{value}") for product, value, _, _ in first]
    activation = ACTIVATIONS[case.activation] + "\n    %t = arith.truncf %r : f32 to bf16"
    outputs, narrow = [("%ys", every, ysums, "%v")], "    %t = arith.truncf %v : f32 to bf16"
    if case.biases:
        arguments += [f"%{bias}: {up_bias}" for _, _, _, bias in first] + [f"%b2: {down_bias}"]
        inputs = [(product, axes, type_, name + "0") for product, axes, type_, name in inputs]
        inputs += [(f"%{bias}", "e, f", up_bias, f"%{value}1") for _, value, _, bias in first]
        activation = "".join(f"    %{value} = arith.addf %{value}0, %{value}1 : f32\n"
                             for _, value, _, _ in first) + activation
        outputs.append(("%b2", "e, f", down_bias, "%b"))
        narrow = "    %s = arith.addf %v, %b : f32\n    %t = arith.truncf %s : f32 to bf16"
    return f"""func.func @main(%x: {x},
    %gate: {gate} {{pit.sparse = {{
      source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = {case.top_k} : i64}}}},
    {", ".join(arguments)}) -> tensor<?x{d}xbf16> {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710678 : f32
  %m = tensor.dim %x, %c0 : {x}
  %e1 = tensor.empty(%m) : {sums}
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : {sums}) -> {sums}
{chr(10).join(contraction(product, "x", weight, "z1", maps1, (x, up, sums)) for product, _, weight, _ in first)}
  %e2 = tensor.empty(%m) : {act}
{pointwise("act", "e2", inputs, activation, act)}
  %e3 = tensor.empty(%m) : {ysums}
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : {ysums}) -> {ysums}
{contraction("ys", "act", "w2", "z3", maps2, (act, down, ysums))}
  %e4 = tensor.empty(%m) : {y}
{pointwise("ye", "e4", outputs, narrow, y)}
  %e5 = tensor.empty(%m) : {out}
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : {out}) -> {out}
  %s5 = linalg.generic {{indexing_maps = [affine_map<(t, d, e) -> (t, e)>, affine_map<(t, d, e) -> (t, e, d)>, affine_map<(t, d, e) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
    ins(%gate, %ye : {gate}, {y}) outs(%z5 : {out}) {{
  ^bb0(%a: f32, %b: bf16, %o: f32):
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> {out}
  %e6 = tensor.empty(%m) : tensor<?x{d}xbf16>
  %r6 = linalg.generic {{indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}}
    ins(%s5 : {out}) outs(%e6 : tensor<?x{d}xbf16>) {{
  ^bb0(%v: f32, %o: bf16):
    %t = arith.truncf %v : f32 to bf16
    linalg.yield %t : bf16
  }} -> tensor<?x{d}xbf16>
  return %r6 : tensor<?x{d}xbf16>
}}
"""


def build(binaries, out, name):
    base = name.removesuffix("-short")
    case = CASES[base]
    built = builder.Built(binaries, os.path.join(out, name), write_program(case),
                          options="chip=sm_90a least-us=0" + (" short-segments=true" if base != name else ""))
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    if sum("contraction" in kernel for kernel in kernels) != 2:
        raise RuntimeError(f"{name}: not two kernels for the matrix units: {kernels}")
    largest = max(len(buffer["shape"]) for buffer in built.function["buffers"] if buffer["kind"] != "argument")
    if largest > 2:
        raise RuntimeError(f"{name}: a buffer of {largest} axes")
    report = built.assemble(kernels="contraction")
    built.describe(name=name, launches=len(kernels), **dataclasses.asdict(case), **report)
    print(name, kernels)


if __name__ == "__main__":
    builder.main(__doc__, [name + tiles for name in CASES for tiles in ("", "-short")], build)
