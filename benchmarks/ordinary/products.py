# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices and vectors: types, layouts, batches, tensors of more axes."""
from programs import Program
from text import Text

# Loops of A and of B, and of the result, with what torch calls it.
EINSUMS = {
    "nn": ("ik", "kj", "ij"), "nt": ("ik", "jk", "ij"), "tn": ("ki", "kj", "ij"),
    "batches": ("bik", "bkj", "bij"), "batches-nt": ("bik", "bjk", "bij"), "heads": ("bihk", "bjhk", "bhij"),
    "head-values": ("bhij", "bjhk", "bihk"), "shared": ("bik", "kj", "bij"), "tokens": ("bsk", "kj", "bsj"),
    "two-sums": ("iab", "abj", "ij"), "vector": ("ik", "k", "i"), "vector-batches": ("bik", "bk", "bi"),
    "outer": ("i", "j", "ij"), "dot-rows": ("ik", "ik", "i"),
}


def product(form, dtype, **extents):
    a, b, c = EINSUMS[form]
    t = Text()
    x, y = (t.argument([extents[loop] for loop in loops], dtype) for loops in (a, b))
    wide = {"f64": "f64", "i8": "i32"}.get(dtype, "f32")
    if form == "outer":
        t.result(t.map([x, y], [extents[loop] for loop in c], dtype,
                       lambda body, p, q: body.op("arith.mulf", p, q), [[0], [1]]))
    else:
        loops = sorted(set(a + b + c), key=(c + a).index)
        sums = t.contract(loops, x, tuple(a), y, tuple(b), [extents[loop] for loop in c], tuple(c), wide)
        t.result(sums if dtype == "i8" else t.round(sums, dtype))

    def reference(x, y):
        import torch
        if dtype == "i8":
            # What torch has for it takes A by rows and B by columns.
            x, y = (x.t().contiguous() if a == "ki" else x), (y.t() if b == "jk" else y.t().contiguous().t())
            return torch._int_mm(x, y)
        return torch.einsum(f"{a},{b}->{c}", x, y)

    return Program(t.program(), reference, scale=.5)


def dynamic(form, dtype, unknown=None, **extents):
    """The same, of which only the machine that runs it knows the extents, or those of the loops in `unknown`."""
    a, b, c = EINSUMS[form]
    known = product(form, dtype, **extents)
    unknown = unknown or set(a + b)
    kind = {loops: "tensor<" + "".join("?x" if loop in unknown else f"{extents[loop]}x" for loop in loops) for loops in (a, b, c)}
    lines, loops = [], sorted(set(a + b), key=(c + a).index)
    for loop in [loop for loop in c if loop in unknown]:
        name, where = ("%a0", a) if loop in a else ("%a1", b)
        lines.append(f"  %c_{loop} = arith.constant {where.index(loop)} : index\n"
                     f"  %n_{loop} = tensor.dim {name}, %c_{loop} : {kind[where]}{dtype}>")
    sizes = ", ".join(f"%n_{loop}" for loop in c if loop in unknown)
    access = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(part)})>" for part in (a, b, c))
    iterators = ", ".join('"parallel"' if loop in c else '"reduction"' for loop in loops)
    places = f"affine_map<({', '.join(c)}) -> ({', '.join(c)})>"
    wide = [f"    %xf = arith.extf %x : {dtype} to f32\n    %yf = arith.extf %y : {dtype} to f32"] if dtype != "f32" else []
    x, y = ("%xf", "%yf") if wide else ("%x", "%y")
    out, parallel = f"{kind[c]}{dtype}>", ", ".join(['"parallel"'] * len(c))
    round_ = [] if dtype == "f32" else [
        f"  %re = tensor.empty({sizes}) : {out}",
        f"  %r = linalg.generic {{indexing_maps = [{places}, {places}], iterator_types = [{parallel}]}}",
        f"      ins(%s : {kind[c]}f32>) outs(%re : {out}) {{", f"  ^bb0(%x: f32, %o: {dtype}):",
        f"    %t = arith.truncf %x : f32 to {dtype}", f"    linalg.yield %t : {dtype}", f"  }} -> {out}"]
    text = "\n".join([
        f"func.func @main(%a0: {kind[a]}{dtype}>, %a1: {kind[b]}{dtype}>) -> {out} {{", "  %zero = arith.constant 0.0 : f32", *lines,
        f"  %e = tensor.empty({sizes}) : {kind[c]}f32>",
        f"  %f = linalg.fill ins(%zero : f32) outs(%e : {kind[c]}f32>) -> {kind[c]}f32>",
        f"  %s = linalg.generic {{indexing_maps = [{access}], iterator_types = [{iterators}]}}",
        f"      ins(%a0, %a1 : {kind[a]}{dtype}>, {kind[b]}{dtype}>) outs(%f : {kind[c]}f32>) {{",
        f"  ^bb0(%x: {dtype}, %y: {dtype}, %o: f32):", *wide, f"    %p = arith.mulf {x}, {y} : f32",
        "    %q = arith.addf %o, %p : f32", "    linalg.yield %q : f32", f"  }} -> {kind[c]}f32>", *round_,
        f"  return {'%r' if round_ else '%s'} : {out}", "}", ""])
    return Program(text, known.reference, scale=.5, shapes=[[extents[loop] for loop in part] for part in (a, b)])


