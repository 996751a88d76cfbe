# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the benchmark's backward program of attention, small, in the forms that OPTION=VALUE say."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 5, "benchmarks", "attention"))
import gradients  # noqa: E402
import programs  # noqa: E402

options = dict(argument.split("=") for argument in sys.argv[1:])
group = int(options.get("group", 1))
case = programs.Attention(2, 3 * group, 40, int(options.get("width", 32)), options.get("mask", "causal"), dtype=options.get("type", "bf16"),
                          group=group, cap=float(options.get("cap", 0)), added=options.get("added", ""),
                          by_batch="batch" in options.get("by", ""), by_head="head" in options.get("by", ""))
text = gradients.text_of(case, heads=options.get("heads", "product"))


def change(before, after):
    global text
    if before not in text:
        raise SystemExit(f"no {before!r} in the program")
    text = text.replace(before, after)


form = options.get("form")
scale = f"%scale = arith.constant {case.width ** -0.5!r} : f32\n"
if form == "terms":
    change("    %d = arith.subf %a1, %a2 : f32\n    %p = arith.mulf %a0, %d : f32\n",
           "    %u = arith.mulf %a0, %a1 : f32\n    %t = arith.mulf %a0, %a2 : f32\n    %p = arith.subf %u, %t : f32\n")
elif form == "selected":
    # Zeros where the mask does not hold, and weights of 0 in rows without a key.
    change("    %r = arith.truncf %x : f32 to bf16\n    linalg.yield %r : bf16\n  } -> tensor<2x3x1x40x40xbf16>\n  %nw",
           "    %i = linalg.index 3 : index\n    %j = linalg.index 4 : index\n    %live = arith.cmpi ule, %j, %i : index\n"
           "    %none = arith.constant 0.0 : f32\n    %y = arith.select %live, %x, %none : f32\n"
           "    %r = arith.truncf %y : f32 to bf16\n    linalg.yield %r : bf16\n  } -> tensor<2x3x1x40x40xbf16>\n  %nw")
    change("    %r = math.exp %d : f32\n    linalg.yield %r",
           "    %e = math.exp %d : f32\n    %low = arith.constant 0xFF800000 : f32\n    %empty = arith.cmpf oeq, %a1, %low : f32\n"
           "    %none = arith.constant 0.0 : f32\n    %r = arith.select %empty, %none, %e : f32\n    linalg.yield %r")
elif form == "elsewhere":
    # Zeros where another mask does not hold: logits live there.
    change("    %r = arith.truncf %x : f32 to bf16\n    linalg.yield %r : bf16\n  } -> tensor<2x3x1x40x40xbf16>\n  %nw",
           "    %i = linalg.index 3 : index\n    %j = linalg.index 4 : index\n    %live = arith.cmpi ult, %j, %i : index\n"
           "    %none = arith.constant 0.0 : f32\n    %y = arith.select %live, %x, %none : f32\n"
           "    %r = arith.truncf %y : f32 to bf16\n    linalg.yield %r : bf16\n  } -> tensor<2x3x1x40x40xbf16>\n  %nw")
elif form == "scaled":
    # The factor of the gradient by queries behind their product, as of queries that are scaled in front of the scores.
    change(f"    %p = arith.mulf %a0, %d : f32\n    {scale}    %x = arith.mulf %p, %scale : f32\n", "    %x = arith.mulf %a0, %d : f32\n")
elif form == "divided":
    change(", %lse: tensor<2x3x1x40xf32>)", ", %lse: tensor<2x3x1x40xf32>, %sums: tensor<2x3x1x40xf32>)")
    change("ins(%logits, %lse : tensor<2x3x1x40x40xf32>, tensor<2x3x1x40xf32>)",
           "ins(%logits, %lse, %sums : tensor<2x3x1x40x40xf32>, tensor<2x3x1x40xf32>, tensor<2x3x1x40xf32>)")
    change("  %w = linalg.generic {indexing_maps = [#full, #row, #full]", "  %w = linalg.generic {indexing_maps = [#full, #row, #row, #full]")
    change("  ^bb0(%a0: f32, %a1: f32, %c: f32):\n    %d = arith.subf %a0, %a1 : f32\n    %r = math.exp %d : f32\n",
           "  ^bb0(%a0: f32, %a1: f32, %a2: f32, %c: f32):\n    %d = arith.subf %a0, %a1 : f32\n    %e = math.exp %d : f32\n"
           "    %r = arith.divf %e, %a2 : f32\n")
    if options.get("dead") == "lowest":
        change("0xFF800000", "-3.4028235e+38")
