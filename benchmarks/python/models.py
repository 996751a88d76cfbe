# ===- models.py - The models that bench.py measures ------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""The models that bench.py measures: plain modules of torch, written dense, and what eager and inductor run in their place."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

import pit_mlir.torch


class Encoder(nn.Module):
    """A post-norm encoder layer, as BERT's; positions that the mask does not have are padding."""

    def __init__(self, dim=768, heads=12):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(dim, dim) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps=1e-12), nn.LayerNorm(dim, eps=1e-12)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x, keep):
        batch, length, dim = x.shape

        def split(t):
            return t.view(batch, length, self.heads, -1).transpose(1, 2)

        context = F.scaled_dot_product_attention(split(self.query(x)), split(self.key(x)), split(self.value(x)), attn_mask=keep[:, None, None, :])
        x = self.norm1(x + self.output(context.transpose(1, 2).reshape(batch, length, dim)))
        x = self.norm2(x + self.down(F.gelu(self.up(x))))
        return x * keep.unsqueeze(-1).to(x.dtype)


class Experts(pit_mlir.torch.Experts):
    """Tokens at the chosen experts; `loop` is what is written by hand for it, an expert at a time."""

    def loop(self, x):
        weights, chosen = torch.topk(torch.softmax(self.router(x), -1), self.top_k)
        if self.normalize:
            weights = weights / weights.sum(-1, keepdim=True)
        y = torch.zeros_like(x)
        for expert in range(self.w1.shape[0]):
            token, place = torch.where(chosen == expert)
            rows = x[token]
            hidden = F.silu(rows @ self.w1[expert]) * (rows @ self.w3[expert])
            y.index_add_(0, token, (hidden @ self.w2[expert]) * weights[token, place, None])
        return y


class Looped(nn.Module):
    def __init__(self, experts):
        super().__init__()
        self.experts = experts

    def forward(self, x):
        return self.experts.loop(x)


class CapacityExperts(nn.Module):
    """Experts with a capacity, written as GShard has them: a tensor of tokens x experts x slots sends tokens to slots, and
    gathers what experts make of them. Tokens for which an expert has no slot left are dropped."""

    def __init__(self, dim, hidden, count, capacity, top_k):
        super().__init__()
        self.capacity, self.top_k = capacity, top_k
        self.router = nn.Parameter(torch.empty(dim, count))
        self.up, self.down = nn.Parameter(torch.empty(count, dim, hidden)), nn.Parameter(torch.empty(count, hidden, dim))

    def combine(self, x):
        gates = F.softmax((x @ self.router).float(), dim=1)
        experts = gates.shape[1]
        left, taken, combine = gates, 0, 0
        for _ in range(self.top_k):
            chosen = F.one_hot(torch.argmax(left, dim=1), experts)
            # Slots behind those of choices before.
            place = torch.cumsum(chosen, dim=0) - 1 + taken
            taken = taken + chosen.sum(0)
            kept = chosen * (place < self.capacity)
            slot = F.one_hot((place * kept).sum(1), self.capacity)
            combine = combine + torch.einsum("se,sc->sec", gates * kept, slot.float())
            left = left.masked_fill(chosen.bool(), float("-inf"))
        return combine

    def forward(self, x):
        combine = self.combine(x)
        slots = torch.einsum("sec,sm->ecm", combine.bool().to(x.dtype), x)
        hidden = F.relu(torch.einsum("ecm,emh->ech", slots, self.up))
        return torch.einsum("sec,ecm->sm", combine.to(x.dtype), torch.einsum("ech,ehm->ecm", hidden, self.down))


class Window(nn.Module):
    """Attention to the positions before, within a window."""

    def __init__(self, window):
        super().__init__()
        self.window = window

    def forward(self, q, k, v):
        place = torch.arange(q.shape[-2], device=q.device)
        behind = place[:, None] - place[None, :]
        return F.scaled_dot_product_attention(q, k, v, attn_mask=(behind >= 0) & (behind < self.window))


class MaskedLinear(nn.Module):
    """A linear layer of padded rows."""

    def __init__(self, dim=1024, out=4096):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out, dim))

    def forward(self, x, keep):
        return torch.where(keep.unsqueeze(-1), x, torch.zeros((), dtype=x.dtype, device=x.device)) @ self.weight.t()


