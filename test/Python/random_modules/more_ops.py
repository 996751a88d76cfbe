# ===- more_ops.py - Windows, indexes and shapes in random modules ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Convolutions and pools, operations on places, and those that only move elements."""

import torch

from .maker import NAMES, Refused
from .ops import op


@op("conv1d", "conv2d", "conv_transpose2d", times=2)
def _convolution(m, name):
    rank = 1 if "1d" in name else 2
    x = m.pick(lambda v: v.is_float and v.rank == rank + 2 and 0 not in v.shape, (m.choice(1, 2, 3), m.choice(1, 2, 4, 6), *(m.choice(1, 5, 7, 17 if rank == 1 else 8) for _ in range(rank))))
    channels, out, kernel = x.shape[1], m.choice(1, 2, 4, 6), m.choice(1, 2, 3)
    groups = m.choice(*[g for g in (1, 1, 2, channels) if channels % g == 0 and out % g == 0])
    shape = (channels, out // groups) if "transpose" in name else (out, channels // groups)
    bias = m.weight(out, dtype=x.dtype) if m.chance(0.6) else None
    weight = m.weight(*shape, *([kernel] * rank), dtype=x.dtype)
    options = f"stride={m.choice(1, 1, 2)}, padding={m.choice(0, 1, kernel // 2)}, dilation={m.choice(1, 1, 2)}, groups={groups}"
    m.emit(name, f"F.{name}({x}, {weight}, {bias}, {options})", "grid")


@op("max_pool2d", "avg_pool2d", "max_pool1d", "avg_pool1d", "adaptive_avg_pool2d")
def _pool(m, name):
    rank = 1 if "1d" in name else 2
    x = m.pick(lambda v: v.is_float and v.rank == rank + 2 and 0 not in v.shape, (m.choice(1, 2), m.choice(1, 3, 4), *(m.choice(2, 5, 7, 8) for _ in range(rank))))
    if name.startswith("adaptive"):
        return m.emit(name, f"F.adaptive_avg_pool2d({x}, {m.choice(1, 1, (1, 1), 2, (x.shape[2], 1))})")
    kernel = m.choice(2, 3)
    options = f"stride={m.choice(1, 2)}, padding={m.choice(0, 1)}, ceil_mode={m.choice(False, False, True)}"
    options += f", count_include_pad={m.choice(True, False)}" if name.startswith("avg") else ""
    return m.emit(name, f"F.{name}({x}, {kernel}, {options})", "keep" if name.startswith("max") else "never")


@op("index_select", "gather", "index", "take_along_dim", "embedding")
def _read(m, name):
    x = m.pick(lambda v: v.rank and (name != "embedding" or v.rank == 2), m.shape(2))
    axis = 0 if name in ("index", "embedding") else m.axis(x)
    if name in ("gather", "take_along_dim"):
        shape = list(x.shape)
        shape[axis] = m.extent()
        return m.emit(name, f"torch.{name}({x}, {axis}, {m.index(shape, x.shape[axis])})" if name == "gather" else f"torch.take_along_dim({x}, {m.index(shape, x.shape[axis])}, {axis})", "keep")
    index = m.index(m.shape(1 if name == "index_select" else m.choice(1, 2)), x.shape[axis])
    text = {"index": f"{x}[{index}]", "embedding": f"F.embedding({index}, {x})"}.get(name, f"torch.index_select({x}, {axis}, {index})")
    return m.emit(name, text, "keep")


@op("index_add", "index_copy", "scatter_value", "scatter", "scatter_add")
def _write(m, name):
    x = m.float(1)
    axis = m.axis(x)
    shape = list(x.shape)
    shape[axis] = m.choice(1, 2, 3)
    if name.startswith("index"):
        if name == "index_copy":
            shape[axis] = min(1, x.shape[axis])
        index = m.index((shape[axis],), x.shape[axis])
        return m.emit(name, f"torch.{name}({x}, {axis}, {index}, {m.add_input(shape, x.dtype, 'grid')})", "grid")
    if name == "scatter":
        shape[axis] = 1
    index = m.index(shape, x.shape[axis])
    source = m.choice(0, 1.5) if name == "scatter_value" else m.add_input(shape, x.dtype, "grid")
    return m.emit(name, f"torch.{'scatter_add' if name == 'scatter_add' else 'scatter'}({x}, {axis}, {index}, {source})", "grid")


@op("one_hot")
def _one_hot(m, name):
    count = m.choice(2, 5, 7)
    index = m.index(m.shape(m.choice(1, 2)), count)
    m.emit(name, f"F.one_hot({index}, {count}){m.choice('', f'.to({NAMES[m.dtype]})')}", "keep")


@op("cat", "stack")
def _cat(m, name):
    x = m.pick(lambda v: name == "stack" or v.rank)
    axis = m.random.randrange(x.rank) if x.rank else 0
    shape = list(x.shape)
    if name == "cat" and m.chance(0.4):
        shape[axis] = m.extent()
    y = m.pick(lambda v: v.dtype == x.dtype and list(v.shape) == shape, shape, x.dtype)
    m.emit(name, f"torch.{name}(({m.choice(f'{x}, {y}', f'{y}, {x}', f'{x}, {y}, {x}')}), {axis})", "keep")


@op("split", "chunk")
def _split(m, name):
    x = m.pick(lambda v: v.rank and max(v.shape) > 1)
    axis = x.shape.index(max(x.shape))
    count = 2 if name == "chunk" else (x.shape[axis] + 1) // 2
    m.emit(name, f"torch.{name}({x}, {count}, {axis})", "keep")


@op("narrow", "slice", "select")
def _narrow(m, name):
    x = m.pick(lambda v: v.rank and min(v.shape) > 0)
    axis = m.random.randrange(x.rank)
    first = m.random.randrange(x.shape[axis])
    if name == "narrow":
        return m.emit(name, f"{x}.narrow({axis}, {first}, {m.random.randint(1, x.shape[axis] - first)})", "keep")
    part = str(first) if name == "select" else m.choice(f"{first}:", f":{first + 1}", "::2", "1::3", ":-1")
    return m.emit(name, f"{x}[{':, ' * axis}{part}]", "keep")


@op("transpose", "permute", "movedim")
def _transpose(m, name):
    x = m.pick(lambda v: v.rank > 1)
    if name == "permute":
        return m.emit(name, f"{x}.permute({tuple(m.random.sample(range(x.rank), x.rank))})", "keep")
    return m.emit(name, f"{x}.{name}({m.axis(x)}, {m.axis(x)})", "keep")


@op("reshape", "flatten", "unflatten")
def _reshape(m, name):
    x = m.pick(lambda v: v.rank > (name == "flatten"))
    if name == "flatten":
        first = m.random.randrange(x.rank - 1)
        return m.emit(name, f"{x}.flatten({first}, {m.random.randrange(first, x.rank)})", "keep")
    if name == "unflatten":
        axis = m.axis(x)
        parts = [n for n in (1, 2, 3, 7) if x.shape[axis] and x.shape[axis] % n == 0]
        if not parts:
            raise Refused
        return m.emit(name, f"{x}.unflatten({axis}, ({m.choice(*parts)}, -1))", "keep")
    return m.emit(name, f"{x}.reshape({m.choice('-1', f'{x.shape[0]}, -1', f'-1, {x.shape[-1]}', tuple(reversed(x.shape)))})", "keep")


@op("expand", "repeat", "unsqueeze", "squeeze")
def _extend(m, name):
    x = m.pick()
    if name == "unsqueeze":
        return m.emit(name, f"{x}.unsqueeze({m.random.randint(-x.rank - 1, x.rank)})", "keep")
    if name == "squeeze":
        return m.emit(name, f"{x}.squeeze({m.axis(x) if x.rank and m.chance(0.6) else ''})", "keep")
    if name == "repeat":
        return m.emit(name, f"{x}.repeat({', '.join(str(m.choice(1, 2)) for _ in range(max(x.rank, 1)))})", "keep")
    return m.emit(name, f"{x}.expand({', '.join([str(m.choice(2, 3)), *(str(m.extent()) if n == 1 else '-1' for n in x.shape)])})", "keep")


@op("flip", "roll", "tril", "triu", "diagonal")
def _move(m, name):
    x = m.pick(lambda v: v.rank > ("tri" in name or name == "diagonal"))
    if name == "roll":
        return m.emit(name, f"torch.roll({x}, {m.choice(1, -2, 5)}, {m.axis(x)})", "keep")
    if name == "flip":
        return m.emit(name, f"torch.flip({x}, ({m.axis(x)},))", "keep")
    return m.emit(name, f"torch.{name}({x}, {m.choice(0, 1, -1)})", "keep")


@op("pad", times=2)
def _pad(m, name):
    x = m.float(1, lambda v: 0 not in v.shape)
    if x.rank in (3, 4) and m.chance(0.3):
        sizes = tuple(m.choice(0, 1) for _ in range(2 * (x.rank - 2)))
        return m.emit(name, f"F.pad({x}, {sizes}, mode='{m.choice('reflect', 'replicate')}')", "keep")
    sizes = tuple(m.choice(0, 1, 2, -1 if m.chance(0.2) else 1) for _ in range(2 * m.choice(1, min(2, x.rank))))
    return m.emit(name, f"F.pad({x}, {sizes}, value={m.choice(0.0, 0.0, 1.5)})", "keep")


@op("cast", times=3)
def _cast(m, name):
    x = m.pick()
    kind = m.choice(torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int64, torch.bool, torch.int32)
    if not kind.is_floating_point and x.is_float:
        x = m.exact()
    m.emit(name, f"{x}.to({NAMES[kind]})", "grid" if x.is_float else "keep")


@op("integers", times=2)
def _integers(m, name):
    x = m.pick(lambda v: v.dtype == torch.int64, None, torch.int64)
    m.emit(name, m.choice(f"{x} + 1", f"{x} * 2", f"{x} // 2", f"{x} % 3", f"{x}.clamp(0, 3)", f"{x}.sum()", f"{x} == 2", f"-{x}", f"({x} > 1) | ({x} == 0)", f"{x}.to({NAMES[m.dtype]}) * 0.5"), "keep")


@op("dropout")
def _dropout(m, name):
    m.emit(name, f"F.dropout({m.float()}, 0.5, training=False)", "keep")
