"""Generates programs around every named linalg op, with marks of every kind on its operands, and runs each with
`pit-run --check`: sparse and dense program have to agree.

    named_ops.py [--pit-run FILE] [--seed N] [--rounds N] [--only OP] [--keep DIR]
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import marks

# op: (attributes, inputs, output, element that sums or maxima start from)
WINDOW1 = "{dilations = dense<1> : tensor<1xi64>, strides = dense<%d> : tensor<1xi64>}"
WINDOW2 = "{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}"
WINDOW3 = "{dilations = dense<1> : tensor<3xi64>, strides = dense<%d> : tensor<3xi64>}"
OPS = {
    "matmul": ("", ["12x8", "8x16"], "12x16", 0),
    "matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]": ("", ["8x12", "8x16"], "12x16", 0),
    "matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]": ("", ["12x8", "16x8"], "12x16", 0),
    "contract indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (l, j, k)>, affine_map<(i, j, k, l) -> (j, i)>]": ("", ["6x4x8", "8x5x4"], "5x6", 0),
    "batch_matmul": ("", ["3x6x8", "3x8x5"], "3x6x5", 0),
    "batch_reduce_matmul": ("", ["3x6x8", "3x8x5"], "6x5", 0),
    "matvec": ("", ["12x8", "8"], "12", 0),
    "vecmat": ("", ["8", "8x12"], "12", 0),
    "batch_matvec": ("", ["3x6x8", "3x8"], "3x6", 0),
    "batch_vecmat": ("", ["3x8", "3x8x6"], "3x6", 0),
    "dot": ("", ["16", "16"], "", 0),
    "mmt4d": ("", ["3x4x8x2", "5x4x6x2"], "3x5x8x6", 0),
    "batch_mmt4d": ("", ["2x3x4x8x2", "2x5x4x6x2"], "2x3x5x8x6", 0),
    "conv_1d": ("", ["18", "3"], "16", 0),
    "conv_2d": ("", ["10x12", "3x3"], "8x10", 0),
    "conv_3d": ("", ["6x7x8", "3x2x3"], "4x6x6", 0),
    "conv_1d_nwc_wcf": (WINDOW1 % 1, ["2x10x4", "3x4x5"], "2x8x5", 0),
    "conv_1d_ncw_fcw": (WINDOW1 % 2, ["2x4x11", "5x4x3"], "2x5x5", 0),
    "conv_2d_nhwc_hwcf": (WINDOW2 % 2, ["2x9x9x4", "3x3x4x5"], "2x4x4x5", 0),
    "conv_2d_nhwc_fhwc": (WINDOW2 % 1, ["2x8x8x4", "5x3x3x4"], "2x6x6x5", 0),
    "conv_2d_nchw_fchw": (WINDOW2 % 1, ["2x4x8x8", "5x4x3x3"], "2x5x6x6", 0),
    "conv_2d_ngchw_fgchw": (WINDOW2 % 1, ["2x2x4x8x8", "5x2x4x3x3"], "2x2x5x6x6", 0),
    "conv_2d_ngchw_gfchw": (WINDOW2 % 1, ["2x2x4x8x8", "2x5x4x3x3"], "2x2x5x6x6", 0),
    "conv_2d_nhwgc_gfhwc": (WINDOW2 % 1, ["2x8x8x2x4", "2x5x3x3x4"], "2x6x6x2x5", 0),
    "conv_3d_ndhwc_dhwcf": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3x3x4"], "1x4x4x4x4", 0),
    "conv_3d_ncdhw_fcdhw": (WINDOW3 % 1, ["1x3x5x6x6", "4x3x2x3x3"], "1x4x4x4x4", 0),
    "depthwise_conv_1d_nwc_wc": (WINDOW1 % 1, ["2x10x4", "3x4"], "2x8x4", 0),
    "depthwise_conv_1d_ncw_cw": (WINDOW1 % 1, ["2x4x10", "4x3"], "2x4x8", 0),
    "depthwise_conv_1d_nwc_wcm": (WINDOW1 % 1, ["2x10x4", "3x4x2"], "2x8x4x2", 0),
    "depthwise_conv_2d_nhwc_hwc": (WINDOW2 % 2, ["2x9x9x4", "3x3x4"], "2x4x4x4", 0),
    "depthwise_conv_2d_nchw_chw": (WINDOW2 % 1, ["2x4x8x8", "4x3x3"], "2x4x6x6", 0),
    "depthwise_conv_2d_nhwc_hwcm": (WINDOW2 % 1, ["2x8x8x4", "3x3x4x2"], "2x6x6x4x2", 0),
    "depthwise_conv_3d_ndhwc_dhwc": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3x3"], "1x4x4x4x3", 0),
    "depthwise_conv_3d_ncdhw_cdhw": (WINDOW3 % 1, ["1x3x5x6x6", "3x2x3x3"], "1x3x4x4x4", 0),
    "depthwise_conv_3d_ndhwc_dhwcm": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3x3x2"], "1x4x4x4x3x2", 0),
    "pooling_nhwc_sum": (WINDOW2 % 2, ["2x9x9x4", "3x3"], "2x4x4x4", 0),
    "pooling_nchw_sum": (WINDOW2 % 2, ["2x4x9x9", "3x3"], "2x4x4x4", 0),
    "pooling_nhwc_max": (WINDOW2 % 1, ["2x8x8x4", "3x3"], "2x6x6x4", "-inf"),
    "pooling_nchw_max": (WINDOW2 % 1, ["2x4x8x8", "3x3"], "2x4x6x6", "-inf"),
    "pooling_nhwc_min": (WINDOW2 % 1, ["2x8x8x4", "3x3"], "2x6x6x4", "inf"),
    "pooling_nwc_sum": (WINDOW1 % 1, ["2x10x4", "3"], "2x8x4", 0),
    "pooling_ncw_sum": (WINDOW1 % 1, ["2x4x10", "3"], "2x4x8", 0),
    "pooling_nwc_max": (WINDOW1 % 1, ["2x10x4", "3"], "2x8x4", "-inf"),
    "pooling_ncw_max": (WINDOW1 % 1, ["2x4x10", "3"], "2x4x8", "-inf"),
    "pooling_nwc_min": (WINDOW1 % 1, ["2x10x4", "3"], "2x8x4", "inf"),
    "pooling_ndhwc_sum": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3"], "1x4x4x4x3", 0),
    "pooling_ndhwc_max": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3"], "1x4x4x4x3", "-inf"),
    "pooling_ndhwc_min": (WINDOW3 % 1, ["1x5x6x6x3", "2x3x3"], "1x4x4x4x3", "inf"),
    "transpose": (" permutation = [2, 0, 1]", ["4x6x8"], "8x4x6", 0),
    "broadcast": (" dimensions = [1]", ["4x8"], "4x6x8", 0),
    "reduce {arith.addf}": (" dimensions = [1]", ["4x6x8"], "4x8", 0),
    "reduce {arith.maximumf}": (" dimensions = [0, 2]", ["4x6x8"], "6", "-inf"),
    "reduce {arith.mulf}": (" dimensions = [2]", ["4x6x8"], "4x6", 1),
    "softmax dimension(1)": ("", ["6x12"], "6x12", 0),
    "softmax dimension(0)": ("", ["6x4x3"], "6x4x3", 0),
    "winograd_filter_transform fmr(F_4_3)": ("", ["2x3x3x5"], "6x6x5x2", 0),
    "winograd_input_transform fmr(F_4_3)": ("", ["2x10x10x5"], "6x6x2x2x2x5", 0),
    "winograd_output_transform fmr(F_4_3)": ("", ["6x6x2x2x2x5"], "2x8x8x5", 0),
    "pack": (" inner_dims_pos = [0, 1] inner_tiles = [4, 2]", ["12x8"], "3x4x4x2", 0),
    "pack ": (" outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4]", ["6x16"], "4x6x4", 0),
    "unpack": (" inner_dims_pos = [0, 1] inner_tiles = [4, 2]", ["3x4x4x2"], "12x8", 0),
    "select": ("", ["6x8xi1", "6x8", "6x8"], "6x8", 0),
}
for name in "exp abs ceil floor negf reciprocal round square tanh erf copy".split():
    OPS[name] = ("", ["6x8"], "6x8", 0)
for name in "log sqrt rsqrt".split():
    OPS[name] = ("", ["6x8"], "6x8", 0)
for name in "add sub mul div max min".split():
    OPS[name] = ("", ["6x4x8", "6x4x8"], "6x4x8", 0)
OPS["powf"] = ("", ["6x8", "6x8"], "6x8", 0)
for kind in ("exp", "add", "mul"):
    inputs = ["6x8"] * (1 if kind == "exp" else 2)
    OPS[f"elementwise kind=#linalg.elementwise_kind<{kind}>"] = ("", inputs, "6x8", 0)
INTEGERS = ["matmul", "batch_matmul", "conv_2d_nhwc_hwcf", "pooling_nhwc_sum", "add", "mul", "max", "dot", "copy"]
# 0 * -inf is NaN in a dense program, and skipped in a sparse one.
INFINITE = re.compile(r"^(exp|max|min|add|softmax|pooling|copy|abs|transpose|broadcast|reduce {arith.max)")
# Here a result may be the same whatever undef elements hold, so a check cannot tell that it is not promised.
HIDING = re.compile(r"max|min|select|softmax|sub|div|powf|ceil|floor|round|sqrt|log|winograd")
PREFIXED = re.compile(r"^(pack|unpack|transpose|broadcast|reduce)")


def tensor(shape, element="f32"):
    return f"tensor<{shape}>" if shape.endswith("i1") else f"tensor<{shape + 'x' if shape else ''}{element}>"


def statement(op, element):
    """The op on %0, %1, ... into %init."""
    attributes, inputs, output, _ = OPS[op]
    names = ", ".join(f"%{i}" for i in range(len(inputs)))
    types = ", ".join(tensor(shape, element) for shape in inputs)
    result = tensor(output, element)
    if op.startswith(("pack", "unpack")):
        return f"linalg.{op.strip()} %0{attributes} into %init : {types} -> {result}"
    head, _, body = op.partition(" {")
    if body:
        scalar = body.rstrip("}")
        return f"linalg.{head} {{ {scalar} }} ins({names} : {types}) outs(%init : {result}){attributes}"
    if attributes.startswith("{"):
        head, attributes = f"{op} {attributes}", ""
    arrow = "" if PREFIXED.match(op) else f" -> {result}"
    return f"linalg.{head} ins({names} : {types}) outs(%init : {result}){attributes}{arrow}"


def data(kind, extents, tile, element):
    """How --random makes an operand's values."""
    if element.startswith("i"):
        return "randint:0:2" if kind == "values" else "randint:-4:5"
    if kind == "values":
        return "sparse:0.7" if max(tile) == 1 or len(extents) < 2 else "rows:0.6"
    return "normal"


