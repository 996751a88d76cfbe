# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of model_program.py in torch, on rows [..., width] of padded or packed sequences."""
import torch
import torch.nn.functional as F


def is_turned(case, part):
    """Stored [in, out]."""
    return case["alike"] > 0 and part == "down_weight"


def make_weights(case, zeros):
    """By name, in the order of the program's arguments. Of the units behind a ReLU with a bias, the share `zeros` is dead
    for all tokens: their bias is far below zero."""
    weights = {}
    for name, extents in case["weights"]:
        part = name.split("_", 1)[1]
        if part.startswith("norm") and part.endswith("weight"):
            made = 1 + .1 * torch.randn(extents, device="cuda")
        elif part.endswith("bias"):
            made = .1 * torch.randn(extents, device="cuda")
            if part == "up_bias" and zeros:
                made[torch.rand(extents, device="cuda") < zeros] = -100
        elif len(extents) == 3:
            made = torch.empty(extents, dtype=torch.bfloat16, device="cuda")
            for expert in made:
                expert.copy_(torch.randn(extents[1:], device="cuda") / extents[1] ** .5)
        else:
            made = torch.randn(extents, device="cuda") / extents[0 if is_turned(case, part) else 1] ** .5
            # Scores of Switch are not scaled; T5 begins with small queries instead.
            if case["family"] == "switch" and part == "query_weight":
                made /= (case["width"] // case["heads"]) ** .5
        weights[name] = made.bfloat16()
    return weights


def widen(weights):
    return {name: weight.float() for name, weight in weights.items()}


class Model:
    """`attend` maps queries, keys and values to contexts. `live` says, of padded rows, which count; nothing else asks."""

    def __init__(self, case, weights, attend, live=None):
        self.case, self.attend, self.live = case, attend, live
        self.layers = [{} for _ in range(case["layers"])]
        for name, weight in weights.items():
            layer, part = name.split("_", 1)
            self.layers[int(layer[1:])][part] = weight.t() if is_turned(case, part) else weight

    def __call__(self, x):
        for layer in self.layers:
            x = getattr(self, self.case["family"])(layer, x)
        return x

    def linear(self, w, x, name):
        return F.linear(x, w[name + "_weight"], w.get(name + "_bias"))

    def norm(self, w, x, name):
        return F.layer_norm(x, [self.case["width"]], w[name + "_weight"], w[name + "_bias"], self.case["epsilon"])

    def attention(self, w, x):
        return self.linear(w, self.attend(*(self.linear(w, x, name) for name in ("query", "key", "value"))), "output")

    def bert(self, w, x):
        x = self.norm(w, x + self.attention(w, x), "norm1")
        return self.norm(w, x + self.linear(w, F.gelu(self.linear(w, x, "up")), "down"), "norm2")

    def opt(self, w, x):
        x = x + self.attention(w, self.norm(w, x, "norm1"))
        return x + self.linear(w, F.relu(self.linear(w, self.norm(w, x, "norm2"), "up")), "down")

    def square_norm(self, w, x, name):
        wide = x.float()
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.case["epsilon"])
        return (wide * scale).to(x.dtype) * w[name + "_weight"]

    def switch(self, w, x):
        x = x + self.attention(w, self.square_norm(w, x, "norm1"))
        normal = self.square_norm(w, x, "norm2")
        if "router_weight" in w:
            return x + self.experts(w, normal.flatten(0, -2)).view(x.shape)
        return x + self.linear(w, F.relu(self.linear(w, normal, "up")), "down")

    def experts(self, w, rows):
        """Sorted by expert and multiplied in one call per product; in f32, expert by expert."""
        scores = rows @ w["router_weight"].t() if rows.dtype == torch.float32 else torch.mm(
            rows, w["router_weight"].t(), out_dtype=torch.float32)
        weight, chosen = scores.softmax(-1).max(-1)
        if rows.dtype == torch.float32:
            return self.experts_one_by_one(w, rows, weight, chosen)
        order = torch.argsort(chosen, stable=True)
        numbers = torch.arange(len(w["up_weight"]), device="cuda")
        ends = torch.searchsorted(chosen[order], numbers, right=True).to(torch.int32)
        hidden = torch._grouped_mm(rows[order], w["up_weight"], offs=ends).relu()
        each = torch._grouped_mm(hidden, w["down_weight"], offs=ends)
        return torch.empty_like(rows).index_copy_(0, order, (each * weight[order][:, None]).to(rows.dtype))

    def experts_one_by_one(self, w, rows, weight, chosen):
        out = torch.zeros_like(rows)
        for expert in range(len(w["up_weight"])):
            mine = (chosen == expert).nonzero().flatten()
            if len(mine):
                hidden = (rows[mine] @ w["up_weight"][expert]).relu()
                out[mine] = hidden @ w["down_weight"][expert] * weight[mine][:, None]
        return out


def attention_of(case, live=None, ends=None, longest=None):
    """Of padded rows with `live`, or of packed ones between `ends`. Causal attention of sequences that are padded behind
    needs no other mask."""
    heads, causal = case["heads"], case["family"] == "opt"
    scale = 1.0 if case["family"] == "switch" else (case["width"] // heads) ** -.5

    def split(t):
        return t.unflatten(-1, (heads, -1))

    if ends is not None:
        def packed(q, k, v):
            return torch.ops.aten._flash_attention_forward(split(q), split(k), split(v), ends, ends, longest, longest, 0.0,
                                                           causal, False, scale=scale)[0].flatten(1)
        return packed

    mask = None if causal else torch.zeros(live.shape, device="cuda").masked_fill(~live, float("-inf"))[:, None, None]
    masks = {dtype: None if mask is None else mask.to(dtype) for dtype in (torch.float32, torch.bfloat16)}

    def padded(q, k, v):
        q, k, v = (split(t).transpose(1, 2) for t in (q, k, v))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=masks[q.dtype], is_causal=causal, scale=scale)
        return out.transpose(1, 2).flatten(2)

    return padded
