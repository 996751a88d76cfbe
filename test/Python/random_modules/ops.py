# ===- ops.py - Operations that random modules draw from --------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Operations that random modules draw from, each with its shapes and options. One raises `Refused` where nothing fits."""

import torch

from .maker import FLOATS, NAMES, Refused

OPS = []


def op(*names, times=1):
    """Adds an operation under each of its names."""

    def add(function):
        OPS.extend((name, function) for name in names for _ in range(times))
        return function

    return add


@op("tanh", "sigmoid", "sin", "cos", "erf")
def _unary(m, name):
    m.emit(name, f"torch.{name}({m.float()})")


@op("gelu", "silu", "softplus", "elu", "leaky_relu", "logsigmoid", "hardsigmoid", "hardswish", "mish")
def _activation(m, name):
    options = ", approximate='tanh'" if name == "gelu" and m.chance(0.5) else ""
    x = m.float()
    if name == "hardsigmoid" and x.dtype == torch.float64:
        # Eager's gradient of it has a sixth of f32.
        raise Refused
    m.emit(name, f"F.{name}({x}{options})")


@op("exp", "expm1")
def _exp(m, name):
    m.emit(name, f"torch.{name}({m.float()}.clamp(max=3))")


@op("log", "sqrt", "rsqrt", "reciprocal", "log1p", "log2")
def _positive(m, name):
    m.emit(name, f"torch.{name}({m.float()}.abs() + {m.choice(0.5, 1, 0.25)})")


@op("neg", "abs", "relu", "clamp", "hardtanh", "square", times=1)
def _piecewise(m, name):
    x = m.float()
    text = {"clamp": f"{x}.clamp({m.choice('-1, 1', 'min=-0.5', 'max=0.75', '0, 2')})", "hardtanh": f"F.hardtanh({x})"}.get(name, f"torch.{name}({x})")
    m.emit(name, text, "grid" if name == "square" else "keep")


@op("floor", "round", "ceil", "trunc", "sign")
def _round(m, name):
    m.emit(name, f"torch.{name}({m.exact()})", "keep")


@op("add", "sub", "mul", "maximum", "minimum", times=2)
def _binary(m, name):
    x = m.float()
    y = m.beside(x) if m.chance(0.75) else m.choice(2, 0.5, -1, 3)
    exact = "keep" if name in ("maximum", "minimum") else "grid"
    if isinstance(y, (int, float)) and exact == "keep":
        return m.emit(name, f"torch.clamp({x}, {'min' if name == 'maximum' else 'max'}={y})", exact)
    options = ", alpha=2" if name in ("add", "sub") and m.chance(0.1) else ""
    x, y = (y, x) if m.chance(0.3) and not isinstance(y, (int, float)) else (x, y)
    return m.emit(name, f"torch.{name}({x}, {y}{options})", exact)


@op("div")
def _div(m, name):
    x = m.float()
    m.emit(name, f"{x} / ({m.beside(x)}.abs() + 1)" if m.chance(0.7) else f"{x} / {m.choice(2, 3, 0.5)}")


@op("pow")
def _pow(m, name):
    x = m.float()
    m.emit(name, m.choice(f"{x} ** 2", f"{x} ** 3", f"({x}.abs() + 0.5) ** 1.5", f"({x}.abs() + 0.5) ** -1", f"2.0 ** {x}.clamp(max=3)"))


@op("addcmul", "lerp")
def _ternary(m, name):
    x = m.float()
    y = m.beside(x)
    m.emit(name, f"torch.addcmul({x}, {y}, {m.beside(x)}, value={m.choice(1, 0.5)})" if name == "addcmul" else f"torch.lerp({x}, {y}, 0.25)")


def _far(m, x):
    """A number between two elements of a value that are far apart."""
    elements = x.tensor.double().flatten().unique()
    if elements.numel() < 2:
        raise Refused
    gaps = elements.diff()
    place = int(gaps.argmax())
    if not gaps[place] > 0.02 * (1 + elements.abs().max()):
        raise Refused
    m.is_fragile = True
    return round(float(elements[place] + gaps[place] / 2), 3)


@op("gt", "le", "lt", "ge", "eq", "ne")
def _compare(m, name):
    if m.chance(0.4) and name not in ("eq", "ne"):
        x = m.float()
        return m.emit(name, f"torch.{name}({x}, {_far(m, x)})", "keep")
    x = m.exact()
    y = m.pick(lambda v: v.exact and v.dtype == x.dtype and v.shape == x.shape and v is not x, x.shape, x.dtype, "grid") if m.chance(0.5) else m.choice(0, 0.5, -1)
    return m.emit(name, f"torch.{name}({x}, {y})", "keep")


@op("logical_and", "logical_or", "logical_xor", "logical_not", "any", "all")
def _logical(m, name):
    x = m.bool()
    if name == "logical_not":
        return m.emit(name, f"~{x}", "keep")
    if name in ("any", "all"):
        return m.emit(name, f"{x}.{name}({m.axis(x)}, keepdim={m.choice(True, False)})", "keep")
    return m.emit(name, f"torch.{name}({x}, {m.bool(x.shape)})", "keep")


