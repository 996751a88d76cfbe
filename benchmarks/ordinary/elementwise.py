# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise chains, broadcasts, transpositions, casts."""
from programs import Program
from text import Text


def chain(shape, dtype, function, operands=1):
    """A function of tensors of one shape."""
    t = Text()
    inputs = [t.argument(shape, dtype) for _ in range(operands)]
    t.result(t.map(inputs, shape, dtype, lambda body, *values: FUNCTIONS[function][0](body, *values)))
    return Program(t.program(), lambda *tensors: FUNCTIONS[function][1](*tensors))


def _torch(name):
    def call(*tensors):
        import torch
        return getattr(torch.nn.functional, name)(*tensors)
    return call


def silu(body, x):
    return body.op("arith.divf", x, body.op("arith.addf", body.constant("1.0"),
                                            body.op("math.exp", body.op("arith.negf", x))))


FUNCTIONS = {
    "add": (lambda body, x, y: body.op("arith.addf", x, y), lambda x, y: x + y),
    "silu": (silu, _torch("silu")),
    "swiglu": (lambda body, x, y: body.op("arith.mulf", silu(body, x), y), lambda x, y: _torch("silu")(x) * y),
    "polynomial": (lambda body, x: body.op("arith.addf", body.op("arith.mulf", body.op("arith.addf", body.op(
        "arith.mulf", x, body.constant("0.5")), body.constant("2.0")), x), body.constant("1.0")),
        lambda x: (x * .5 + 2) * x + 1),
}


def broadcast(shape, axis, dtype):
    """Times a number for each place along one axis, plus another."""
    t = Text()
    x, scale, shift = t.argument(shape, dtype), t.argument([shape[axis]], dtype), t.argument([shape[axis]], dtype)
    every = list(range(len(shape)))
    t.result(t.map([x, scale, shift], shape, dtype,
                   lambda body, v, s, b: body.op("arith.addf", body.op("arith.mulf", v, s), b), [every, [axis], [axis]]))
    view = [-1 if i == axis else 1 for i in every]
    return Program(t.program(), lambda x, s, b: x * s.view(view) + b.view(view))


def transpose(shape, permutation, dtype):
    t = Text()
    x = t.argument(shape, dtype)
    result = [shape[axis] for axis in permutation]
    t.result(t.map([x], result, dtype, lambda body, v: v, [[permutation.index(i) for i in range(len(shape))]]))
    return Program(t.program(), lambda x: x.permute(permutation).contiguous())


def cast(shape, source, target):
    t = Text()
    x = t.argument(shape, source)
    t.result(t.map([x], shape, target, lambda body, v: v))

    def reference(x):
        import torch
        return x.to({"bf16": torch.bfloat16, "f32": torch.float32, "f16": torch.float16}[target])

    return Program(t.program(), reference)


def three(key, large, small, odd, **common):
    return {name: {key: value, **common} for name, value in (("large", large), ("small", small), ("odd", odd))}


FLAT = (1 << 26,), (1 << 12,), (100003,)
MATRICES = (8192, 8192), (256, 512), (123, 77)
KINDS = [
    ("add-f32", chain, three("shape", *FLAT, dtype="f32", function="add", operands=2)),
    ("add-bf16", chain, three("shape", *MATRICES, dtype="bf16", function="add", operands=2)),
    ("silu", chain, three("shape", *MATRICES, dtype="bf16", function="silu")),
    ("swiglu", chain, three("shape", *MATRICES, dtype="bf16", function="swiglu", operands=2)),
    ("polynomial", chain, three("shape", *FLAT, dtype="f32", function="polynomial")),
    ("broadcast-last", broadcast, three("shape", *MATRICES, axis=1, dtype="bf16")),
    ("broadcast-channels", broadcast, three("shape", (64, 256, 56, 56), (2, 16, 14, 14), (3, 5, 7, 9), axis=1, dtype="f32")),
    ("transpose-f32", transpose, three("shape", *MATRICES, permutation=(1, 0), dtype="f32")),
    ("transpose-bf16", transpose, three("shape", *MATRICES, permutation=(1, 0), dtype="bf16")),
    ("transpose-heads", transpose, three("shape", (8, 1024, 32, 128), (2, 64, 4, 64), (3, 33, 5, 19), permutation=(0, 2, 1, 3), dtype="bf16")),
    ("channels-last", transpose, three("shape", (32, 128, 56, 56), (2, 16, 14, 14), (3, 5, 7, 9), permutation=(0, 2, 3, 1), dtype="bf16")),
    ("cast-down", cast, three("shape", *FLAT, source="f32", target="bf16")),
    ("cast-up", cast, three("shape", *FLAT, source="f16", target="f32")),
]
