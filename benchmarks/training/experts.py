# ===- experts.py - Training steps of experts, and what one runs in their place ---===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Training steps of a layer of experts, from the gate on: forward, and the gradients of tokens, gate and weights.

The layer is written for all tokens and experts. Peers get the gate as the top-k that it was made of, and give the
same gradients; finding which tokens an expert has is part of all times.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

import pit_mlir.torch


@dataclass(frozen=True)
class ExpertsStep:
    tokens: int
    dim: int
    hidden: int
    experts: int
    top_k: int

    wrt = (0, 1, 2, 3)
    results = ("y", "dx", "dgate", "dw13", "dw2")

    def function(self, x, gate, w13, w2):
        gate = pit_mlir.torch.sparse(gate, axes=(0, 1), at_most=self.top_k)
        a, b = torch.einsum("td,edf->tef", x, w13).chunk(2, -1)
        return torch.einsum("te,tef,efd->td", gate, F.silu(a) * b, w2)

    def inputs(self, device):
        """Of the function."""
        made = {"device": device, "dtype": torch.bfloat16}
        if device == "meta":
            gate = torch.empty(self.tokens, self.experts, **made)
        else:
            weights, chosen = self.route(device)
            gate = torch.zeros(self.tokens, self.experts, **made).scatter_(1, chosen, weights)
        return (
            torch.randn(self.tokens, self.dim, **made),
            gate,
            torch.randn(self.experts, self.dim, 2 * self.hidden, **made) * self.dim**-0.5,
            torch.randn(self.experts, self.hidden, self.dim, **made) * self.hidden**-0.5,
        )

    def route(self, device):
        """Weights and numbers of each token's experts, the same in each call."""
        generator = torch.Generator(device=device).manual_seed(1)
        logits = torch.randn(self.tokens, self.experts, generator=generator, device=device)
        weights, chosen = torch.topk(torch.softmax(logits, -1), self.top_k)
        return (weights / weights.sum(-1, keepdim=True)).to(torch.bfloat16), chosen

    def reference(self, x, gate, w13, w2, dy):
        """Results in f32, an expert at a time."""
        y, dx, dgate = torch.zeros_like(x, dtype=torch.float32), torch.zeros_like(x, dtype=torch.float32), torch.zeros_like(gate, dtype=torch.float32)
        dw13, dw2 = torch.zeros_like(w13, dtype=torch.float32), torch.zeros_like(w2, dtype=torch.float32)
        for e in range(self.experts):
            rows = gate[:, e].nonzero().squeeze(1)
            leaves = [v.float().requires_grad_() for v in (x[rows], gate[rows, e], w13[e], w2[e])]
            a, b = (leaves[0] @ leaves[2]).chunk(2, -1)
            part = leaves[1][:, None] * ((F.silu(a) * b) @ leaves[3])
            grads = torch.autograd.grad(part, leaves, dy[rows].float())
            y.index_add_(0, rows, part.detach())
            dx.index_add_(0, rows, grads[0])
            dgate[rows, e], dw13[e], dw2[e] = grads[1:]
        return y, dx, dgate, dw13, dw2

    def peers(self, inputs, dy):
        """Name to a function that gives peers."""
        return {"torch": Grouped, "torch-compiled": CompiledGrouped, "sonicmoe": SonicMoE, "bmm": Bmm}


