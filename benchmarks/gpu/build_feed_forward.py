#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles feed-forward layers with ReLU, written dense, for bench_feed_forward.py.

    build_feed_forward.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. A name is MODEL-TOKENS; a mark on the ReLU says
that its zeros are worth skipping, where they are alike in 32 tokens, or in all if
there are fewer; of MODEL-TOKENS-blocks, in 32 tokens and 64 units. MODEL-TOKENS-found
has no mark, so that the compiler finds the ReLU, and MODEL-TOKENS-dense is that with
infer=false. Each case becomes a directory of OUT. Needs no GPU.
"""
import os

import builder

# Width, and width inside.
MODELS = {"opt-125m": (768, 3072), "opt-1.3b": (2048, 8192), "opt-13b": (5120, 20480), "opt-30b": (7168, 28672), "tiny": (128, 512)}
TOKENS = [1, 2, 4, 8, 16, 32, 128, 4096]
BLOCK = 64
# name: model, tokens, units that are dead together.
CASES = {f"{model}-{tokens}{'-blocks' * (units > 1)}": (model, tokens, units)
         for model in MODELS for tokens in TOKENS for units in (1, BLOCK)}
# name of those without a mark: model, tokens, options of the pipeline.
UNMARKED = {f"{model}-{tokens}-{kind}": (model, tokens, options)
            for model in MODELS for tokens in TOKENS for kind, options in (("found", ""), ("dense", " infer=false"))}
# Extents that end inside of everything.
MODELS["tails"] = (72, 2120)
CASES |= {f"tails-{tokens}-blocks": ("tails", tokens, BLOCK) for tokens in (200, 513, 1000)}


def write_product(name, a, b, m, n, k):
    wide = f"tensor<{m}x{n}xf32>"
    return f"""
  %{name}e = tensor.empty() : {wide}
  %{name}z = linalg.fill ins(%zero : f32) outs(%{name}e : {wide}) -> {wide}
  %{name} = linalg.matmul ins({a}, {b} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>) outs(%{name}z : {wide}) -> {wide}"""


def write_rounding(name, source, bias, m, n, relu, mark=""):
    return f"""
  %{name}e = tensor.empty() : tensor<{m}x{n}xbf16>
  %{name} = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({source}, {bias} : tensor<{m}x{n}xf32>, tensor<{n}xf32>) outs(%{name}e : tensor<{m}x{n}xbf16>){mark} {{
  ^bb0(%v: f32, %b: f32, %o: bf16):
    %s = arith.addf %v, %b : f32
    {'%r = arith.maximumf %s, %zero : f32' if relu else ''}
    %t = arith.truncf {'%r' if relu else '%s'} : f32 to bf16
    linalg.yield %t : bf16
  }} -> tensor<{m}x{n}xbf16>"""


def write_program(m, width, inner, units=1, marked=True):
    rows = min(m, 32)
    mark = "" if not marked else f"""
      attrs = {{pit.sparse = {{source = "values", axes = array<i64: 0, 1>, granularity = array<i64: {rows}, {units}>,
                              absent = "zero"}}}}"""
    return f"""
func.func @main(%x: tensor<{m}x{width}xbf16>, %w1: tensor<{width}x{inner}xbf16>, %b1: tensor<{inner}xf32>,
                %w2: tensor<{inner}x{width}xbf16>, %b2: tensor<{width}xf32>) -> tensor<{m}x{width}xbf16> {{
  %zero = arith.constant 0.0 : f32
{write_product("up", "%x", "%w1", m, inner, width)}
{write_rounding("h", "%up", "%b1", m, inner, True, mark)}
{write_product("down", "%h", "%w2", m, width, inner)}
{write_rounding("y", "%down", "%b2", m, width, False)}
  return %y : tensor<{m}x{width}xbf16>
}}
"""


def build(binaries, out, name):
    if marked := name in CASES:
        (model, tokens, units), options = CASES[name], ""
    else:
        (model, tokens, options), units = UNMARKED[name], 1
    width, inner = MODELS[model]
    built = builder.Built(binaries, os.path.join(out, name), write_program(tokens, width, inner, units, marked),
                          options="chip=sm_90a" + options)
    kernels = [launch["kernel"] for launch in built.function["launches"]]
    report = built.assemble()
    built.describe(name=name, tokens=tokens, width=width, inner=inner, units=units, kernels=kernels, **report)
    print(name, kernels)


if __name__ == "__main__":
    builder.main(__doc__, CASES | UNMARKED, build)