@op("position_mask", times=2)
def _position_mask(m, name):
    x = m.float(1)
    rows, columns = (x.shape[-2] if x.rank > 1 else 1), x.shape[-1]
    kind = m.choice("length", "causal", "band")
    if kind == "length":
        lengths = m.add_input((m.choice(1, rows, x.shape[0]), 1), torch.int64, columns + 1)
        return m.emit(name, f"torch.arange({columns}) < {lengths}", "keep")
    test = "<=" if kind == "causal" else f"< {m.choice(1, 2)} +"
    return m.emit(name, f"torch.arange({columns}) {test} torch.arange({rows}).unsqueeze(1)", "keep")


@op("where", "masked_fill", times=3)
def _select(m, name):
    x = m.float()
    mask = m.bool(x.shape)
    if name == "where":
        return m.emit(name, f"torch.where({mask}, {x}, {m.beside(x) if m.chance(0.6) else m.choice('0.0', '1.0')})", "keep")
    return m.emit(name, f"{x}.masked_fill({mask}, {m.choice(0, -1.5, 0.25)})", "keep")


@op("masked_softmax", times=2)
def _masked_softmax(m, name):
    x = m.float(1)
    mask = m.bool(x.shape)
    # The first key is live, as a row without one is NaN.
    m.emit(name, f"torch.softmax({x}.masked_fill({mask} & (torch.arange({x.shape[-1]}) > 0), float('-inf')), -1)")


@op("mask_product")
def _mask_product(m, name):
    x = m.float()
    m.emit(name, f"{x} * {m.bool(x.shape)}{m.choice('', f'.to({NAMES[x.dtype]})')}", "keep")


@op("matmul", times=4)
def _matmul(m, name):
    x = m.float(1)
    batch = x.shape[:-2] if m.chance(0.5) else ()
    y = m.pick(lambda v: v.dtype == x.dtype and v.rank and v.shape[-2 if v.rank > 1 else 0] == x.shape[-1], (*batch, x.shape[-1], m.extent()), x.dtype)
    m.emit(name, f"{x} @ {y}", "grid")


@op("linear", times=4)
def _linear(m, name):
    x = m.float(1)
    out = m.extent()
    weight = m.weight(out, x.shape[-1], dtype=x.dtype)
    m.emit(name, f"F.linear({x}, {weight}{f', {m.weight(out, dtype=x.dtype)}' if m.chance(0.6) else ''})", "grid")


@op("mm", "addmm", "bmm", "baddbmm", times=2)
def _product(m, name):
    rank = 3 if "bmm" in name else 2
    x = m.pick(lambda v: v.is_float and v.rank == rank, m.shape(rank))
    n = m.extent()
    y = m.pick(lambda v: v.dtype == x.dtype and v.rank == rank and v.shape[:-1] == (*x.shape[:-2], x.shape[-1]), (*x.shape[:-2], x.shape[-1], n), x.dtype)
    if not name.startswith("b" if name == "baddbmm" else "a"):
        return m.emit(name, f"torch.{name}({x}, {y})", "grid")
    added = m.weight(*(m.choice((y.shape[-1],), (*x.shape[:-1], y.shape[-1]))), dtype=x.dtype)
    return m.emit(name, f"torch.{name}({added}, {x}, {y}{m.choice('', ', beta=0.5, alpha=2')})", "grid")


@op("mv", "dot", "outer")
def _vector(m, name):
    x = m.pick(lambda v: v.is_float and v.rank == (2 if name == "mv" else 1), m.shape(2 if name == "mv" else 1))
    y = m.pick(lambda v: v.dtype == x.dtype and v.rank == 1 and (name == "outer" or v.shape[0] == x.shape[-1]), (x.shape[-1],), x.dtype)
    m.emit(name, f"torch.{name}({x}, {y})", "grid")


@op("einsum", times=3)
def _einsum(m, name):
    inputs, result = m.choice(("ij,jk", "ik"), ("bij,bkj", "bik"), ("bhid,bhjd", "bhij"), ("td,edf", "tef"), ("te,tef,efd", "td"), ("ij,j", "i"), ("bij,bij", "b"), ("ij", "ji"), ("bi,bj", "bij"))
    extents, found = {}, []
    for letters in inputs.split(","):
        x = m.pick(
            lambda v, letters=letters: v.is_float
            and v.rank == len(letters)
            and all(extents.get(a, n) == n for a, n in zip(letters, v.shape))
            and (not found or v.dtype == found[0].dtype),
            [extents.get(a) if extents.get(a) is not None else m.extent() for a in letters],
            found[0].dtype if found else None,
        )
        extents.update(zip(letters, x.shape))
        found.append(x)
    m.emit(name, f"torch.einsum('{inputs}->{result}', {', '.join(map(str, found))})", "grid")


