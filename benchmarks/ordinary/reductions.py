# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of whole tensors, along any axes, with what feeds and follows them; softmax and norms."""
from programs import Program
from text import Text


def reduction(shape, axes, function="sum", dtype="f32"):
    """`function`: sum, mean, max, squares (their sum)."""
    t = Text()
    x = t.argument(shape, dtype)
    wide = "f64" if dtype == "f64" else "f32"
    if function == "max":
        lowest = "0xFFF0000000000000" if wide == "f64" else "0xFF800000"
        sums = t.reduce([x], axes, lambda body, value: value, lowest, "arith.maximumf", dtype=wide)
    else:
        square = function == "squares"
        sums = t.reduce([x], axes, lambda body, v: body.op("arith.mulf", v, v, dtype=wide) if square else v, dtype=wide)
    count = 1
    for axis in axes:
        count *= shape[axis]
    if function == "mean":
        sums = t.map([sums], sums.shape, wide,
                     lambda body, v: body.op("arith.divf", v, body.constant(f"{count}.0", wide), dtype=wide))
    t.result(t.round(sums, dtype) if dtype != "f64" else sums)

    def reference(x):
        import torch
        if function == "max":
            return torch.amax(x, axes)
        if function == "squares":
            return (x * x).sum(axes)
        return x.mean(axes) if function == "mean" else x.sum(axes)

    return Program(t.program(), reference, offset=0. if function == "max" else 1.)


def argument_of_largest(rows, columns, dtype="f32"):
    """Along the last axis; the first of equal ones, as an index."""
    t = Text()
    x = t.argument([rows, columns], dtype)
    largest = t.fill([rows], dtype, "0xFF800000" if dtype == "f32" else "0xFF80")
    places = t.fill([rows], "i64", "0")
    lines = [f"linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, "
             "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]}",
             f"      ins({x.name} : tensor<{rows}x{columns}x{dtype}>) outs({largest.name}, {places.name} : "
             f"tensor<{rows}x{dtype}>, tensor<{rows}xi64>) {{",
             f"  ^bb0(%x: {dtype}, %most: {dtype}, %place: i64):", "    %j = linalg.index 1 : index",
             "    %here = arith.index_cast %j : index to i64", f"    %more = arith.cmpf ogt, %x, %most : {dtype}",
             f"    %m = arith.select %more, %x, %most : {dtype}", "    %p = arith.select %more, %here, %place : i64",
             f"    linalg.yield %m, %p : {dtype}, i64", f"  }} -> (tensor<{rows}x{dtype}>, tensor<{rows}xi64>)"]
    t.lines.append(f"  %both:2 = " + "\n".join(lines))
    t.result(largest._replace(name="%both#1", dtype="i64"))
    return Program(t.program(), lambda x: x.max(1).indices)


def softmax(shape, axis, dtype="bf16"):
    t = Text()
    x = t.argument(shape, dtype)
    axis %= len(shape)
    kept = [i for i in range(len(shape)) if i != axis]
    every = list(range(len(shape)))
    most = t.reduce([x], [axis], lambda body, v: v, "0xFF800000", "arith.maximumf")
    exp = t.map([x, most], shape, "f32", lambda body, v, m: body.op("math.exp", body.op("arith.subf", v, m)), [every, kept])
    total = t.reduce([exp], [axis], lambda body, v: v)
    t.result(t.map([exp, total], shape, dtype, lambda body, e, s: body.op("arith.divf", e, s), [every, kept]))

    def reference(x):
        import torch
        return torch.softmax(x, axis)

    return Program(t.program(), reference)


def norm(rows, columns, centred, dtype="bf16"):
    """Layer norm, or with the mean left alone, RMS norm; with a weight, and a bias of the first. `rows`: a number, or
    the extents of several axes of rows."""
    t = Text()
    rows = (rows,) if isinstance(rows, int) else tuple(rows)
    shape, last = (*rows, columns), len(rows)
    x, weight = t.argument(shape, dtype), t.argument([columns], dtype)
    bias = [t.argument([columns], dtype)] if centred else []
    both, first = tuple(range(last + 1)), tuple(range(last))

    def mean(value):
        return t.map([value], rows, "f32", lambda body, v: body.op("arith.divf", v, body.constant(f"{columns}.0")))

    centre = x
    if centred:
        middle = mean(t.reduce([x], [last], lambda body, v: v))
        centre = t.map([x, middle], shape, "f32", lambda body, v, m: body.op("arith.subf", v, m), [both, first])
    variance = mean(t.reduce([centre], [last], lambda body, v: body.op("arith.mulf", v, v)))
    scale = t.map([variance], rows, "f32",
                  lambda body, v: body.op("math.rsqrt", body.op("arith.addf", v, body.constant("1.0e-5"))))

    def work(body, v, s, w, *b):
        value = body.op("arith.mulf", body.op("arith.mulf", v, s), w)
        return body.op("arith.addf", value, b[0]) if b else value

    t.result(t.map([centre, scale, weight, *bias], shape, dtype, work, [both, first, (last,), *[(last,)] * len(bias)]))

    def reference(x, weight, *bias):
        import torch
        if centred:
            return torch.nn.functional.layer_norm(x, (columns,), weight, bias[0], 1e-5)
        return torch.nn.functional.rms_norm(x, (columns,), weight, 1e-5)

    return Program(t.program(), reference)