elif form == "power":
    # A logit that no derivative is known of.
    change(f"    {scale}    %x = arith.mulf %a0, %scale : f32\n", "    %x = arith.mulf %a0, %a0 : f32\n")
elif form == "uncapped":
    # Gradients lack the derivative of the cap.
    change("    %p = arith.mulf %a0, %rest : f32\n", "    %p = arith.mulf %a0, %one : f32\n")
elif form == "factored":
    # 1 - t * t as the product of 1 - t and 1 + t, which is how JAX writes it.
    change("    %t2 = arith.mulf %a1, %a1 : f32\n    %rest = arith.subf %one, %t2 : f32\n    %p = arith.mulf %a0, %rest : f32\n",
           "    %t2 = arith.mulf %a0, %a1 : f32\n    %more = arith.addf %a0, %t2 : f32\n    %rest = arith.subf %one, %a1 : f32\n"
           "    %p = arith.mulf %more, %rest : f32\n")
elif form == "by_keys":
    # The same bias for all queries.
    text = text.replace("-> (i, j)>", "-> (j)>").replace("tensor<40x40xf32>", "tensor<40xf32>")
    change('iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel"]',
           'iterator_types = ["reduction", "reduction", "reduction", "reduction", "parallel"]')
elif form == "transposed":
    # Gradients of rows in front of heads; those by values are copied by a generic op.
    change("  return %dq, %dk, %dv : tensor<2x3x1x40x32xbf16>, tensor<2x3x40x32xbf16>, tensor<2x3x40x32xbf16>",
           "  %tq_e = tensor.empty() : tensor<2x40x3x1x32xbf16>\n  %rows_e = tensor.empty() : tensor<2x40x3x32xbf16>\n"
           "  %tq = linalg.transpose ins(%dq : tensor<2x3x1x40x32xbf16>) outs(%tq_e : tensor<2x40x3x1x32xbf16>) permutation = [0, 3, 1, 2, 4]\n"
           "  %tk = linalg.transpose ins(%dk : tensor<2x3x40x32xbf16>) outs(%rows_e : tensor<2x40x3x32xbf16>) permutation = [0, 2, 1, 3]\n"
           "  %tv = linalg.generic {indexing_maps = [affine_map<(b, i, h, j) -> (b, h, i, j)>, affine_map<(b, i, h, j) -> (b, i, h, j)>], "
           'iterator_types = ["parallel", "parallel", "parallel", "parallel"]} '
           "ins(%dv : tensor<2x3x40x32xbf16>) outs(%rows_e : tensor<2x40x3x32xbf16>) {\n"
           "  ^bb0(%a0: bf16, %c: bf16):\n    linalg.yield %a0 : bf16\n  } -> tensor<2x40x3x32xbf16>\n"
           "  return %tq, %tk, %tv : tensor<2x40x3x1x32xbf16>, tensor<2x40x3x32xbf16>, tensor<2x40x3x32xbf16>")
    change("-> (tensor<2x3x1x40x32xbf16>, tensor<2x3x40x32xbf16>, tensor<2x3x40x32xbf16>)",
           "-> (tensor<2x40x3x1x32xbf16>, tensor<2x40x3x32xbf16>, tensor<2x40x3x32xbf16>)")
elif form == "two":
    # Without the gradient by values.
    change("return %dq, %dk, %dv :", "return %dq, %dk, %k :")
    text = text[:text.index("  %wide_dv_e")] + text[text.index("  return"):]
print(text)