@op("scaled_dot_product_attention", times=2)
def _sdpa(m, name):
    batch, heads, length, keys, width = m.choice(1, 2, 3), m.choice(1, 2, 4), max(m.extent(), 1), max(m.extent(), 1), m.choice(4, 8, 7, 16)
    q, k, v = ((batch, heads, n, w) for n, w in ((length, width), (keys, width), (keys, m.choice(width, 5))))
    q, k, v = (m.pick(lambda x, s=s: x.dtype == m.dtype and x.shape == s, s, m.dtype) for s in (q, k, v))
    option = m.choice("", ", is_causal=True", "mask", "bias", ", scale=0.5")
    if option == "mask":
        option = f", attn_mask={m.add_input((m.choice(1, batch), 1, length, keys), torch.bool)} | (torch.arange({keys}) == 0)"
    elif option == "bias":
        option = f", attn_mask={m.add_input((1, m.choice(1, heads), length, keys), m.dtype)}"
    m.emit(name, f"F.scaled_dot_product_attention({q}, {k}, {v}{option})")


def _axes(m, x):
    """A choice of axes as an argument, with its comma."""
    if not x.rank or m.chance(0.15):
        return ""
    if x.rank > 1 and m.chance(0.3):
        return f", {tuple(sorted(m.random.sample(range(x.rank), 2)))}, keepdim={m.choice(True, False)}"
    return f", {m.axis(x)}, keepdim={m.choice(True, False)}"


@op("sum", "mean", "amax", "amin", times=2)
def _reduce(m, name):
    x = m.float()
    if name in ("mean", "amax", "amin") and 0 in x.shape:
        raise Refused
    m.emit(name, f"torch.{name}({x}{_axes(m, x)})", {"sum": "grid", "mean": "never"}.get(name, "keep"))


@op("var", "std", "logsumexp", "norm")
def _moment(m, name):
    x = m.float(1, lambda v: min(v.shape, default=0) > 1)
    axis = m.axis(x)
    text = {"norm": f"(torch.linalg.vector_norm({x}, dim={axis}) + 1)", "std": f"torch.std({x}, {axis}, correction=0)"}.get(name, f"torch.{name}({x}, {axis})")
    m.emit(name, text)


def _apart(m, x, axis):
    """Checks that elements along an axis differ, and by more than rounding where they are not exact."""
    if not x.shape[axis]:
        raise Refused
    gaps = x.tensor.double().sort(axis).values.diff(dim=axis)
    if gaps.numel() and not bool((gaps > (0 if x.exact else 0.02)).all()):
        raise Refused
    m.is_fragile = True


@op("argmax", "argmin")
def _argmax(m, name):
    x = m.float(1)
    axis = m.axis(x)
    _apart(m, x, axis)
    m.emit(name, f"torch.{name}({x}, {axis}, keepdim={m.choice(True, False)})", "keep")


@op("topk", "sort", "max")
def _order(m, name):
    x = m.float(1)
    axis = m.axis(x)
    _apart(m, x, axis)
    if name == "topk":
        return m.emit(name, f"torch.topk({x}, {m.random.randint(1, x.shape[axis])}, {axis}, {m.choice(True, False)})", "keep")
    return m.emit(name, f"torch.sort({x}, {axis}, {m.choice(True, False)})" if name == "sort" else f"torch.max({x}, {axis}, {m.choice(True, False)})", "keep")


@op("cumsum", times=2)
def _cumsum(m, name):
    x = m.pick(lambda v: v.rank and v.dtype in (*FLOATS, torch.int64))
    m.emit(name, f"torch.cumsum({x}, {m.axis(x)})", "grid")


@op("softmax", "log_softmax", times=2)
def _softmax(m, name):
    x = m.float(1)
    m.emit(name, f"torch.{name}({x}, {m.axis(x)})")


@op("layer_norm", "rms_norm", times=2)
def _layer_norm(m, name):
    x = m.float(1, lambda v: 0 not in v.shape)
    shape = x.shape[-m.choice(1, min(2, x.rank)) :]
    rest = "" if m.chance(0.3) else f", {m.weight(*shape, dtype=x.dtype)}"
    rest += f", {m.weight(*shape, dtype=x.dtype)}" if name == "layer_norm" and rest else ""
    m.emit(name, f"F.{name}({x}, {shape}{rest}, eps=1e-3)" if name == "layer_norm" else f"F.rms_norm({x}, {shape}{rest or ', None'}, 1e-3)")


@op("group_norm", "batch_norm", "instance_norm")
def _channels_norm(m, name):
    x = m.float(2, lambda v: 0 not in v.shape)
    channels = x.shape[1]
    weight, bias = m.weight(channels, dtype=x.dtype), m.weight(channels, dtype=x.dtype)
    if name == "group_norm":
        groups = m.choice(*[g for g in range(1, channels + 1) if channels % g == 0])
        return m.emit(name, f"F.group_norm({x}, {groups}, {weight}, {bias}, eps=1e-2)")
    if name == "instance_norm":
        return m.emit(name, f"F.instance_norm({x}, weight={weight}, bias={bias}, eps=1e-2)")
    mean, variance = m.add_input((channels,), x.dtype, "grid"), m.add_input((channels,), x.dtype, "grid")
    return m.emit(name, f"F.batch_norm({x}, {mean}.detach(), {variance}.detach().abs() + 0.5, {weight}, {bias}, False)")