def broadcast(rows, columns, depth, dtype="f32"):
    """`(a[:, :, None] * b[None]).sum(1)`."""
    t = Text()
    x, y = t.argument([rows, depth], dtype), t.argument([depth, columns], dtype)
    terms = t.map([x, y], [rows, depth, columns], dtype, lambda body, p, q: body.op("arith.mulf", p, q), [(0, 1), (1, 2)])
    t.result(t.reduce([terms], (1,), lambda body, x: x))
    return Program(t.program(), lambda x, y: (x[:, :, None] * y[None]).sum(1), scale=.5)


def linear(tokens, columns, depth, dtype="bf16", function="gelu", residual=False):
    """A layer with bias and a function, and the input of a block added."""
    t = Text()
    x, w, bias = t.argument([tokens, depth], dtype), t.argument([columns, depth], dtype), t.argument([columns], dtype)
    more = [t.argument([tokens, columns], dtype)] if residual else []
    sums = t.contract(["i", "j", "k"], x, ("i", "k"), w, ("j", "k"), [tokens, columns], ("i", "j"))

    def work(body, total, b, *rest):
        value = body.op("arith.addf", total, b)
        if function == "gelu":
            inner = body.op("math.erf", body.op("arith.mulf", value, body.constant("0.70710678")))
            half = body.op("arith.mulf", value, body.constant("0.5"))
            value = body.op("arith.mulf", half, body.op("arith.addf", inner, body.constant("1.0")))
        elif function == "relu":
            value = body.op("arith.maximumf", value, body.constant("0.0"))
        for other in rest:
            value = body.op("arith.addf", value, other)
        return value

    t.result(t.map([sums, bias, *more], [tokens, columns], dtype, work, [(0, 1), (1,), *[(0, 1)] * len(more)]))

    def reference(x, w, bias, *rest):
        import torch
        y = torch.nn.functional.linear(x, w, bias)
        y = {"gelu": torch.nn.functional.gelu, "relu": torch.relu}.get(function, lambda y: y)(y)
        return y + rest[0] if rest else y

    return Program(t.program(), reference, scale=.25)


