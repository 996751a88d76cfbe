# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention written dense, op by op: a backward program as autograd makes it, that computes weights again.

    text_of(programs.make("causal:d128"))     # MLIR: linalg on tensors, no mark, no op of PIT

The function takes queries, keys, values, the mask if it is data, the gradient of the result, the result, and the logarithms
of sums of exponentials, [batch, heads of keys, queries of a group, position]. It gives gradients of queries, keys and values,
and of a bias (`bias` with `added`). Needs no torch, no numpy.
"""
import programs
from programs import tensor


def product(name, maps, a, b, a_type, b_type, out_type, element, reduced=(5,)):
    """A sum of products in f32 along the `reduced` of six loops."""
    iterators = ", ".join('"reduction"' if loop in reduced else '"parallel"' for loop in range(6))
    def widened(value, kind, new):
        return (f"    %{new} = arith.extf %{value} : {kind} to f32\n", new) if kind != "f32" else ("", value)
    left, x = widened("a", element, "x")
    right, y = widened("b", element, "y")
    return f"""  %{name}_e = tensor.empty() : {out_type}
  %{name}_0 = linalg.fill ins(%zero : f32) outs(%{name}_e : {out_type}) -> {out_type}
  %{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]}} ins({a}, {b} : {a_type}, {b_type}) outs(%{name}_0 : {out_type}) {{
  ^bb0(%a: {element}, %b: {element}, %c: f32):
{left}{right}    %p = arith.mulf %{x}, %{y} : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }} -> {out_type}
"""


def elementwise(name, ins, out_map, out_type, types, body):
    """`ins` are pairs of a value and its map, with these types; `body` are lines that end with a yield."""
    maps = ", ".join([m for _, m in ins] + [out_map])
    iterators = ", ".join(['"parallel"'] * 5)
    arguments = ", ".join(f"%a{i}: {t.rstrip('>').split('x')[-1]}" for i, t in enumerate(types))
    element = out_type.rstrip(">").split("x")[-1]
    return f"""  %{name}_e = tensor.empty() : {out_type}
  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} ins({', '.join(v for v, _ in ins)} : {', '.join(types)}) outs(%{name}_e : {out_type}) {{
  ^bb0({arguments}, %c: {element}):
{chr(10).join('    ' + line for line in body)}
  }} -> {out_type}
"""


def added_up(name, value, kind, loops, axes, out_type):
    """The sum in f32 of a tensor with axes `loops`, along those that `axes` has not."""
    iterators = ", ".join('"parallel"' if axis in axes else '"reduction"' for axis in loops)
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(list_)})>" for list_ in (loops, axes))
    return f"""  %{name}_e = tensor.empty() : {out_type}
  %{name}_0 = linalg.fill ins(%zero : f32) outs(%{name}_e : {out_type}) -> {out_type}
  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} ins({value} : {kind}) outs(%{name}_0 : {out_type}) {{
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %c, %a : f32
    linalg.yield %r : f32
  }} -> {out_type}
"""


def text_of(case, heads="product"):
    """`heads` says how gradients of keys that heads share come to be: in one `product` along heads and queries, or `after`
    those of each head."""
    t = case.dtype
    b, h, g, n, d = case.query_shape
    q, k = tensor(case.query_shape, t), tensor(case.key_shape, t)
    wide_q, wide_k = tensor(case.query_shape, "f32"), tensor(case.key_shape, "f32")
    full, narrow = tensor((b, h, g, n, case.num_keys), "f32"), tensor((b, h, g, n, case.num_keys), t)
    rows = tensor((b, h, g, n), "f32")
    arguments = f"%q: {q}, %k: {k}, %v: {k}"
    ins, types = [("%scores", "#full")], [full]
    logit = [f"%scale = arith.constant {case.width ** -0.5!r} : f32", "%x = arith.mulf %a0, %scale : f32"]
    logit += programs.cap_lines(case)
    x = "%capped" if case.cap else "%x"
    if case.mask_shape:
        mask = tensor(case.mask_shape, case.added or "i1")
        arguments += f", %m: {mask}"
        ins.append(("%m", "#mask"))
        types.append(mask)
    if case.mask == "none":
        logit.append(f"linalg.yield {x} : f32")
    elif case.added:
        widened = "%a1" if case.added == "f32" else "%term"
        logit += [f"%term = arith.extf %a1 : {case.added} to f32"] * (case.added != "f32")
        logit += [f"%y = arith.addf {x}, {widened} : f32", "linalg.yield %y : f32"]
    else:
        condition = "%a1" if case.mask_shape else "%live"
        logit += programs.mask_lines(case) + ["%dead = arith.constant 0xFF800000 : f32",
                                              f"%y = arith.select {condition}, {x}, %dead : f32", "linalg.yield %y : f32"]
    ofmask = programs.mask_axes(case)
    hasbias = case.mask == "bias" and bool(case.added)
    gives = f", {tensor(case.mask_shape, case.added)}" if hasbias else ""
    text = f"""#full = affine_map<(b, h, g, i, j) -> (b, h, g, i, j)>