def grouped_layer(x, weights, chosen, w13, w2):
    """By torch._grouped_mm, without waiting for the host."""
    tokens, top_k = chosen.shape
    order = torch.argsort(chosen.flatten(), stable=True)
    numbers = torch.arange(w13.shape[0], device=x.device)
    ends = torch.searchsorted(chosen.flatten()[order], numbers, right=True).to(torch.int32)
    a, b = torch._grouped_mm(x[order // top_k], w13, offs=ends).chunk(2, -1)
    rows = torch._grouped_mm(F.silu(a) * b, w2, offs=ends)
    place = torch.empty_like(order).scatter_(0, order, torch.arange(len(order), device=order.device))
    return (rows[place].view(tokens, top_k, -1) * weights[:, :, None]).sum(1)


class Grouped:
    """torch's own layer with autograd."""

    captures = True
    layer = staticmethod(grouped_layer)

    def __init__(self, step, inputs, dy):
        x, _, w13, w2 = inputs
        weights, self.chosen = step.route(x.device)
        self.shape, self.dy = (step.tokens, step.experts), dy
        self.leaves = [v.detach().clone().requires_grad_() for v in (x, weights, w13, w2)]

    def __call__(self):
        x, weights, w13, w2 = self.leaves
        y = self.layer(x, weights, self.chosen, w13, w2)
        return (y, *torch.autograd.grad(y, self.leaves, self.dy))

    def results(self, found):
        """As the step gives them."""
        y, dx, dweights, dw13, dw2 = found
        return y, dx, torch.zeros(self.shape, dtype=dweights.dtype, device=dx.device).scatter_(1, self.chosen, dweights), dw13, dw2


class CompiledGrouped(Grouped):
    """The same through torch.compile."""

    def __init__(self, *args):
        super().__init__(*args)
        self.layer = torch.compile(grouped_layer, dynamic=False)


# (tile_m, tile_n, ping-pong, cluster_m, cluster_n): what QuACK's tuner chose among all for the products of a step, and their neighbours.
SONIC_TILES = {
    (128, 192, True, 2, 1),
    (128, 208, True, 1, 2),
    (192, 128, True, 1, 2),
    (128, 160, True, 2, 1),
    (128, 256, False, 2, 1),
    (256, 192, False, 2, 1),
    (256, 128, False, 2, 1),
    (256, 208, False, 2, 1),
}


def limit_tuner():
    """QuACK's tuner compiles and times 22 tiles or 44 for each of six products of a layer, 70 to 146 s a product with 16 cores. Has to come before SonicMoE is
    imported."""
    from quack import gemm_config

    find = gemm_config.get_all_configs

    def find_some(*args, **kwargs):
        found = find(*args, **kwargs)
        return [c for c in found if (c.tile_m, c.tile_n, c.pingpong, c.cluster_m, c.cluster_n) in SONIC_TILES and not c.swap_ab] or found

    gemm_config.get_all_configs = find_some


class SonicMoE(Grouped):
    """SonicMoE's layer behind its router, where it is installed."""

    captures = True

    def __init__(self, step, inputs, dy):
        limit_tuner()
        from sonicmoe import functional
        from sonicmoe.enums import ActivationType

        super().__init__(step, inputs, dy)
        self.functional, self.kind = functional, ActivationType("swiglu")
        x, weights, w13, w2 = self.leaves
        # Theirs are [2 * hidden, dim, experts] and [dim, hidden, experts], gate and up in turns, the contracted axis contiguous.
        both = torch.stack(w13.detach().chunk(2, -1), -1).flatten(-2)
        self.leaves = [
            x,
            weights.detach().float().requires_grad_(),
            both.transpose(1, 2).contiguous().permute(1, 2, 0).requires_grad_(),
            w2.detach().transpose(1, 2).contiguous().permute(1, 2, 0).requires_grad_(),
        ]
        self.step = step

    def layer(self, x, weights, chosen, w1, w2):
        functional, step = self.functional, self.step
        count, kept = step.tokens * step.top_k, {"dtype": torch.int32, "device": x.device}
        scatter, reverse, gather = (torch.empty(count, **kept) for _ in range(3))
        frequency, offsets = torch.empty(step.experts, **kept), torch.empty(step.experts + 1, **kept)
        functional.TC_topk_router_metadata_triton(chosen.to(torch.int32), step.experts, frequency, offsets, gather, scatter, reverse)
        a, h = functional._UpProjection.apply(
            x, w1, None, offsets, count, step.top_k, gather, scatter, reverse, None, False, self.kind, False, False
        )
        return functional._DownProjection.apply(
            a, h, w2, None, weights, offsets, step.tokens, step.top_k, gather, scatter, reverse, None, False, self.kind
        )

    def results(self, found):
        y, dx, dweights, dw1, dw2 = super().results(found)
        dw1 = dw1.permute(2, 1, 0)
        return y, dx, dweights, torch.cat([dw1[..., 0::2], dw1[..., 1::2]], -1), dw2.permute(2, 1, 0)


class Bmm:
    """No layer: the six balanced products of a step, bare."""

    captures, results = True, None

    def __init__(self, step, inputs, dy):
        rows = step.tokens * step.top_k // step.experts
        x, w13, w2 = inputs[0], inputs[2], inputs[3]

        def normal(*shape):
            return torch.randn(step.experts, *shape, dtype=x.dtype, device=x.device)

        a, h, g = normal(rows, step.dim), normal(rows, step.hidden), normal(rows, 2 * step.hidden)
        self.products = [
            (a, w13),
            (h, w2),
            (a, w2.transpose(1, 2)),
            (h.transpose(1, 2), a),
            (g, w13.transpose(1, 2)),
            (a.transpose(1, 2), g),
        ]

    def __call__(self):
        for left, right in self.products:
            torch.bmm(left, right)


CASES = {
    "experts-qwen3-t8192": ExpertsStep(8192, 2048, 768, 128, 8),
    "experts-mixtral-t4096": ExpertsStep(4096, 4096, 14336, 8, 2),
    "experts-olmoe-t4096": ExpertsStep(4096, 2048, 1024, 64, 8),
    "experts-deepseek-t4096": ExpertsStep(4096, 7168, 2048, 64, 8),
    "experts-small": ExpertsStep(300, 136, 104, 6, 2),
}