def quantised(tokens, columns, depth):
    """A layer of i8 by i8, whose sums are scaled by rows and columns."""
    t = Text()
    x, w = t.argument([tokens, depth], "i8"), t.argument([columns, depth], "i8")
    of_rows, of_columns, bias = t.argument([tokens], "f32"), t.argument([columns], "f32"), t.argument([columns], "f32")
    sums = t.contract(["i", "j", "k"], x, ("i", "k"), w, ("j", "k"), [tokens, columns], ("i", "j"), "i32")

    def work(body, total, row, column, b):
        value = body.add(f"arith.sitofp {total} : i32 to f32")
        return body.op("arith.addf", body.op("arith.mulf", body.op("arith.mulf", value, row), column), b)

    t.result(t.map([sums, of_rows, of_columns, bias], [tokens, columns], "bf16", work, [(0, 1), (0,), (1,), (1,)]))

    def reference(x, w, of_rows, of_columns, bias):
        import torch
        # Exact sums where the comparison is with f64.
        sums = torch._int_mm(x, w.t()).to(of_rows.dtype)
        value = sums * of_rows[:, None] * of_columns + bias
        return value if of_rows.dtype == torch.float64 else value.bfloat16()

    return Program(t.program(), reference, scale=.25)


def sizes(form, large, small, odd, **dtypes):
    """From numbers for the loops in alphabetical order."""
    loops = sorted(set("".join(EINSUMS[form])))
    return {name: dict(form=form, **dtypes, **dict(zip(loops, numbers)))
            for name, numbers in (("large", large), ("small", small), ("odd", odd))}


SQUARES = (4096,) * 3, (256,) * 3, (123, 321, 77)
LAYERS = {"large": dict(tokens=8192, columns=4096, depth=1024), "small": dict(tokens=128, columns=1024, depth=256),
          "odd": dict(tokens=77, columns=1016, depth=264)}
