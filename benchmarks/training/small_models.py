# ===- small_models.py - Small models that losses.py trains -----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Small models of text that losses.py trains, written dense: decoders as OPT's and Switch's, and a pruned encoder.

Each takes tokens [batch, length] and the lengths of its sequences, and gives the mean loss of the tokens that are there."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """A pre-norm block; what is padding is masked in attention, and multiplied by zero behind it."""

    def __init__(self, dim, heads, inner, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv, self.output = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.norm1, self.norm2, self.inner = nn.LayerNorm(dim), nn.LayerNorm(dim), inner

    def forward(self, x, keep):
        batch, length, dim = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(self.norm1(x)).chunk(3, -1))
        place = torch.arange(length, device=x.device)
        mask = keep[:, None, None, :]
        if self.causal:
            mask = mask & (place[:, None] >= place)
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.output(context.transpose(1, 2).reshape(batch, length, dim))
        return (x + self.inner(self.norm2(x))) * keep.unsqueeze(-1)


class ReluFeedForward(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class PrunedFeedForward(nn.Module):
    """Blocks of weights count while they are among the largest: masks are computed in each step, from magnitudes."""

    def __init__(self, dim, live=0.1, block=(32, 32)):
        super().__init__()
        self.up, self.down, self.live, self.block = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim), live, block

    def mask(self, weight):
        rows, columns = self.block
        blocks = weight.detach().view(weight.shape[0] // rows, rows, -1, columns)
        sizes = blocks.square().sum((1, 3))
        least = torch.topk(sizes.flatten(), max(1, int(self.live * sizes.numel()))).values[-1]
        live = (sizes >= least)[:, None, :, None].expand(-1, rows, -1, columns)
        return live.reshape(weight.shape)

    def forward(self, x):
        up, down = (torch.where(self.mask(layer.weight), layer.weight, 0.0) for layer in (self.up, self.down))
        return F.linear(F.gelu(F.linear(x, up, self.up.bias)), down, self.down.bias)


class Model(nn.Module):
    def __init__(self, inner, dim=128, heads=4, layers=2, length=64, tokens=128, causal=True):
        super().__init__()
        self.causal = causal
        self.tokens, self.places = nn.Embedding(tokens, dim), nn.Embedding(length, dim)
        self.blocks = nn.ModuleList(Block(dim, heads, inner(dim), causal) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, tokens, bias=False)

    def forward(self, inputs, targets, lengths):
        place = torch.arange(inputs.shape[1], device=inputs.device)
        keep = place < lengths[:, None]
        x = (self.tokens(inputs) + self.places(place)) * keep.unsqueeze(-1)
        for block in self.blocks:
            x = block(x, keep)
        logits = self.head(self.norm(x))
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        return torch.where(keep, losses, 0.0).sum() / keep.sum()


def loss_of(model, dtype):
    """A function of a batch and all parameters, in their order, which gives the loss; it computes with them as `dtype`."""
    names = [name for name, _ in model.named_parameters()]

    def loss(inputs, targets, lengths, *parameters):
        cast = {name: parameter.to(dtype) for name, parameter in zip(names, parameters)}
        return torch.func.functional_call(model, cast, (inputs, targets, lengths))

    return loss


class SwitchExperts(nn.Module):
    """All experts for all tokens, times the gate: each token's is that of its expert, and zero elsewhere."""

    def __init__(self, dim, experts=8):
        super().__init__()
        hidden = 2 * dim
        self.router = nn.Linear(dim, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, dim, hidden) * dim**-0.5)
        self.down = nn.Parameter(torch.randn(experts, hidden, dim) * hidden**-0.5)

    def forward(self, x):
        weights = torch.softmax(self.router(x), -1)
        value, chosen = weights.max(-1, keepdim=True)
        places = torch.arange(weights.shape[-1], device=x.device)
        gate = torch.where(places == chosen, value, 0.0)
        hidden = F.relu(torch.einsum("btd,edf->btef", x, self.up))
        return torch.einsum("bte,btef,efd->btd", gate, hidden, self.down)


MODELS = {
    "opt": lambda: Model(ReluFeedForward),
    "switch": lambda: Model(SwitchExperts),
    "pruned": lambda: Model(PrunedFeedForward, dim=256, causal=False),
}

# Those that are trained on a device: larger ones, whose steps are one program.
DEVICE_MODELS = {
    "opt": lambda: Model(ReluFeedForward, dim=256, layers=4, length=256),
    "switch": lambda: Model(SwitchExperts, dim=256, layers=4, length=256),
}
