# ===- layers.py - Training steps of decoder layers, and what one runs in their place ---===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Training steps of a decoder layer as OPT has them: norm, attention, norm, feed-forward with ReLU, with residuals.

With lengths, sequences are padded as Alpaca's are when they are padded to the longest that is allowed: on average a
quarter of the positions count. Keys of padding are masked, and results of padding are multiplied by the mask, as a loss does.
The gradients are those of tokens and of all weights.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

_WEIGHTS = ("norm1", "bias1", "qkv", "bias_qkv", "out", "bias_out", "norm2", "bias2", "up", "bias_up", "down", "bias_down")


@dataclass(frozen=True)
class LayerStep:
    batch: int
    positions: int
    dim: int
    heads: int
    hidden: int
    lengths: bool = False

    @property
    def wrt(self):
        first = 1 + self.lengths
        return (0, *range(first, first + len(_WEIGHTS)))

    results = ("y", "dx", *("d" + name for name in _WEIGHTS))

    def function(self, x, *rest):
        live, w = (rest[0], rest[1:]) if self.lengths else (None, rest)
        norm1, bias1, qkv, bias_qkv, out, bias_out, norm2, bias2, up, bias_up, down, bias_down = w
        h = F.layer_norm(x, (self.dim,), norm1, bias1)
        q, k, v = (
            y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in F.linear(h, qkv, bias_qkv).chunk(3, -1)
        )
        if live is None:
            a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            i = torch.arange(self.positions, device=x.device)
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=(i[:, None] >= i)[None, None] & live[:, None, None, :])
        x = x + F.linear(a.transpose(1, 2).flatten(2), out, bias_out)
        h = F.layer_norm(x, (self.dim,), norm2, bias2)
        y = x + F.linear(F.relu(F.linear(h, up, bias_up)), down, bias_down)
        return y if live is None else y * live[:, :, None]

    def inputs(self, device):
        made = {"device": device, "dtype": torch.bfloat16}
        d, f = self.dim, self.hidden

        def weight(*shape):
            return torch.randn(*shape, **made) * shape[-1] ** -0.5

        def bias(n, start=0.0):
            return torch.randn(n, **made) * 0.1 + start

        live = ()
        if self.lengths:
            generator = torch.Generator(device="cpu").manual_seed(1)
            lengths = (torch.rand(self.batch, generator=generator) * 0.3 + 0.1) * self.positions
            positions = torch.arange(self.positions, device=device)
            live = (positions[None] < lengths.to(device)[:, None],) if device != "meta" else (torch.empty(self.batch, self.positions, dtype=torch.bool, device=device),)
        return (
            torch.randn(self.batch, self.positions, d, **made), *live,
            bias(d, 1.0), bias(d), weight(3 * d, d), bias(3 * d), weight(d, d), bias(d),
            bias(d, 1.0), bias(d), weight(f, d), bias(f), weight(d, f), bias(d),
        )

    def reference(self, *inputs):
        """In f32."""
        *inputs, dy = inputs
        leaves = [v.float().requires_grad_() if v.is_floating_point() else v for v in inputs]
        y = self.function(*leaves)
        found = torch.autograd.grad(y, [leaves[number] for number in self.wrt], dy.float())
        return (y.detach(), *found)

    def peers(self, inputs, dy):
        return {"torch": Eager, "torch-compiled": Compiled}


class Eager:
    """torch with autograd."""

    def __init__(self, step, inputs, dy, layer=None):
        self.step, self.dy, self.layer = step, dy, layer or step.function
        self.leaves = [v.detach().clone().requires_grad_() if v.is_floating_point() else v for v in inputs]

    def __call__(self):
        y = self.layer(*self.leaves)
        return (y, *torch.autograd.grad(y, [self.leaves[number] for number in self.step.wrt], self.dy))

    def results(self, found):
        return found


class Compiled(Eager):
    """The same through torch.compile."""

    def __init__(self, *args):
        super().__init__(*args)
        self.layer = torch.compile(self.layer, dynamic=False)


CASES = {
    "layer-opt-125m": LayerStep(8, 1024, 768, 12, 3072),
    "layer-opt-1.3b": LayerStep(4, 1024, 2048, 32, 8192),
    "layer-opt-125m-lengths": LayerStep(8, 1024, 768, 12, 3072, lengths=True),
    "layer-opt-1.3b-lengths": LayerStep(4, 1024, 2048, 32, 8192, lengths=True),
    "layer-small": LayerStep(2, 200, 96, 3, 160),
}