KINDS = [
    ("matmul-bf16", product, sizes("nn", *SQUARES, dtype="bf16")),
    ("matmul-bf16-nt", product, sizes("nt", *SQUARES, dtype="bf16")),
    ("matmul-bf16-tn", product, sizes("tn", *SQUARES, dtype="bf16")),
    # As the gradient of a layer's weights by all tokens: few tiles, and long sums.
    ("weight-gradient", product, sizes("tn", (768, 3072, 32768), (256, 768, 2048), (770, 1030, 8190), dtype="bf16")),
    ("matmul-f16", product, sizes("nn", (4096, 4097, 4096), (256,) * 3, (100, 33, 19), dtype="f16")),
    ("matmul-f32", product, sizes("nn", (2048,) * 3, (256,) * 3, (123, 321, 77), dtype="f32")),
    ("matmul-f32-nt", product, sizes("nt", (2048,) * 3, (256,) * 3, (123, 321, 77), dtype="f32")),
    ("matmul-f32-tn", product, sizes("tn", (2048,) * 3, (256,) * 3, (123, 321, 77), dtype="f32")),
    ("matmul-f64", product, sizes("nn", (1024,) * 3, (128,) * 3, (123, 65, 77), dtype="f64")),
    ("matmul-f64-nt", product, sizes("nt", (4096,) * 3, (256,) * 3, (123, 65, 77), dtype="f64")),
    ("matmul-f64-tn", product, sizes("tn", (4096, 4096, 4094), (256,) * 3, (123, 65, 77), dtype="f64")),
    ("matmul-i8", product, sizes("nn", (4096,) * 3, (256,) * 3, (128, 64, 96), dtype="i8")),
    ("matmul-i8-nt", product, sizes("nt", (4096,) * 3, (256,) * 3, (104, 72, 40), dtype="i8")),
    ("matmul-i8-tn", product, sizes("tn", (4096,) * 3, (256,) * 3, (104, 72, 40), dtype="i8")),
    ("linear-i8", quantised, {
        "large": dict(tokens=8192, columns=4096, depth=4096), "small": dict(tokens=128, columns=1024, depth=256),
        "odd": dict(tokens=77, columns=1016, depth=264)}),
    ("bmm-bf16", product, sizes("batches", (64, 1024, 64, 1024), (8, 128, 64, 128), (3, 77, 65, 33), dtype="bf16")),
    ("bmm-bf16-nt", product, sizes("batches-nt", (64, 1024, 1024, 64), (8, 128, 128, 64), (3, 77, 65, 33), dtype="bf16")),
    ("bmm-f32", product, sizes("batches", (32, 512, 512, 512), (8, 128, 64, 128), (3, 77, 65, 33), dtype="f32")),
    ("bmm-f64", product, sizes("batches", (16, 256, 256, 256), (4, 64, 64, 64), (3, 77, 65, 33), dtype="f64")),
    ("bmm-shared", product, sizes("shared", (64, 512, 512, 512), (8, 32, 128, 128), (3, 77, 65, 33), dtype="bf16")),
    ("scores-of-heads", product, sizes("heads", (8, 16, 1024, 1024, 64), (2, 4, 128, 128, 64), (3, 5, 77, 65, 33), dtype="bf16")),
    ("values-of-heads", product, sizes("head-values", (8, 16, 1024, 1024, 64), (2, 4, 128, 128, 64), (3, 5, 77, 65, 33), dtype="bf16")),
    ("tokens", product, sizes("tokens", (8, 4096, 1024, 1024), (2, 256, 128, 64), (3, 33, 77, 19), dtype="bf16")),
    ("two-sums", product, sizes("two-sums", (64, 64, 2048, 2048), (8, 16, 128, 64), (3, 7, 33, 65), dtype="bf16")),
    ("matvec-bf16", product, sizes("vector", (8192, 8192), (256, 512), (123, 77), dtype="bf16")),
    ("matvec-f32", product, sizes("vector", (8192, 8192), (256, 512), (123, 77), dtype="f32")),
    ("matvec-f64", product, sizes("vector", (8192, 8192), (256, 512), (123, 77), dtype="f64")),
    ("matvec-batches", product, sizes("vector-batches", (64, 1024, 1024), (8, 64, 128), (3, 33, 77), dtype="bf16")),
    ("outer", product, sizes("outer", (8192, 8192), (256, 512), (123, 77), dtype="f32")),
    ("dot-rows", product, sizes("dot-rows", (8192, 4096), (256, 512), (123, 77), dtype="f32")),
    ("matmul-bf16-dynamic", dynamic, sizes("nn", *SQUARES, dtype="bf16")),
    ("matmul-f32-dynamic", dynamic, sizes("nn", (2048,) * 3, (256,) * 3, (123, 321, 77), dtype="f32")),
    ("bmm-bf16-nt-dynamic", dynamic, sizes("batches-nt", (64, 1024, 1024, 64), (8, 128, 128, 64), (3, 77, 65, 33), dtype="bf16")),
    ("linear-rows-dynamic", dynamic, sizes("nt", (256, 4096, 4096), (16, 4096, 4096), (77, 1016, 264), dtype="bf16", unknown="i")),
    ("linear-f32-rows-dynamic", dynamic, sizes("nt", (512, 1024, 1024), (16, 1024, 1024), (77, 101, 53), dtype="f32", unknown="i")),
    ("bmm-bf16-batches-dynamic", dynamic, sizes("batches", (16, 256, 256, 256), (2, 128, 64, 128), (3, 77, 65, 33), dtype="bf16", unknown="b")),
    ("broadcast-product", broadcast, {
        "large": dict(rows=1024, columns=512, depth=512), "small": dict(rows=64, columns=32, depth=128),
        "odd": dict(rows=77, columns=33, depth=19)}),
    ("linear-gelu", linear, LAYERS),
    ("linear-relu-residual", linear, {name: dict(function="relu", residual=True, **size) for name, size in LAYERS.items()}),
    ("linear-f32", linear, {
        "large": dict(tokens=4096, columns=1024, depth=1024, dtype="f32"), "small": dict(tokens=128, columns=256, depth=256, dtype="f32"),
        "odd": dict(tokens=77, columns=101, depth=53, dtype="f32")}),
]
