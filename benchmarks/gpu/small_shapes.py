# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes of every family of kernels, with inputs and what must come out of them, by numpy.

They are small, so that slow tools can run them, but for a few `large` ones. Data is small integers, so that sums are exact and results must be right to the bit, but where a program computes exp
or erf. Every family has tails, nothing to do at all, and one of everything.
"""
import glob
import json
import math
import os
import zlib

import numpy as np

import run_manifest
from detect_reference import expected as expected_lists
from shape_data import (BEHIND, TOLERANCE, Shape, compare, factors, integers, make_list, nothing, poisoned, rounded, to_factor,
                        to_type)

# Rows per segment.
LENGTHS = {
    "edges": [0, 1, 127, 128, 129, 0, 64, 65, 16, 0],
    "one": [1],
    "nobody": [0, 0, 0],
    "many": [i * 7 % 19 for i in range(70)],
    "last": [0, 0, 0, 0, 0, 5],
    # Around what last tiles hold beyond others.
    "wide": [129, 152, 153, 280, 0, 304, 305],
}
# Of `large` shapes.
LARGE_ROWS = 5000
LARGE_LENGTHS = {"large": [2100, 700, 0, 1, 3000, 129, 4000, 64, 5000, 1] + [i * 37 % 301 for i in range(60)]}


#
# Products
#


def rows_of(case, small, large):
    """Numbers of rows: one that is known, or those. What is known does not become large."""
    if case.get("m") is not None:
        return [] if large else [case["m"]]
    return [LARGE_ROWS] if large else small


def dense(case, random, large):
    out = case.get("out", "bf16")
    for m in rows_of(case, [0, 1, 63, 129, 300], large):
        a, b = factors(random, case, m, case["k"]), factors(random, case, case["k"], case["n"])
        inputs = [to_factor(a.T.copy() if case.get("a") == "km" else a, case),
                  to_factor(b.T.copy() if case.get("b") == "nk" else b, case)]
        scales = [.5, 4.] if case.get("scaled") else []
        inputs += [np.array(scale, np.float32) for scale in scales]
        yield Shape(f"m{m}", inputs, [rounded(a @ b * math.prod(scales), out)])


def laid_out(values, axes, names):
    """The array with axes that are named so in the order of other names."""
    return values.transpose([names.index(axis) for axis in axes]).copy()


def batched(case, random, large):
    """Products of batches, with what is elementwise behind them."""
    n, k, c, steps = case["n"], case["k"], case.get("c", "bmn"), case.get("epilogue", [])
    axes_a, axes_b, heads = case.get("a", "bmk"), case.get("b", "bkn"), case.get("heads", 1)

    def split(array):
        return array.reshape(len(array) // heads, heads, *array.shape[1:]) if heads > 1 else array

    if large and case["m"] is not None:
        return
    for batch, m in [(9, 700)] if large else [(3, 1), (2, 0), (1, 63), (0, 5), (2, 129), (5, 20)]:
        batch, m = (case["batch"] or batch) * heads, m if case["m"] is None else case["m"]
        a = factors(random, case, *[batch] * ("b" in axes_a), m, k)
        others = [factors(random, case, *[batch] * ("b" in axes_b), k, n) for _ in range(1 + ("gated" in steps))]
        inputs = [to_factor(split(laid_out(a, axes_a, "bmk"[-a.ndim:])), case)]
        inputs += [to_factor(split(laid_out(b, axes_b, "bkn"[-b.ndim:])), case) for b in others]
        value = np.broadcast_to(a @ others[0], (batch, m, n))
        for step in steps:
            if step in ("bias", "bias16"):
                other = integers(random, *([n] if step == "bias" else [batch, n]))
                value = value + (other if step == "bias" else other[:, None, :])
            elif step == "scale":
                other = integers(random, batch)
                value = value * other[:, None, None]
            elif step == "rows":
                other = integers(random, batch, m)
                value = value * other[:, :, None]
            elif step == "residual":
                other = integers(random, batch, m, n)
                value = value + other
                other = laid_out(other, c, "bmn")
            else:
                value = np.maximum(value, 0) if step == "relu" else value * (a @ others[1])
                continue
            if step != "bias":
                other = split(other)
            inputs.append(to_type(other, "bf16" if step in ("bias16", "residual") else "f32"))
        yield Shape(f"{batch} of m{m}", inputs, [split(laid_out(value, c, "bmn"))])
        if case["batch"] and case["m"] is not None:
            return


def gathered(case, random, large):
    dtype, out, n, k = case.get("dtype", "bf16"), case.get("out", "bf16"), case["n"], case["k"]
    for i, m in enumerate(rows_of(case, [0, 1, 64, 128, 129, 300], large)):
        rows = m + 30
        a, b, index = integers(random, rows, k), integers(random, k, n), random.permutation(rows)[:m]
        want = nothing(rows, n)
        want[index] = a[index] @ b
        # In every other shape, the list ends where its memory does.
        yield Shape(f"m{m}", [to_type(a, dtype), to_type(b.T.copy() if case.get("b") == "nk" else b, dtype),
                              make_list(index, BEHIND * (i % 2)), np.array([0, m]), to_type(nothing(rows, n), out)],
                    [want], [4])


def listed_sum(case, random, large):
    if large != (case["m"] * case["n"] > 1 << 20):
        return
    dtype, out, m, n, k = (case.get("dtype", "bf16"), case.get("out", "bf16"), *(case[key] for key in "mnk"))
    for length in sorted({0, 1, 7, 63, 64, 65, min(200, k), k}):
        a, b, ks = integers(random, k, m), integers(random, k, n), random.permutation(k)
        mine = ks[:length]
        yield Shape(f"{length} listed", [to_type(a, dtype), to_type(b, dtype), make_list(mine, k - length),
                                         np.array([0, length]), to_type(nothing(m, n), out)],
                    [a[mine].T @ b[mine]], [4])


def segments(case, random, large):
    out, n, k = case.get("out", "bf16"), case["n"], case["k"]
    packed, scattered = case.get("a") == "packed", case.get("c") == "scattered"
    for i, (name, lengths) in enumerate((LARGE_LENGTHS if large else LENGTHS).items()):
        if case["segments"] is not None:
            lengths = (lengths + [0] * case["segments"])[:case["segments"]]
        behind = BEHIND * (i % 2)
        tokens, ends = max(lengths) + 30, np.cumsum([0] + lengths)
        rows = np.concatenate([np.sort(random.permutation(tokens)[:length]) for length in lengths])
        a = integers(random, len(rows) if packed else tokens, k)
        b = integers(random, len(lengths), k, n)
        b[np.array(lengths) == 0] = np.nan  # nobody needs these
        want = nothing(tokens, len(lengths), n) if scattered else nothing(len(rows) + behind, n)
        for segment, (first, last) in enumerate(zip(ends[:-1], ends[1:])):
            if first < last:
                mine = rows[first:last]
                want[(mine, segment) if scattered else slice(first, last)] = \
                    (a[first:last] if packed else a[mine]) @ b[segment]
        if packed:
            a = poisoned(a, behind)
        if case.get("b") == "enk":
            b = b.transpose(0, 2, 1).copy()
        yield Shape(name, [to_factor(a, case), to_factor(b, case), make_list(rows, behind), ends, np.array(tokens),
                           to_type(nothing(*want.shape), out)], [want], [5])


def mma(case, random, large):
    yield from {"dense": dense, "listed": gathered, "grouped": segments}[case["kind"]](case, random, large)


def blocks(case, random, large):
    element, (rows, depth), n, k = case.get("element", "bf16"), case["tile"], case["n"], case["k"]
    for m in rows_of(case, [1, 31, 33, 200], large):
        is_b = case.get("operand") == "b"
        lines = n if is_b else m
        shares = (0, .1, .9) if max(m, lines) * k >= 1 << 19 else (0, .3, .7, 1)
        # Of pieces of rows, few live ones take other steps: some in each piece, or many in one.
        for dead, first in [(dead, dead) for dead in shares] + ([(.985, .985), (1, .7)] if (rows, depth) == (1, 64) else []):
            live = random.random((-(-lines // rows), -(-k // depth))) >= dead
            live[:, 0] = random.random(len(live)) >= first
            mask = live.repeat(rows, 0)[:lines].repeat(depth, 1)[:, :k]
            a, b, bias = integers(random, m, k), integers(random, k, n), integers(random, n)
            factors = [a, b * mask.T] if is_b else [a * mask, b]
            # Small integers: sums in f32 are exact, and sooner there.
            want = (factors[0].astype(np.float32) @ factors[1].astype(np.float32)).astype(np.float64)
            if case.get("source") == "blocks":
                # What is dead may hold anything.
                factors = [a, np.where(mask.T, b, np.nan)] if is_b else [np.where(mask, a, np.nan), b]
            turns = case.get("stored_km", False), case.get("transposed", False)
            inputs = [to_type(x.T.copy() if turn else x, element) for x, turn in zip(factors, turns)]
            if case.get("source") == "blocks":
                inputs.insert(2 if is_b else 1, live.T.copy() if is_b != turns[is_b] else live)
            if case.get("epilogue"):
                inputs.append(bias.astype(np.float32))
                want = np.maximum(want + bias, 0)
            yield Shape(f"m{m}, {dead} dead" + f", {first} of the first k" * (first != dead), inputs, [want])


def feed_forward(case, random, large):
    """relu(x W1 + b1) W2 + b2, with groups of units that are dead, each for some groups of tokens: what those have of x
    meets zeros in W1."""
    tokens, width, inner, units = (case[name] for name in ("tokens", "width", "inner", "units"))
    for dead in (.5,) if large else (0, .5, .9, 1):
        x, up, down = integers(random, tokens, width), integers(random, width, inner), integers(random, inner, width)
        kinds, strip = 8, 32
        x[np.arange(width)[None, :] % kinds != random.integers(kinds, size=-(-tokens // strip)).repeat(strip)[:tokens, None]] = 0
        alone = random.random((kinds, -(-inner // units))) < dead
        up *= ~alone.repeat(units, 1)[np.arange(width) % kinds, :inner]
        bias, last = -np.abs(integers(random, inner)), integers(random, width)
        want = rounded(np.maximum(x @ up + bias, 0), "bf16") @ down + last
        inputs = [to_type(x, "bf16"), to_type(up, "bf16"), bias.astype(np.float32), to_type(down, "bf16"),
                  last.astype(np.float32)]
        yield Shape(f"{dead} dead", inputs, [want])


def sampled(case, random, large):
    element, (rows, columns), n, k = case.get("element", "bf16"), case["tile"], case["n"], case["k"]
    for m in rows_of(case, [1, 63, 65, 200], large):
        for dead in (0, .7, 1):
            live = random.random((-(-m // rows), -(-n // columns))) >= dead
            mask = live.repeat(rows, 0)[:m].repeat(columns, 1)[:, :n]
            a, b, bias = integers(random, m, k), integers(random, k, n), integers(random, n)
            want = a @ b
            inputs = [to_type(a, element), to_type(b.T.copy() if case.get("transposed") else b, element), live]
            if case.get("epilogue"):
                inputs.append(bias.astype(np.float32))
                want = np.maximum(want + bias, 0)
            yield Shape(f"m{m}, {dead} dead", inputs, [want * mask])


def erf(values):
    return np.vectorize(math.erf, otypes=[float])(values) if values.size else values


def epilogues(case, random, large):
    out, n, k, steps = case.get("out", "bf16"), case["n"], case["k"], case["steps"]
    silu = lambda x: x / (1 + np.exp(-x))
    for m in rows_of(case, [0, 1, 33, 65, 130, 257], large):
        a, live = integers(random, m, k), random.random(m) < .5
        factors = [integers(random, k, n) for _ in range(2 if "gated" in steps else 1)]
        inputs = [to_factor(a, case)]
        if case.get("rows") == "masked":
            inputs.append(live)
            a = a * live[:, None]
        inputs += [to_factor(b.T.copy() if case.get("b") == "nk" else b, case) for b in factors]
        value = a @ factors[0]
        with np.errstate(over="ignore"):
            for step in steps:
                if step in ("bias", "bias16"):
                    other = integers(random, n)
                    value = value + other
                    inputs.append(to_type(other, "f32" if step == "bias" else "bf16"))
                elif step == "scale":
                    other = integers(random, m)
                    value = value * other[:, None]
                    inputs.append(to_type(other, "f32"))
                elif step in ("residual", "residual32"):
                    other = integers(random, m, n)
                    value = value + other
                    inputs.append(to_type(other, "f32" if step == "residual32" else "bf16"))
                elif step == "relu":
                    value = np.maximum(value, 0)
                elif step == "gelu":
                    value = value / 2 * (1 + erf(value * 0.70710678))
                else:
                    value = silu(value) * (1 if step == "silu" else a @ factors[1])
        inexact = {"silu", "gelu", "gated"} & set(steps)
        yield Shape(f"m{m}", inputs, [value], relative=TOLERANCE[out] if inexact else 0.)


#
# What finds, inverts and sums
#


def detections(case, random, large):
    shape, kind, dtype = case["shape"], case["kind"], case["dtype"]
    floats = dtype in ("bf16", "f16", "f32", "f64")
    if large != (math.prod(shape) > 1 << 20):
        return
    for share in (0, .1, 1) if math.prod(shape) < 1 << 13 else (.1,):
        if kind == "lengths":
            source = np.round(random.random(shape) * case["positions"] * share).astype(run_manifest.DTYPES[dtype])
        else:
            live = random.random(shape) < share
            if case["at_most"]:
                live &= np.cumsum(live, axis=1) <= case["at_most"]
            absent = -np.inf if case["absent"] == "neg_inf" else 0
            source = np.where(live, random.integers(1, 100, shape), absent)
            source = live if dtype == "i1" else source if floats else source.astype(run_manifest.DTYPES[dtype])
        offsets, coords = expected_lists(case, source)
        stored = to_type(source, dtype)
        if case["strides"]:
            span = 1 + case["offset"] + sum((n - 1) * stride for n, stride in zip(shape, case["strides"]))
            flat = to_type(np.ones(span), dtype)
            np.lib.stride_tricks.as_strided(flat[case["offset"]:], shape, [
                stride * flat.itemsize for stride in case["strides"]])[...] = stored
            stored = flat
        index = np.int64 if case["width"] == 64 else np.int32
        lists = [np.full(len(offsets), -1), np.full(case["capacity"], -1, index)]
        want = lists[1].copy()
        want[:len(coords)] = coords
        inputs = [stored, *lists]
        if kind == "lengths" and case["dynamic"]:
            inputs.append(np.array(case["extents"][1]))
        yield Shape(f"{share} live", inputs, [offsets, want], [1, 2])


def sums(case, random, large):
    kind, out = case.get("rows", "bf16"), case.get("out", "bf16")
    columns = case["columns"] or 30
    for i, (name, lengths) in enumerate((LARGE_LENGTHS if large else LENGTHS).items()):
        if case["experts"] is not None:
            lengths = (lengths + [0] * case["experts"])[:case["experts"]]
        behind = BEHIND * (i % 2)
        tokens, ends = max(lengths) + 30, np.cumsum([0] + lengths)
        listed = np.concatenate([np.sort(random.permutation(tokens)[:length]) for length in lengths])
        gates, rows = integers(random, len(listed)), integers(random, len(listed), columns)
        start = integers(random, tokens, columns) if case.get("added") else np.zeros((tokens, columns))
        total = start.copy()
        np.add.at(total, listed, gates[:, None] * rows)
        result = to_type(start if case.get("added") else nothing(tokens, columns), out)
        yield Shape(name, [poisoned(gates, behind).astype(np.float32), to_type(poisoned(rows, behind), kind), ends,
                           make_list(listed, behind, np.int64 if case.get("width") == 64 else np.int32), result,
                           np.array(tokens), np.array(len(lengths))],
                    [total], [4], [] if case.get("added") else None)


def router(case, random, large):
    """Small integers, of which several are the largest."""
    for tokens in [LARGE_ROWS] if large else [1, 7, 50, 129]:
        logits = integers(random, tokens, case["columns"])
        powers = np.exp(logits - logits.max(1, keepdims=True))
        total = powers.sum(1)
        yield Shape(f"{tokens} tokens", [to_type(logits, case["element"])],
                    [total, powers / total[:, None], logits.argmax(1).astype(np.int64)], each=1e-5)


def activate(name, h, other=None):
    if name == "swiglu":
        return h / (1 + np.exp(-h)) * other
    return np.maximum(h, 0) if name == "relu" else .5 * h * (1 + erf(h / 2 ** .5))


def experts(case, random, large):
    """A whole mixture of experts. A weight that is NaN is live, and makes its token's row NaN, and no other one."""
    count, width, hidden = case["experts"], case["width"], case["hidden"]
    for tokens, share, *nan in [(LARGE_ROWS, 1)] if large else [(1, 1), (7, 0), (50, 1), (129, .5), (200, 1), (50, 1, 17)]:
        x = rounded(random.normal(size=(tokens, width)), "bf16")
        gate = np.zeros((tokens, count))
        for token in range(tokens):
            if random.random() < share:
                chosen = random.permutation(count)[:case["top_k"]]
                gate[token, chosen] = (.1 + random.random(len(chosen))).astype(np.float32)
                gate[token, chosen[0]] = np.nan if token in nan else gate[token, chosen[0]]
        factors = [rounded(random.normal(size=(count, width, hidden)) * .05, "bf16")
                   for _ in range(2 if case["activation"] == "swiglu" else 1)]
        down = rounded(random.normal(size=(count, hidden, width)) * .05, "bf16")
        biases = [random.normal(size=(count, extent)).astype(np.float32)
                  for extent in [*[hidden] * len(factors), width]] if case["biases"] else None
        added = biases or np.zeros((len(factors) + 1, count, 1))
        want = np.zeros((tokens, width))
        for expert in range(count):
            products = [x @ factor[expert] + bias[expert] for factor, bias in zip(factors, added)]
            h = activate(case["activation"], *products)
            want += rounded(rounded(h, "bf16") @ down[expert] + added[-1][expert], "bf16") * gate[:, expert, None]
        what = f"{tokens} tokens, {share} of them routed" + "".join(f", token {token} with NaN" for token in nan)
        yield Shape(what, [
            to_type(x, "bf16"), gate.astype(np.float32), *[to_type(b, "bf16") for b in factors + [down]], *(biases or [])],
            [want],
            relative=6e-3)