def three(large, small, odd, **common):
    names = ("large", "small", "odd")
    return {name: {**size, **common} for name, size in zip(names, (large, small, odd))}


def shapes(large, small, odd, **common):
    return three(*(dict(shape=shape) for shape in (large, small, odd)), **common)


def rows(large, small, odd, **common):
    return three(*(dict(rows=r, columns=c) for r, c in (large, small, odd)), **common)


MATRICES = (8192, 8192), (256, 512), (123, 77)
KINDS = [
    ("sum-all-f32", reduction, shapes((1 << 26,), (1 << 12,), (1000003,), axes=(0,))),
    ("sum-all-bf16", reduction, shapes((8192, 8192), (64, 64), (123, 77), axes=(0, 1), dtype="bf16")),
    ("sum-squares", reduction, shapes((1 << 26,), (1 << 12,), (100003,), axes=(0,), function="squares")),
    ("max-all", reduction, shapes((8192, 8192), (64, 64), (123, 77), axes=(0, 1), function="max", dtype="bf16")),
    ("mean-all-f64", reduction, shapes((1 << 24,), (1 << 12,), (100003,), axes=(0,), function="mean", dtype="f64")),
    ("row-sums", reduction, shapes(*MATRICES, axes=(1,))),
    ("row-max-bf16", reduction, shapes((8192, 32000), (256, 512), (123, 77), axes=(1,), function="max", dtype="bf16")),
    ("column-sums", reduction, shapes(*MATRICES, axes=(0,))),
    ("column-sums-bf16", reduction, shapes(*MATRICES, axes=(0,), dtype="bf16")),
    ("column-sums-narrow", reduction, shapes((1 << 20, 32), (4096, 8), (100003, 3), axes=(0,))),
    ("middle-means", reduction, shapes((64, 1024, 512), (4, 64, 64), (3, 77, 33), axes=(1,), function="mean", dtype="bf16")),
    ("channel-means", reduction, shapes((64, 256, 56, 56), (2, 16, 14, 14), (3, 5, 7, 9), axes=(0, 2, 3), function="mean")),
    ("spatial-means", reduction, shapes((64, 2048, 7, 7), (2, 64, 7, 7), (3, 37, 5, 5), axes=(2, 3), function="mean", dtype="bf16")),
    ("argmax", argument_of_largest, rows((4096, 32000), (64, 512), (37, 101))),
    ("softmax", softmax, shapes((8192, 4096), (64, 512), (37, 101), axis=-1)),
    ("softmax-f32", softmax, shapes((8192, 4096), (64, 512), (37, 101), axis=-1, dtype="f32")),
    ("softmax-first-axis", softmax, shapes((4096, 4096), (128, 64), (37, 101), axis=0)),
    ("softmax-heads", softmax, shapes((16, 12, 512, 512), (2, 4, 64, 64), (3, 5, 7, 101), axis=-1)),
    ("softmax-middle-axis", softmax, shapes((32, 512, 768), (4, 64, 64), (3, 77, 33), axis=1)),
    ("softmax-wide", softmax, shapes((512, 128256), (4, 4096), (3, 10007), axis=-1)),
    ("softmax-wide-f32", softmax, shapes((512, 128256), (4, 4096), (70, 65541), axis=-1, dtype="f32")),
    ("softmax-32k", softmax, shapes((4096, 32000), (64, 20000), (3, 16387), axis=-1)),
    ("layer-norm-wide", norm, rows((1024, 65536), (70, 16400), (5, 20001), centred=True)),
    ("layer-norm", norm, rows((16384, 4096), (64, 768), (37, 100), centred=True)),
    ("layer-norm-tokens", norm, rows(((32, 512), 768), ((4, 16), 256), ((3, 7), 1000), centred=True)),
    ("rms-norm", norm, rows((16384, 4096), (64, 768), (37, 100), centred=False)),
]
