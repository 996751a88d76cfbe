# ===- lower_child.py - From StableHLO to linalg, in a process of its own ---------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""From StableHLO to linalg by jaxlib's own passes, in a process of its own.

Reads a module from stdin and writes one to stdout; what is wrong goes to stderr.
"""

import sys

# The most that a top-k takes before it is left as the sort that it is to JAX.
MOST_OF_TOP = 16

# What marks of values are in StableHLO, see `marks`.
MARK = "pit.sparse"


def _top_k(name, source, k):
    """StableHLO of the `k` largest of the last axis of a tensor, largest first, equal ones by their places: `k` rounds
    of an arg-max. Floats are compared as integers in the order of their bits, where NaN is the largest, as JAX has it.
    None for types that have no such order here."""
    *lead, extent = source.shape
    element = str(source.element_type)
    widths = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
    if element not in widths and element not in ("i8", "i16", "i32", "i64"):
        return None
    width = widths.get(element) or int(element[1:])

    def shaped(of, *extents):
        return f"tensor<{''.join(f'{e}x' for e in extents)}{of}>"

    key = f"i{width}"
    all_x, all_keys, all_places, all_truth = (shaped(of, *lead, extent) for of in (element, key, "i32", "i1"))
    row_x, row_key, row_place = (shaped(of, *lead) for of in (element, key, "i32"))
    last, axes = len(lead), ", ".join(map(str, range(len(lead))))
    lines = [
        f"%places = stablehlo.iota dim = {last} : {all_places}",
        f"%least = stablehlo.constant dense<{-(1 << (width - 1))}> : tensor<{key}>",
        f"%leasts = stablehlo.constant dense<{-(1 << (width - 1))}> : {all_keys}",
        "%first = stablehlo.constant dense<0> : tensor<i32>",
        f"%zero = stablehlo.constant dense<0{'.0' if element in widths else ''}> : tensor<{element}>",
        f"%zeros = stablehlo.constant dense<0{'.0' if element in widths else ''}> : {all_x}",
    ]
    keys = "%x"
    if element in widths:
        lines += [
            f"%shift = stablehlo.constant dense<{width - 1}> : {all_keys}",
            f"%most = stablehlo.constant dense<{(1 << (width - 1)) - 1}> : {all_keys}",
            f"%bits = stablehlo.bitcast_convert %x : ({all_x}) -> {all_keys}",
            f"%sign = stablehlo.shift_right_arithmetic %bits, %shift : {all_keys}",
            f"%flips = stablehlo.and %sign, %most : {all_keys}",
            f"%keys = stablehlo.xor %bits, %flips : {all_keys}",
        ]
        keys = "%keys"
    for n in range(k):
        lines += [
            f"%best{n}:2 = stablehlo.reduce({keys} init: %least), (%places init: %first) across dimensions = [{last}] :"
            f" ({all_keys}, {all_places}, tensor<{key}>, tensor<i32>) -> ({row_key}, {row_place})",
            f"  reducer(%a: tensor<{key}>, %b: tensor<{key}>) (%i: tensor<i32>, %j: tensor<i32>) {{",
            f"  %more = stablehlo.compare GT, %a, %b, SIGNED : (tensor<{key}>, tensor<{key}>) -> tensor<i1>",
            f"  %same = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<{key}>, tensor<{key}>) -> tensor<i1>",
            "  %before = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "  %tie = stablehlo.and %same, %before : tensor<i1>",
            "  %stays = stablehlo.or %more, %tie : tensor<i1>",
            f"  %c = stablehlo.select %more, %a, %b : tensor<i1>, tensor<{key}>",
            "  %k = stablehlo.select %stays, %i, %j : tensor<i1>, tensor<i32>",
            f"  stablehlo.return %c, %k : tensor<{key}>, tensor<i32>",
            "}",
            f"%there{n} = stablehlo.broadcast_in_dim %best{n}#1, dims = [{axes}] : ({row_place}) -> {all_places}",
            f"%hit{n} = stablehlo.compare EQ, %places, %there{n}, SIGNED : ({all_places}, {all_places}) -> {all_truth}",
            f"%one{n} = stablehlo.select %hit{n}, %x, %zeros : {all_truth}, {all_x}",
            f"%value{n} = stablehlo.reduce(%one{n} init: %zero) applies stablehlo.add across dimensions = [{last}] : ({all_x}, tensor<{element}>) -> {row_x}",
            f"%v{n} = stablehlo.reshape %value{n} : ({row_x}) -> {shaped(element, *lead, 1)}",
            f"%p{n} = stablehlo.reshape %best{n}#1 : ({row_place}) -> {shaped('i32', *lead, 1)}",
            f"%rest{n} = stablehlo.select %hit{n}, %leasts, {keys} : {all_truth}, {all_keys}",
        ]
        keys = f"%rest{n}"
    results = []
    for value, of in (("v", element), ("p", "i32")):
        type_ = shaped(of, *lead, k)
        names, ones = ", ".join(f"%{value}{n}" for n in range(k)), ", ".join([shaped(of, *lead, 1)] * k)
        lines.append(f"%all_{value} = stablehlo.concatenate {names}, dim = {last} : ({ones}) -> {type_}")
        results.append(type_)
    lines.append(f"return %all_v, %all_p : {', '.join(results)}")
    body = "\n".join(lines)
    return f"func.func private @{name}(%x: {all_x}) -> ({', '.join(results)}) {{\n{body}\n}}"


def _walk(ir, module, visit):
    def step(op):
        visit(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(step)


def replace_top_k(ir, module):
    """Gives each top-k that takes few a body without a sort, for which linalg has no op."""
    found = []

    def visit(op):
        if op.name == "stablehlo.composite" and ir.StringAttr(op.attributes["name"]).value == "chlo.top_k":
            found.append(op)

    _walk(ir, module, visit)
    for number, op in enumerate(found):
        k = ir.IntegerAttr(ir.DictAttr(op.attributes["composite_attributes"])["k"]).value
        name = f"pit_top_k_{number}"
        source = ir.RankedTensorType(op.operands[0].type)
        text = _top_k(name, source, k) if k <= MOST_OF_TOP and source.has_static_shape else None
        if text:
            made = ir.Module.parse(text)
            made.body.operations[0].operation.clone(ir.InsertionPoint(module.body))
            op.attributes["decomposition"] = ir.FlatSymbolRefAttr.get(name)


def set_marks(ir, module):
    """Makes attributes of what marks say as text."""

    def visit(op):
        if MARK in op.attributes:
            op.attributes[MARK] = ir.Attribute.parse(ir.StringAttr(op.attributes[MARK]).value)

    _walk(ir, module, visit)


def main():
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, stablehlo

    with ir.Context() as context:
        dialects = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(dialects)
        context.append_dialect_registry(dialects)
        context.load_all_available_dialects()
        chlo.register_dialect(context)
        stablehlo.register_dialect(context)
        stablehlo.register_stablehlo_passes()
        module = ir.Module.parse(sys.stdin.read())
        replace_top_k(ir, module)
        for pipeline in (
            "builtin.module(func.func(stablehlo-legalize-composite-to-call))",
            "builtin.module(inline,symbol-dce)",
            "builtin.module(func.func(chlo-legalize-to-stablehlo))",
            "builtin.module(stablehlo-convert-to-signless)",
            "builtin.module(stablehlo-legalize-to-linalg)",
        ):
            passmanager.PassManager.parse(pipeline).run(module.operation)
        set_marks(ir, module)
        sys.stdout.write(module.operation.get_asm(enable_debug_info=True))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # Whatever it is, the parent wants its text.
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.exit(1)