def normalise(x, scale, shift, epsilon):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + epsilon) * scale + shift


def encoder(case, random, large):
    """A whole encoder layer, with sequences of all lengths; what is behind them may become anything."""
    batch, length, width, inner, heads = (case[name] for name in ("batch", "length", "width", "inner", "heads"))
    if large:
        return
    draws = [np.full(batch, length), np.ones(batch, int), np.zeros(batch, int), np.eye(1, batch, dtype=int)[0] * length,
             *(random.integers(0, length + 1, batch) for _ in range(3))]
    for lengths in draws:
        position = np.arange(length)
        live = position < lengths[:, None] if case["pad"] == "right" else position >= length - lengths[:, None]
        x = rounded(random.normal(size=(batch, length, width)), "bf16")
        linear = {name: [rounded(random.normal(size=(rows, columns)) / columns ** .5, "bf16"),
                         rounded(.1 * random.normal(size=rows), "bf16")]
                  for name, rows, columns in [(name, width, width) for name in ("query", "key", "value", "output")] +
                  [("up", inner, width), ("down", width, inner)]}
        norms = [[rounded(1 + .1 * random.normal(size=width), "bf16"), rounded(.1 * random.normal(size=width), "bf16")]
                 for _ in range(2)]

        def apply(name, rows):
            return rounded(rows @ linear[name][0].T + linear[name][1], "bf16")

        def split(rows):
            return rows.reshape(batch, length, heads, -1).transpose(0, 2, 1, 3)

        query, key, value = (split(apply(name, x)) for name in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / (width / heads) ** .5
        powers = np.exp(scores - scores.max(-1, keepdims=True)) * live[:, None, None]
        context = powers / np.maximum(powers.sum(-1, keepdims=True), 1e-30) @ value
        context = rounded(context.transpose(0, 2, 1, 3).reshape(batch, length, width), "bf16")
        first = rounded(normalise(x + apply("output", context), *norms[0], case["epsilon"]), "bf16")
        hidden = apply("up", first)
        hidden = rounded(hidden * .5 * (1 + erf(hidden / 2 ** .5)), "bf16")
        want = normalise(first + apply("down", hidden), *norms[1], case["epsilon"])
        parts = [*linear["query"], *linear["key"], *linear["value"], *linear["output"], *norms[0], *linear["up"],
                 *linear["down"], *norms[1]]
        yield Shape(f"lengths {', '.join(map(str, lengths))}",
                    [to_type(np.where(live[..., None], x, 1e4), "bf16"), lengths.astype(np.int64),
                     *(to_type(part, "bf16") for part in parts)], [want], relative=2e-2, wanted=live)


def example(directory, _, large):
    """A case of build_examples.py, with what the CPU computes."""
    if large:
        return

    def arrays(kind):
        count = len(glob.glob(os.path.join(directory, kind + ".*.npy")))
        return [run_manifest.load_array(os.path.join(directory, f"{kind}.{i}.npy")) for i in range(count)]

    expected = [run_manifest.as_doubles(array) if array.dtype == np.uint16 else array for array in arrays("expected")]
    with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as file:
        dtypes = {result["dtype"] for result in json.load(file)["functions"][0]["results"]}
    # Other orders of sums may round a short float to its other neighbour, of results and of what they are computed from.
    each = max([1e-4] + [2.0 ** (1 - bits) for dtype, bits in (("f16", 10), ("bf16", 7)) if dtype in dtypes])
    yield Shape("as in the test", arrays("input"), expected, each=each)


def shapes(generator, case, name, large=False):
    """Of a case by the function above of that name, the same in every process; `large` ones have many tiles, most of
    them more than there are multiprocessors, and there are none of what cannot grow."""
    return globals()[generator](case, np.random.default_rng(zlib.crc32(name.encode())), large)