class Pooled(nn.Module):
    """A model of transformers with random weights, and the mean of what it gives for tokens that there are: what is
    padding is never read, so that it need not be computed."""

    def __init__(self, kind, layers=4, hidden=768):
        import transformers

        super().__init__()
        sizes = dict(hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=hidden // 64, intermediate_size=4 * hidden, vocab_size=1024)
        options = {"attn_implementation": "eager"}
        if kind == "bert":
            config = transformers.BertConfig(**sizes)
            self.body = transformers.BertModel._from_config(config, add_pooling_layer=False, **options)
        else:
            config = transformers.LlamaConfig(**sizes, num_key_value_heads=hidden // 128, use_cache=False)
            self.body = transformers.LlamaModel._from_config(config, **options)

    def forward(self, ids, keep):
        hidden = self.body(input_ids=ids, attention_mask=keep.long())[0]
        live = keep.to(hidden.dtype).unsqueeze(-1)
        return (hidden * live).sum(1) / live.sum(1)


@dataclass
class Case:
    make: callable
    inputs: callable
    # What eager and inductor run: the model itself, or what one would write by hand.
    reference: callable = lambda model: model

    def dtype(self, target):
        return torch.bfloat16 if target.startswith("cuda") else torch.float32


def normal(device, dtype, *shape):
    return torch.randn(*shape, device=device, dtype=dtype)


def keep(device, batch, length, live):
    """A batch whose sequences have about `live` of the length, and one all of it."""
    if device == "meta":
        return torch.empty(batch, length, dtype=torch.bool, device=device)
    generator = torch.Generator().manual_seed(1)
    lengths = (length * live * (0.5 + torch.rand(batch, generator=generator))).long().clamp(1, length)
    return (torch.arange(length) < lengths[:, None]).to(device)


def tokens(device, batch, length):
    return torch.randint(0, 1024, (batch, length), device=device)


def padded(kind, live, batch=16, length=512):
    return Case(lambda: Pooled(kind), lambda device, dtype: (tokens(device, batch, length), keep(device, batch, length, live)))


def experts(tokens, dim, hidden, count, top_k):
    return Case(
        lambda: Experts(dim, hidden, count, top_k),
        lambda device, dtype: (normal(device, dtype, tokens, dim),),
        Looped,
    )


def capacity(tokens, dim, hidden, count, top_k):
    """Twice as many slots as are needed where experts have the same number of tokens."""
    slots = 2 * top_k * tokens // count
    return Case(lambda: CapacityExperts(dim, hidden, count, slots, top_k), lambda device, dtype: (normal(device, dtype, tokens, dim),))


CASES = {
    "bert-third-live": padded("bert", 0.33),
    "bert-all-live": padded("bert", 2),
    "llama-half-live": padded("llama", 0.5),
    "encoder-third-live": Case(Encoder, lambda device, dtype: (normal(device, dtype, 32, 512, 768), keep(device, 32, 512, 0.33))),
    "encoder-small": Case(lambda: Encoder(256, 4), lambda device, dtype: (normal(device, dtype, 8, 128, 256), keep(device, 8, 128, 0.33))),
    "linear-third-live": Case(MaskedLinear, lambda device, dtype: (normal(device, dtype, 32, 512, 1024), keep(device, 32, 512, 0.33))),
    "experts-8-top-2": experts(4096, 1024, 3584, 8, 2),
    "experts-64-top-8": experts(4096, 2048, 1024, 64, 8),
    "experts-128-top-8": experts(4096, 2048, 768, 128, 8),
    "experts-small": experts(256, 128, 256, 8, 2),
    "capacity-8-top-1": capacity(4096, 1024, 4096, 8, 1),
    "capacity-64-top-2": capacity(4096, 1024, 2048, 64, 2),
    "capacity-small-top-1": capacity(2048, 256, 1024, 8, 1),
    "capacity-small-top-2": capacity(2048, 256, 1024, 8, 2),
    "window-attention": Case(lambda: Window(1024), lambda device, dtype: tuple(normal(device, dtype, 2, 16, 4096, 128) for _ in range(3))),
}