def program(op, element, random, kind):
    """(text, --random options)"""
    _, shapes, output, start = OPS[op]
    arguments, options, extra, extra_options = [], [], [], []
    special = ["neg_inf"] if INFINITE.match(op) and random.random() < 0.5 else []
    if not special and element == "f32" and not HIDING.search(op):
        special = ["undef"]
    absents = ["zero", *special]
    marked = random.sample(range(len(shapes)), random.randint(1, len(shapes)))
    for i, shape in enumerate(shapes):
        if shape.endswith("i1"):
            arguments.append(f"%{i}: tensor<{shape}>")
            options.append("bool:0.5")
            continue
        extents, mark, spec = shape.split("x"), "", "uniform:0.5:2"
        found = None
        if i in marked:
            found = marks.describe(kind, extents, element, len(shapes) + len(extra), random, absents)
        if found:
            fields, by = found
            mark = f" {{pit.sparse = {{{fields}}}}}"
            sizes = re.search(r"granularity = array<i64: ([^>]*)>", fields)
            tile = [int(size) for size in sizes.group(1).split(",")] if sizes else [1]
            spec = data(kind, extents, tile, element)
            if by:
                extra.append(f"%by{i}: {by}")
                sequence = re.search(r"axes = array<i64: \d+, (\d+)>", fields)
                extra_options.append({"lengths": f"lengths:0:{extents[int(sequence.group(1))] if sequence else 0}",
                                      "routing": "sparse:0.6"}.get(kind, "bool:0.4"))
        elif element.startswith("i"):
            spec = "randint:-4:5"
        arguments.append(f"%{i}: {tensor(shape, element)}{mark}")
        options.append(spec)
    if start in ("inf", "-inf"):
        start = "0x7F800000" if start == "inf" else "0xFF800000"
    constant = f"{start} : {element}" if element.startswith("i") or isinstance(start, str) else f"{start}.0 : {element}"
    result = tensor(output, element)
    lines = [f"  %start = arith.constant {constant}", f"  %empty = tensor.empty() : {result}",
             f"  %init = linalg.fill ins(%start : {element}) outs(%empty : {result}) -> {result}",
             f"  %result = {statement(op, element)}"]
    last = "%result"
    if element == "f32" and output and random.random() < 0.5:
        # Something behind it, for the pattern to go on through.
        lines.append(f"  %abs = linalg.abs ins(%result : {result}) outs(%empty : {result}) -> {result}")
        lines.append(f"  %sum = linalg.add ins(%abs, %result : {result}, {result}) outs(%empty : {result}) -> {result}")
        last = "%sum"
    text = "\n".join([f"func.func @main({', '.join(arguments + extra)}) -> {result} {{", *lines,
                      f"  return {last} : {result}", "}", ""])
    return text, [f"--random={spec}" for spec in options + extra_options]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pit-run", default="pit-run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--kind", choices=marks.KINDS)
    parser.add_argument("--keep", help="write the programs that fail here")
    options = parser.parse_args()

    count, failures = 0, []
    for number in range(options.rounds):
        for i, op in enumerate(OPS):
            if options.only and not op.startswith(options.only):
                continue
            seeded = random.Random(f"{options.seed} {number} {op}")
            kind = options.kind or marks.KINDS[(i + number) % len(marks.KINDS)]
            element = "i32" if op in INTEGERS and number % 2 else "f32"
            text, arguments = program(op, element, seeded, kind)
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(text)
                file.flush()
                done = subprocess.run([options.pit_run, file.name, "--check", *arguments], capture_output=True, text=True)
            count += 1
            if done.returncode == 0:
                continue
            said = [line for line in (done.stderr + done.stdout).splitlines()
                    if re.search(r"error:|mismatch|differ|LLVM ERROR|check:", line)]
            failures.append(f"{op} ({kind}, round {number}): {said[0] if said else f'exit code {done.returncode}'}")
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{len(failures)}.mlir"), "w", encoding="utf-8") as file:
                    file.write(f"// {failures[-1]}\n// RUN: pit-run %s --check {' '.join(arguments)}\n{text}")
    print(f"{count} programs, {len(failures)} failures")
    print("\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
