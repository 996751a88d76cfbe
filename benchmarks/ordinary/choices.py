# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with one-hot tensors: embeddings, their gradients, and the dispatch of tokens to experts with a capacity."""
from programs import Program
from text import Text

SCALE = 1000.0


def number(b, x, count):
    """An integer below `count`, of a number that is normally distributed."""
    large = b.op("arith.mulf", b.op("math.absf", x), b.constant(SCALE))
    return b.op("arith.remui", b.add(f"arith.fptosi {large} : f32 to i64"), b.constant(count, "i64"), dtype="i64")


def numbers(t, tokens, count):
    x = t.argument((tokens,), "f32")
    return t.generic(["t"], (), [x], [("t",)], t.empty((tokens,), "i64"), ("t",), lambda b, x, o: number(b, x, count))


def reference_numbers(x, count):
    import torch
    return (x.abs() * SCALE).to(torch.int64) % count


def is_here(b, value, axis, dtype):
    place = b.add(f"arith.index_cast {b.add(f'linalg.index {axis} : index')} : index to i64")
    is_it = b.add(f"arith.cmpi eq, {value}, {place} : i64")
    return b.add(f"arith.uitofp {is_it} : i1 to {dtype}")


def one_hot(t, ids, rows, dtype):
    return t.generic(["t", "v"], (), [ids], [("t",)], t.empty((*ids.shape, rows), dtype), ("t", "v"),
                     lambda b, i, o: is_here(b, i, 1, dtype))


def rows(tokens, rows, columns, dtype="bf16"):
    """An embedding."""
    t = Text()
    hot = one_hot(t, numbers(t, tokens, rows), rows, dtype)
    table = t.argument((rows, columns), dtype)
    t.result(t.round(t.contract(["t", "d", "v"], hot, ("t", "v"), table, ("v", "d"), (tokens, columns), ("t", "d")), dtype))

    def reference(x, table):
        import torch
        return torch.nn.functional.one_hot(reference_numbers(x, rows), rows).to(table.dtype) @ table

    return Program(t.program(), reference)


def sums(tokens, rows, columns, dtype="bf16"):
    """Its gradient."""
    t = Text()
    hot = one_hot(t, numbers(t, tokens, rows), rows, dtype)
    dy = t.argument((tokens, columns), dtype)
    t.result(t.round(t.contract(["v", "d", "t"], hot, ("t", "v"), dy, ("t", "d"), (rows, columns), ("v", "d")), dtype))

    def reference(x, dy):
        import torch
        return torch.nn.functional.one_hot(reference_numbers(x, rows), rows).to(dy.dtype).T @ dy

    return Program(t.program(), reference)


def dispatch(tokens, experts, slots, columns, dtype="bf16"):
    """Tokens by expert and slot: einsum("te,tc,td->ecd"), by a tensor of tokens x experts x slots."""
    t = Text()
    e, c = numbers(t, tokens, experts), numbers(t, tokens, slots)
    hot = t.generic(["t", "e", "c"], (), [e, c], [("t",), ("t",)], t.empty((tokens, experts, slots), dtype), ("t", "e", "c"),
                    lambda b, i, j, o: b.op("arith.mulf", is_here(b, i, 1, dtype), is_here(b, j, 2, dtype), dtype=dtype))
    x = t.argument((tokens, columns), dtype)
    t.result(t.round(t.contract(["e", "c", "d", "t"], hot, ("t", "e", "c"), x, ("t", "d"), (experts, slots, columns),
                                ("e", "c", "d")), dtype))

    def reference(e, c, x):
        import torch
        hot = torch.nn.functional.one_hot
        mask = torch.einsum("te,tc->tec", hot(reference_numbers(e, experts), experts).to(x.dtype),
                            hot(reference_numbers(c, slots), slots).to(x.dtype))
        return torch.einsum("tec,td->ecd", mask, x)

    return Program(t.program(), reference)


def sizes(*all_of):
    names = ("tokens", "rows", "columns") if len(all_of[0]) == 3 else ("tokens", "experts", "slots", "columns")
    return {size: dict(zip(names, extents)) for size, extents in zip(("large", "small", "odd"), all_of)}


TABLES = sizes((8192, 8192, 1024), (256, 64, 64), (1000, 777, 72))
KINDS = [
    ("one-hot-rows", rows, TABLES),
    ("one-hot-sums", sums, TABLES),
    ("one-hot-rows-f32", lambda **size: rows(**size, dtype="f32"), TABLES),
    ("one-hot-sums-f32", lambda **size: sums(**size, dtype="f32"), TABLES),
    ("dispatch", dispatch, sizes((8192, 16, 1024, 1024), (64, 4, 16, 64), (500, 7, 99, 72))),
]
