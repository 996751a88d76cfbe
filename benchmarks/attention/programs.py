# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention written dense, op by op, with the masks that models have.

    make("causal:d128").text          # MLIR: linalg on tensors, no mark, no op of PIT

Queries are [batch, heads of keys, queries of a group, position, element], keys and values [batch, heads of keys,
position, element]: heads of queries that share a head of keys are a group (GQA). Needs no torch, no numpy.
"""
import dataclasses


@dataclasses.dataclass
class Attention:
    """`mask` is none, causal or window, which compare positions, or one of data, an argument of [position, position] of
    i1: blocks (of 128 x 128, each live with probability `share`), longformer (a window and some positions that all see
    and that see all), lengths (the same for all queries, by sequence: [batch, position]), bias (numbers
    that are added, none of which is low). With `added`, a mask has numbers of that type, 0 or -inf, that are added to
    scores. With `by_batch`, each sequence has its own: [batch, position, position], and with `by_head` each head of
    queries: [heads of keys, queries of a group, position, position]. With a `cap`, logits are cap * tanh(x / cap) in
    front of masks."""
    batch: int
    heads: int
    positions: int
    width: int
    mask: str = "none"
    group: int = 1
    window: int = 0
    block: int = 128
    share: float = 1.0
    tokens: int = 0
    dtype: str = "bf16"
    keys: int = 0
    added: str = ""
    by_batch: bool = False
    by_head: bool = False
    cap: float = 0.0

    @property
    def num_keys(self):
        return self.keys or self.positions

    @property
    def query_shape(self):
        return (self.batch, self.heads // self.group, self.group, self.positions, self.width)

    @property
    def key_shape(self):
        return (self.batch, self.heads // self.group, self.num_keys, self.width)

    @property
    def mask_shape(self):
        if self.mask in ("blocks", "longformer", "bias"):
            heads = (self.heads // self.group, self.group) if self.by_head else ()
            return (self.batch,) * self.by_batch + heads + (self.positions, self.num_keys)
        return (self.batch, self.num_keys) if self.mask == "lengths" else None

    @property
    def text(self):
        return text_of(self)


def tensor(shape, dtype):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{dtype}>"


def mask_lines(case):
    """The region's lines that make %live, an i1, of %mask, or of positions."""
    if case.mask_shape:
        return []
    lines = ["%i = linalg.index 3 : index", "%j = linalg.index 4 : index"]
    if case.mask == "causal":
        return lines + ["%live = arith.cmpi ule, %j, %i : index"]
    return lines + [f"%w = arith.constant {case.window} : index", "%last = arith.addi %i, %w : index",
                    "%end = arith.addi %j, %w : index", "%below = arith.cmpi ule, %j, %last : index",
                    "%above = arith.cmpi uge, %end, %i : index", "%live = arith.andi %below, %above : i1"]


def mask_axes(case):
    """The axes of a mask of data, of (b, h, g, i, j)."""
    if case.mask == "lengths":
        return "(b, j)"
    return f"({'b, ' * case.by_batch}{'h, g, ' * case.by_head}i, j)"


def cap_lines(case):
    """Lines that make %x, the scaled score, capped."""
    if not case.cap:
        return []
    return [f"%cap = arith.constant {case.cap!r} : f32", "%part = arith.divf %x, %cap : f32",
            "%tanh = math.tanh %part : f32", "%capped = arith.mulf %tanh, %cap : f32"]


