#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles what a router of experts makes of its logits, the k largest normalised to a gate, for bench_top_k.py.

    build_top_k.py BIN OUT [NAME...]

BIN holds pit-opt and pit-translate. The program is written as exporters write it: a softmax, the largest one after another,
their weights and numbers side by side, and a sum of numbers compared with those of all experts. Needs no GPU, no numpy.
"""
import os

import builder

# Experts, and how many of them a token has.
SIZES = {8: 2, 16: 2, 32: 4, 64: 8, 128: 8}
CASES = {f"top-{k}-of-{experts}-{element}": (experts, k, element)
         for experts, k in SIZES.items() for element in ("f32", "bf16")}


class Text:
    """A function of rows `?xE`, op by op."""

    def __init__(self, experts, element):
        self.experts, self.element, self.lines, self.count = experts, element, [], 0
        self.row, self.one, self.place = f"tensor<?x{experts}xf32>", "tensor<?xf32>", "tensor<?xi64>"
        for name, kind in (("%eRow", self.row), ("%eOne", self.one), ("%ePlace", self.place)):
            self.lines.append(f"  {name} = tensor.empty(%tokens) : {kind}")

    def op(self, inputs, out, result, body, reduces=False):
        """One generic of inputs: (value, type, map, argument)."""
        self.count += 1
        name, kinds = f"%v{self.count}", '"parallel", "reduction"' if reduces else '"parallel", "parallel"'
        names = ", ".join(value for value, *_ in inputs)
        types = ", ".join(kind for _, kind, *_ in inputs)
        maps = ", ".join([kind for *_, kind, _ in inputs] + ["#one" if reduces else "#row"])
        element = result[result.rindex("x") + 1:-1]
        arguments = ", ".join([f"{argument}: {kind[kind.rindex('x') + 1:-1]}" for _, kind, _, argument in inputs] + [f"%acc: {element}"])
        ins = f"ins({names} : {types}) " if inputs else ""
        self.lines.append(f"  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {ins}outs({out} : {result}) {{\n"
                          f"  ^bb0({arguments}):\n{body}\n  }} -> {result}")
        return name


def program(experts, k, element):
    text = Text(experts, element)
    row, one, place = text.row, text.one, text.place
    logits = f"tensor<?x{experts}x{element}>"
    text.lines.append(f"""  %starts = linalg.fill ins(%least : f32) outs(%eOne : {one}) -> {one}
  %zeros = linalg.fill ins(%zero : f32) outs(%eOne : {one}) -> {one}
  %firsts = linalg.fill ins(%c0_i64 : i64) outs(%ePlace : {place}) -> {place}
  %eVec = tensor.empty() : tensor<{experts}xi64>
  %numbers = linalg.generic {{indexing_maps = [affine_map<(e) -> (e)>], iterator_types = ["parallel"]}} outs(%eVec : tensor<{experts}xi64>) {{
  ^bb0(%acc: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  }} -> tensor<{experts}xi64>""")
    wide = "%logits"
    if element != "f32":
        wide = text.op([("%logits", logits, "#row", "%l")], "%eRow", row, f"    %w = arith.extf %l : {element} to f32\n    linalg.yield %w : f32")
    top = text.op([(wide, row, "#row", "%l")], "%starts", one, "    %m = arith.maximumf %l, %acc : f32\n    linalg.yield %m : f32", True)
    power = text.op([(wide, row, "#row", "%l"), (top, one, "#one", "%t")], "%eRow", row,
                    "    %d = arith.subf %l, %t : f32\n    %p = math.exp %d : f32\n    linalg.yield %p : f32")
    total = text.op([(power, row, "#row", "%l")], "%zeros", one, "    %m = arith.addf %l, %acc : f32\n    linalg.yield %m : f32", True)
    left = text.op([(power, row, "#row", "%l"), (total, one, "#one", "%t")], "%eRow", row,
                   "    %q = arith.divf %l, %t : f32\n    linalg.yield %q : f32")
    weights, places = [], []
    for i in range(k):
        text.lines.append(f"""  %top{i}:2 = linalg.generic {{indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}}
      ins({left} : {row}) outs(%starts, %firsts : {one}, {place}) {{
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  }} -> ({one}, {place})""")
        chosen = [("%numbers", f"tensor<{experts}xi64>", "#vec", "%n"), (f"%top{i}#1", place, "#one", "%at"), (left, row, "#row", "%l")]
        is_chosen = "    %is = arith.cmpi eq, %n, %at : i64\n"
        value = text.op(chosen, "%eRow", row, is_chosen + "    %p = arith.select %is, %l, %zero : f32\n    linalg.yield %p : f32")
        weights.append(text.op([(value, row, "#row", "%l")], "%zeros", one, "    %m = arith.addf %l, %acc : f32\n    linalg.yield %m : f32", True))
        places.append(f"%top{i}#1")
        left = text.op(chosen, "%eRow", row, is_chosen + "    %p = arith.select %is, %least, %l : f32\n    linalg.yield %p : f32")
    lines = text.lines
    for kind, values in (("f32", weights), ("i64", places)):
        for i, value in enumerate(values):
            lines.append(f"  %{kind}_{i} = tensor.expand_shape {value} [[0, 1]] output_shape [%tokens, 1] : tensor<?x{kind}> into tensor<?x1x{kind}>")
        lines.append(f"  %all_{kind} = tensor.concat dim(1) {', '.join(f'%{kind}_{i}' for i in range(k))} : "
                     f"({', '.join([f'tensor<?x1x{kind}>'] * k)}) -> tensor<?x{k}x{kind}>")
    lines.append(f"""  %chosen = linalg.generic {{indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}}
      ins(%all_f32 : tensor<?x{k}xf32>) outs(%zeros : {one}) {{
  ^bb0(%l: f32, %acc: f32):
    %m = arith.addf %l, %acc : f32
    linalg.yield %m : f32
  }} -> {one}
  %eHot = tensor.empty(%tokens) : tensor<?x{k}x{experts}xf32>
  %hot = linalg.generic {{indexing_maps = [affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (e)>, affine_map<(t, k, e) -> (t, k)>,
      affine_map<(t, k, e) -> (t)>, affine_map<(t, k, e) -> (t, k, e)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%all_i64, %numbers, %all_f32, %chosen : tensor<?x{k}xi64>, tensor<{experts}xi64>, tensor<?x{k}xf32>, {one})
      outs(%eHot : tensor<?x{k}x{experts}xf32>) {{
  ^bb0(%at: i64, %n: i64, %w: f32, %c: f32, %acc: f32):
    %is = arith.cmpi eq, %at, %n : i64
    %one = arith.uitofp %is : i1 to f32
    %q = arith.divf %w, %c : f32
    %p = arith.mulf %one, %q : f32
    linalg.yield %p : f32
  }} -> tensor<?x{k}x{experts}xf32>
  %none = linalg.fill ins(%zero : f32) outs(%eRow : {row}) -> {row}
  %gate = linalg.generic {{indexing_maps = [affine_map<(t, k, e) -> (t, k, e)>, affine_map<(t, k, e) -> (t, e)>],
      iterator_types = ["parallel", "reduction", "parallel"]}} ins(%hot : tensor<?x{k}x{experts}xf32>) outs(%none : {row}) {{
  ^bb0(%l: f32, %acc: f32):
    %m = arith.addf %l, %acc : f32
    linalg.yield %m : f32
  }} -> {row}""")
    body = "\n".join(lines)
    return f"""#row = affine_map<(t, e) -> (t, e)>
#one = affine_map<(t, e) -> (t)>
#vec = affine_map<(t, e) -> (e)>
func.func @main(%logits: {logits}) -> {row} {{
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %tokens = tensor.dim %logits, %c0 : {logits}
{body}
  return %gate : {row}
}}
"""


def build(binaries, out, name):
    experts, k, element = CASES[name]
    built = builder.Built(binaries, os.path.join(out, name), program(experts, k, element))
    report = built.assemble()
    launches = len(built.function["launches"])
    built.describe(name=name, experts=experts, k=k, element=element, launches=launches, **report)
    print(name, f"{launches} launches", report)


if __name__ == "__main__":
    builder.main(__doc__, CASES, build)
