# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of few queries as pit.attend: decode_attention.py [NAME=VALUE ...]; or lengths as a file:

    decode_attention.py OUT.npy LENGTH...
"""
import sys

OPTIONS = {"batch": 2, "heads": 2, "groups": 4, "queries": 1, "keys": 777, "width": 64, "columns": 0, "type": "bf16", "out": "f32",
           "mask": "none", "sink": "", "dead": "0xFF800000", "zero": "", "dynamic": "", "plan": ""}
AXES = "b, h, g, i, j, e, f"
SCALED = "%x = arith.mulf %score, %scale : f32"
SELECT = f"{SCALED}\n    %logit = arith.select %live, %x, %dead : f32"


def tensor(shape, element):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def mask(o, keys):
    """The modifier's shape, axes and argument, if there is one, and the region's lines."""
    kind = o["mask"]
    if kind == "lengths":
        return ((o["batch"],), "i64", "b", "%length"), \
            f"%place = arith.index_cast %j : index to i64\n    %live = arith.cmpi slt, %place, %length : i64\n    {SELECT}"
    if kind == "bits":
        return ((o["batch"], o["queries"], keys), "i1", "b, i, j", "%live"), SELECT
    if kind == "bias":
        return ((o["batch"], o["queries"], keys), "f32", "b, i, j", "%bias"), f"{SCALED}\n    %logit = arith.addf %x, %bias : f32"
    if kind == "slopes":
        # Of each head its own, as ALiBi has them: heads cannot be rows of one tile.
        return ((o["heads"], o["groups"]), "f32", "h, g", "%slope"), \
            "%i32 = arith.index_cast %j : index to i32\n    %place = arith.sitofp %i32 : i32 to f32\n    " \
            f"%bias = arith.mulf %place, %slope : f32\n    {SCALED}\n    %logit = arith.addf %x, %bias : f32"
    if kind == "causal":
        return None, f"%before = arith.constant {o['keys'] - o['queries']} : index\n    %last = arith.addi %i, %before : index\n    " \
            f"%live = arith.cmpi ule, %j, %last : index\n    {SELECT}"
    return None, "%logit = arith.mulf %score, %scale : f32"


def main(arguments):
    if arguments and arguments[0].endswith(".npy"):
        values = [int(x) for x in arguments[1:]]
        header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({len(values)},), }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        with open(arguments[0], "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                       + b"".join(x.to_bytes(8, "little", signed=True) for x in values))
        return
    o = dict(OPTIONS)
    for argument in arguments:
        name, value = argument.split("=", 1)
        o[name] = type(OPTIONS[name])(value)
    keys, width, columns = "?" if o["dynamic"] else o["keys"], o["width"], o["columns"] or o["width"]
    rows = (o["batch"], o["heads"], o["groups"], o["queries"])
    q, k = tensor(rows + (width,), o["type"]), tensor(rows[:2] + (keys, width), o["type"])
    v, out = tensor(rows[:2] + (keys, columns), o["type"]), tensor(rows + (columns,), o["out"])
    modifier, lines = mask(o, keys)
    maps = ["b, h, g, i, e", "b, h, j, e", "b, h, j, f", "b, h, g, i, f"]
    given = modifiers = argument = ""
    if modifier:
        shape, element, axes, name = modifier
        maps.insert(3, axes)
        given = f", %m: {tensor(shape, element)}"
        modifiers = f" modifiers(%m : {tensor(shape, element)})"
        argument = f"{name}: {element}, "
    sink = ""
    if o["sink"]:
        # A logit of each head, twice as large as it is given.
        maps.insert(len(maps) - 1, "h, g")
        heads = tensor((o["heads"], o["groups"]), "f32")
        given += f", %s: {heads}"
        modifiers = modifiers[:-1].replace(" :", ", %s :", 1) + f", {heads})" if modifier else f" modifiers(%s : {heads})"
        argument += "%of_head: f32, "
        lines += "\n    %sink = arith.addf %of_head, %of_head : f32"
        sink = " sink %sink"
    print(f"""func.func @main(%q: {q}, %k: {k}, %v: {v}{given}) -> {out} {{
  %init = tensor.empty() : {out}
  %o = pit.attend{' {zero_rows}' if o['zero'] else ''} ins(%q, %k, %v : {q}, {k}, {v}){modifiers} outs(%init : {out})
      maps [{', '.join(f'affine_map<({AXES}) -> ({axes})>' for axes in maps)}] {o['plan']} {{
  ^bb0(%score: f32, {argument}%b: index, %h: index, %g: index, %i: index, %j: index):
    %scale = arith.constant 0.125 : f32
    %dead = arith.constant {o['dead']} : f32
    {lines}
    pit.logit %logit{sink} : f32{', f32' if sink else ''}
  }} -> {out}
  return %o : {out}
}}""")


main(sys.argv[1:])