def text_of(case):
    q, k = tensor(case.query_shape, case.dtype), tensor(case.key_shape, case.dtype)
    b, h, g, n, d = case.query_shape
    full = tensor((b, h, g, n, case.num_keys), "f32")
    rows, out = tensor((b, h, g, n), "f32"), tensor((b, h, g, n, d), "f32")
    par, red = '"parallel"', '"reduction"'
    wide = f"iterator_types = [{', '.join([par] * 5)}]"
    along = f"iterator_types = [{', '.join([par] * 4 + [red])}]"
    product = f"iterator_types = [{', '.join([par] * 5 + [red])}]"
    arguments = f"%q: {q}, %k: {k}, %v: {k}"
    ins, names, shapes, region = "#full", "%scores", full, "%s: f32"
    if case.mask_shape:
        mask = tensor(case.mask_shape, case.added or "i1")
        arguments += f", %m: {mask}"
        ins, names, shapes = "#full, #mask", "%scores, %m", f"{full}, {mask}"
        region = f"%s: f32, %added: {case.added}" if case.added else "%s: f32, %live: i1"
    logit = [f"%scale = arith.constant {case.width ** -0.5!r} : f32", "%x = arith.mulf %s, %scale : f32"] + cap_lines(case)
    x = "%capped" if case.cap else "%x"
    if case.mask == "none":
        logit.append(f"linalg.yield {x} : f32")
    elif case.added:
        term = "%added"
        if case.added != "f32":
            term = "%term"
            logit.append(f"%term = arith.extf %added : {case.added} to f32")
        logit += [f"%y = arith.addf {x}, {term} : f32", "linalg.yield %y : f32"]
    else:
        logit += mask_lines(case) + ["%dead = arith.constant 0xFF800000 : f32",
                                     f"%y = arith.select %live, {x}, %dead : f32", "linalg.yield %y : f32"]
    body = "\n".join(f"    {line}" for line in logit)
    ofmask = mask_axes(case)
    t = case.dtype
    return f"""#full = affine_map<(b, h, g, i, j) -> (b, h, g, i, j)>
#row = affine_map<(b, h, g, i, j) -> (b, h, g, i)>
#mask = affine_map<(b, h, g, i, j) -> {ofmask}>
#q = affine_map<(b, h, g, i, j, e) -> (b, h, g, i, e)>
#k = affine_map<(b, h, g, i, j, e) -> (b, h, j, e)>
#s = affine_map<(b, h, g, i, j, e) -> (b, h, g, i, j)>
#w = affine_map<(b, h, g, i, e, j) -> (b, h, g, i, j)>
#v = affine_map<(b, h, g, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, g, i, e, j) -> (b, h, g, i, e)>
func.func @main({arguments}) -> {q} {{
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %full = tensor.empty() : {full}
  %full0 = linalg.fill ins(%zero : f32) outs(%full : {full}) -> {full}
  %scores = linalg.generic {{indexing_maps = [#q, #k, #s], {product}}} ins(%q, %k : {q}, {k}) outs(%full0 : {full}) {{
  ^bb0(%a: {t}, %b: {t}, %c: f32):
    %x = arith.extf %a : {t} to f32
    %y = arith.extf %b : {t} to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }} -> {full}
  %logits = linalg.generic {{indexing_maps = [{ins}, #full], {wide}}} ins({names} : {shapes}) outs(%full : {full}) {{
  ^bb0({region}, %c: f32):
{body}
  }} -> {full}
  %row = tensor.empty() : {rows}
  %row0 = linalg.fill ins(%lowest : f32) outs(%row : {rows}) -> {rows}
  %top = linalg.generic {{indexing_maps = [#full, #row], {along}}} ins(%logits : {full}) outs(%row0 : {rows}) {{
  ^bb0(%a: f32, %c: f32):
    %r = arith.maximumf %a, %c : f32
    linalg.yield %r : f32
  }} -> {rows}
  %powers = linalg.generic {{indexing_maps = [#full, #row, #full], {wide}}} ins(%logits, %top : {full}, {rows}) outs(%full : {full}) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  }} -> {full}
  %row1 = linalg.fill ins(%zero : f32) outs(%row : {rows}) -> {rows}
  %sum = linalg.generic {{indexing_maps = [#full, #row], {along}}} ins(%powers : {full}) outs(%row1 : {rows}) {{
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %c, %a : f32
    linalg.yield %r : f32
  }} -> {rows}
  %narrow = tensor.empty() : {tensor((b, h, g, n, case.num_keys), t)}
  %weights = linalg.generic {{indexing_maps = [#full, #row, #full], {wide}}} ins(%powers, %sum : {full}, {rows}) outs(%narrow : {tensor((b, h, g, n, case.num_keys), t)}) {{
  ^bb0(%a: f32, %b: f32, %c: {t}):
    %d = arith.divf %a, %b : f32
    %r = arith.truncf %d : f32 to {t}
    linalg.yield %r : {t}
  }} -> {tensor((b, h, g, n, case.num_keys), t)}
  %out = tensor.empty() : {out}
  %out0 = linalg.fill ins(%zero : f32) outs(%out : {out}) -> {out}
  %context = linalg.generic {{indexing_maps = [#w, #v, #o], {product}}} ins(%weights, %v : {tensor((b, h, g, n, case.num_keys), t)}, {k}) outs(%out0 : {out}) {{
  ^bb0(%a: {t}, %b: {t}, %c: f32):
    %x = arith.extf %a : {t} to f32
    %y = arith.extf %b : {t} to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  }} -> {out}
  %last = tensor.empty() : {q}
  %result = linalg.generic {{indexing_maps = [#full, #full], {wide}}} ins(%context : {out}) outs(%last : {q}) {{
  ^bb0(%a: f32, %c: {t}):
    %r = arith.truncf %a : f32 to {t}
    linalg.yield %r : {t}
  }} -> {q}
  return %result : {q}
}}
"""