#row = affine_map<(b, h, g, i, j) -> (b, h, g, i)>
#key = affine_map<(b, h, g, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, g, i, j) -> {ofmask}>
#q = affine_map<(b, h, g, i, j, e) -> (b, h, g, i, e)>
#k = affine_map<(b, h, g, i, j, e) -> (b, h, j, e)>
#s = affine_map<(b, h, g, i, j, e) -> (b, h, g, i, j)>
#w = affine_map<(b, h, g, i, e, j) -> (b, h, g, i, j)>
#v = affine_map<(b, h, g, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, g, i, e, j) -> (b, h, g, i, e)>
#tw = affine_map<(b, h, g, j, e, i) -> (b, h, g, i, j)>
#tq = affine_map<(b, h, g, j, e, i) -> (b, h, g, i, e)>
#to = affine_map<(b, h, g, j, e, i) -> (b, h, j, e)>
func.func @main({arguments}, %do: {q}, %o: {q}, %lse: {rows}) -> ({q}, {k}, {k}{gives}) {{
  %zero = arith.constant 0.0 : f32
  %delta_e = tensor.empty() : {rows}
  %delta_0 = linalg.fill ins(%zero : f32) outs(%delta_e : {rows}) -> {rows}
  %delta = linalg.generic {{indexing_maps = [#full, #full, #row], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}} ins(%do, %o : {q}, {q}) outs(%delta_0 : {rows}) {{
  ^bb0(%a: {t}, %b: {t}, %c: f32):
    %x = arith.extf %a : {t} to f32
    %y = arith.extf %b : {t} to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }} -> {rows}
"""
    text += product("scores", ["#q", "#k", "#s"], "%q", "%k", q, k, full, t)
    text += elementwise("logits", ins, "#full", full, types, logit)
    text += elementwise("w", [("%logits", "#full"), ("%lse", "#row")], "#full", full, [full, rows],
                        ["%d = arith.subf %a0, %a1 : f32", "%r = math.exp %d : f32", "linalg.yield %r : f32"])
    text += product("dw", ["#q", "#k", "#s"], "%do", "%v", q, k, full, t)
    of_scores = [f"%scale = arith.constant {case.width ** -0.5!r} : f32", "%x = arith.mulf %p, %scale : f32",
                 f"%r = arith.truncf %x : f32 to {t}", f"linalg.yield %r : {t}"]
    of_logits = ["%d = arith.subf %a1, %a2 : f32", "%p = arith.mulf %a0, %d : f32"]
    inputs = [("%w", "#full"), ("%dw", "#full"), ("%delta", "#row")]
    if hasbias or case.cap:
        # Gradients of logits by themselves: the bias has them, too.
        text += elementwise("dl", inputs, "#full", full, [full, full, rows], of_logits + ["linalg.yield %p : f32"])
        if case.cap:
            text += elementwise("tanh", [("%scores", "#full")], "#full", full, [full],
                                logit[:2] + programs.cap_lines(case)[:3] + ["linalg.yield %tanh : f32"])
            text += elementwise("ds", [("%dl", "#full"), ("%tanh", "#full")], "#full", narrow, [full, full],
                                ["%one = arith.constant 1.0 : f32", "%t2 = arith.mulf %a1, %a1 : f32", "%rest = arith.subf %one, %t2 : f32",
                                 "%p = arith.mulf %a0, %rest : f32"] + of_scores)
        else:
            text += elementwise("ds", [("%dl", "#full")], "#full", narrow, [full],
                                [line.replace("%p,", "%a0,") for line in of_scores])
    else:
        text += elementwise("ds", inputs, "#full", narrow, [full, full, rows], of_logits + of_scores)
    rounded = [f"%r = arith.truncf %a0 : f32 to {t}", f"linalg.yield %r : {t}"]
    text += elementwise("nw", [("%w", "#full")], "#full", narrow, [full], rounded)
    text += product("wide_dq", ["#w", "#v", "#o"], "%ds", "%k", narrow, k, wide_q, t)
    text += elementwise("dq", [("%wide_dq", "#full")], "#full", q, [wide_q], rounded)
    for name, points, other in (("dk", "ds", "q"), ("dv", "nw", "do")):
        if g == 1:
            text += product(f"wide_{name}", ["#tw", "#tq", "#to"], f"%{points}", f"%{other}", narrow, q, wide_k, t)
        elif heads == "product":
            text += product(f"wide_{name}", ["#tw", "#tq", "#to"], f"%{points}", f"%{other}", narrow, q, wide_k, t, reduced=(2, 5))
        else:
            each = tensor((b, h, g, case.num_keys, d), "f32")
            text += product(f"each_{name}", ["#tw", "#tq", "affine_map<(b, h, g, j, e, i) -> (b, h, g, j, e)>"], f"%{points}", f"%{other}",
                            narrow, q, each, t)
            text += added_up(f"wide_{name}", f"%each_{name}", each, "bhgje", "bhje", wide_k)
        text += elementwise(name, [(f"%wide_{name}", "#key")], "#key", k, [wide_k], rounded).replace(
            "\"parallel\", \"parallel\", \"parallel\", \"parallel\", \"parallel\"",
            "\"parallel\", \"parallel\", \"parallel\", \"parallel\"").replace(
            "#key", "affine_map<(b, h, i, j) -> (b, h, i, j)>")
    if not hasbias:
        return text + f"  return %dq, %dk, %dv : {q}, {k}, {k}\n}}\n"
    axes = [axis.strip() for axis in ofmask.strip("()").split(",")]
    result = "%dl"
    if len(axes) < 5:
        text += added_up("wide_dm", "%dl", full, "bhgij", "".join(axes), tensor(case.mask_shape, "f32"))
        result = "%wide_dm"
    if case.added != "f32":
        maps = ", ".join([f"affine_map<({', '.join(axes)}) -> ({', '.join(axes)})>"] * 2)
        text += f"""  %dm_e = tensor.empty() : {mask}
  %dm = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{', '.join(['"parallel"'] * len(axes))}]}} ins({result} : {tensor(case.mask_shape, "f32")}) outs(%dm_e : {mask}) {{
  ^bb0(%a0: f32, %c: {case.added}):
    %r = arith.truncf %a0 : f32 to {case.added}
    linalg.yield %r : {case.added}
  }} -> {mask}
"""
        result = "%dm"
    return text + f"  return %dq, %dk, %dv, {result} : {q}, {k}, {k}, {mask}\n}}\n"
