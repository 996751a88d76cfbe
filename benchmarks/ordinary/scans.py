# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums and maxima along an axis. linalg has no scan: they are reductions under a triangle."""
from programs import Program
from reductions import MATRICES, shapes
from text import Text


def scan(shape, axis, function="sum", dtype="f32"):
    """`function`: sum, or max. What is added up is f32."""
    t = Text()
    axis %= len(shape)
    x = t.argument(shape, dtype)
    lowest, combine = ("0.0", "arith.addf") if function == "sum" else ("0xFF800000", "arith.maximumf")
    loops = [f"d{i}" for i in range(len(shape))]

    def body(b, value, before):
        here, place = b.add(f"linalg.index {axis} : index"), b.add(f"linalg.index {len(shape)} : index")
        isBefore = b.add(f"arith.cmpi ule, {place}, {here} : index")
        taken = b.add(f"arith.select {isBefore}, {b.cast(value, dtype, 'f32')}, {b.constant(lowest)} : f32")
        return b.op(combine, before, taken)

    read = tuple("k" if i == axis else loop for i, loop in enumerate(loops))
    sums = t.generic([*loops, "k"], ("k",), [x], [read], t.fill(shape, "f32", lowest), tuple(loops), body)
    t.result(t.round(sums, dtype))

    def reference(x):
        import torch
        return x.cumsum(axis) if function == "sum" else torch.cummax(x, axis).values

    return Program(t.program(), reference, offset=1. if function == "sum" else 0.)


KINDS = [
    ("cumsum-rows", scan, shapes(*MATRICES, axis=1)),
    ("cumsum-rows-bf16", scan, shapes(*MATRICES, axis=1, dtype="bf16")),
    ("cumsum-columns", scan, shapes(*MATRICES, axis=0)),
    ("cumsum-middle", scan, shapes((64, 1024, 512), (4, 64, 64), (3, 77, 33), axis=1)),
    ("cumsum-all", scan, shapes((1 << 26,), (1 << 12,), (1000003,), axis=0)),
    ("cumsum-short-rows", scan, shapes((1 << 20, 64), (4096, 16), (10007, 5), axis=1)),
    ("cummax-rows", scan, shapes(*MATRICES, axis=1, function="max")),
]