CASES = {
    "dense:d64": Attention(2, 12, 4096, 64),
    "dense:d128": Attention(4, 16, 2048, 128),
    "dense:d128-8k": Attention(2, 16, 8192, 128),
    "causal:d64": Attention(2, 12, 4096, 64, "causal"),
    "causal:d128": Attention(4, 16, 2048, 128, "causal"),
    "causal:d128-8k": Attention(2, 16, 8192, 128, "causal"),
    "causal:gqa": Attention(2, 32, 4096, 128, "causal", group=4),
    "blocks:d64-13": Attention(2, 12, 4096, 64, "blocks", share=0.134),
    "blocks:d64-26": Attention(2, 12, 4096, 64, "blocks", share=0.264),
    "blocks:d64-50": Attention(2, 12, 4096, 64, "blocks", share=0.503),
    "blocks:d128-11": Attention(1, 16, 16384, 128, "blocks", share=0.109),
    "blocks:d128-26": Attention(1, 16, 16384, 128, "blocks", share=0.26),
    "window:d64": Attention(2, 12, 4096, 64, "window", window=256),
    "longformer:d64": Attention(2, 12, 4096, 64, "longformer", window=256, tokens=64),
    "band:d64": Attention(2, 12, 4096, 64, "longformer", window=256),
    "longformer:d128": Attention(2, 12, 4096, 128, "longformer", window=256, tokens=64),
    "longformer:d64-16k": Attention(1, 12, 16384, 64, "longformer", window=256, tokens=64),
    "lengths:d64": Attention(32, 12, 512, 64, "lengths"),
    "dense:d256": Attention(2, 8, 4096, 256),
    "dense:d96": Attention(2, 12, 2048, 96),
    "dense:d32": Attention(2, 16, 4096, 32),
    "dense:odd": Attention(2, 7, 1000, 80),
    "causal:odd": Attention(3, 5, 777, 64, "causal"),
    "dense:f16": Attention(2, 12, 4096, 64, dtype="f16"),
    "decode:d128": Attention(16, 32, 1, 128, group=4, keys=8192),
    "decode:b1-1k": Attention(1, 32, 1, 128, group=4, keys=1024),
    "decode:b1-8k": Attention(1, 32, 1, 128, group=4, keys=8192),
    "decode:b1-64k": Attention(1, 32, 1, 128, group=4, keys=65536),
    "decode:b8-1k": Attention(8, 32, 1, 128, group=4, keys=1024),
    "decode:b8-16k": Attention(8, 32, 1, 128, group=4, keys=16384),
    "decode:b64-1k": Attention(64, 32, 1, 128, group=4, keys=1024),
    "decode:b64-8k": Attention(64, 32, 1, 128, group=4, keys=8192),
    "decode:d64-b4-16k": Attention(4, 64, 1, 64, group=8, keys=16384),
    "decode:mha-b4-4k": Attention(4, 32, 1, 128, keys=4096),
    "decode:lengths-b16-16k": Attention(16, 32, 1, 128, "lengths", group=4, keys=16384),
    "decode:four-b8-8k": Attention(8, 32, 4, 128, group=4, keys=8192),
    "added:longformer-d64": Attention(2, 12, 4096, 64, "longformer", window=256, tokens=64, added="f32"),
    "added:blocks-d64-26": Attention(2, 12, 4096, 64, "blocks", share=0.264, added="bf16"),
    "added:blocks-d128-26": Attention(2, 16, 4096, 128, "blocks", share=0.264, added="f32", by_batch=True),
    "added:lengths-d64": Attention(32, 12, 512, 64, "lengths", added="f32"),
    "added:bias-d64": Attention(2, 12, 4096, 64, "bias", added="f32"),
    "added:bias-d64-bf16": Attention(2, 12, 4096, 64, "bias", added="bf16"),
    "added:bias-d128": Attention(2, 16, 4096, 128, "bias", added="bf16", by_batch=True),
    "added:bias-heads": Attention(8, 12, 1024, 64, "bias", added="bf16", by_head=True),
    "added:bias-odd": Attention(3, 5, 777, 64, "bias", added="f32"),
}


# Of these, build.py makes backward programs, see gradients.py.
GRADIENTS = {
    "dense:d64": Attention(2, 12, 4096, 64),
    "dense:d128": Attention(4, 16, 2048, 128),
    "causal:d64": Attention(2, 12, 4096, 64, "causal"),
    "causal:d128": Attention(4, 16, 2048, 128, "causal"),
    "causal:d128-8k": Attention(2, 16, 8192, 128, "causal"),
    "causal:odd": Attention(3, 5, 777, 64, "causal"),
    "dense:d96-f16": Attention(2, 12, 2048, 96, dtype="f16"),
    "window:d64": Attention(2, 12, 4096, 64, "window", window=256),
    "blocks:d64-26": Attention(2, 12, 4096, 64, "blocks", share=0.264),
    "blocks:d128-26": Attention(1, 16, 8192, 128, "blocks", share=0.26),
    "longformer:d64": Attention(2, 12, 4096, 64, "longformer", window=256, tokens=64),
    "lengths:d64": Attention(32, 12, 512, 64, "lengths"),
    "causal:gqa": Attention(2, 32, 4096, 128, "causal", group=4),
    "cap:d128": Attention(2, 16, 4096, 128, "causal", cap=50.0),
    "bias:d64": Attention(8, 12, 1024, 64, "bias", added="bf16", by_head=True),
    "dense:d256": Attention(2, 8, 4096, 256),
    "causal:d192": Attention(2, 8, 4096, 192, "causal"),
}


def make(name):
    return CASES[name]
