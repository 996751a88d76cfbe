# ===- layers.py - Layers of experts on several GPUs ------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Layers of experts behind their router, and what one runs for them on several GPUs with torch alone."""

import os
import sys
from dataclasses import dataclass

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gpu"))

import build_moe  # noqa: E402


@dataclass(frozen=True)
class Layer:
    tokens: int  # of all ranks together
    width: int
    hidden: int
    experts: int
    top_k: int
    skewed: bool = False  # routing by Zipf's law, with the experts of rank 0 in front

    def text(self):
        return build_moe.write_program(build_moe.Experts(self.experts, self.top_k, self.width, self.hidden, "swiglu"))

    def inputs(self, device):
        """x, gate and the three weights of the whole layer, the same on each rank."""
        import torch

        generator = torch.Generator(device=device).manual_seed(1)

        def normal(*shape, scale=1.0):
            return (torch.randn(*shape, generator=generator, device=device) * scale).to(torch.bfloat16)

        scores = torch.randn(self.tokens, self.experts, generator=generator, device=device)
        if self.skewed:
            scores -= torch.log(torch.arange(1, self.experts + 1, device=device).float())
        weights, chosen = torch.topk(torch.softmax(scores, -1), self.top_k)
        weights = weights / weights.sum(-1, keepdim=True)
        gate = torch.zeros(self.tokens, self.experts, device=device).scatter_(1, chosen, weights)
        up = [normal(self.experts, self.width, self.hidden, scale=self.width**-0.5) for _ in range(2)]
        down = normal(self.experts, self.hidden, self.width, scale=self.hidden**-0.5)
        return (normal(self.tokens, self.width), gate, *up, down), (weights, chosen)

    def reference(self, inputs, route, rank, ranks):
        """The rank's rows in f32, of the same bf16 arguments."""
        import torch
        import torch.nn.functional as F

        x, _, gate_up, up, down = inputs
        weights, chosen = (value.chunk(ranks)[rank] for value in route)
        x = x.chunk(ranks)[rank].float()
        y = torch.zeros_like(x)
        for expert in range(self.experts):
            rows, places = (chosen == expert).nonzero(as_tuple=True)
            a, b = (x[rows] @ weight[expert].float() for weight in (gate_up, up))
            y.index_add_(0, rows, (F.silu(a) * b) @ down[expert].float() * weights[rows, places, None])
        return y

    def part(self, inputs, rank, ranks):
        """What rank `rank` has of them."""
        return tuple(value.chunk(ranks)[rank].contiguous() for value in inputs)


CASES = {
    "qwen3-t8192": Layer(8192, 2048, 768, 128, 8),
    "qwen3-t32768": Layer(32768, 2048, 768, 128, 8),
    "qwen3-t8192-skewed": Layer(8192, 2048, 768, 128, 8, skewed=True),
    "mixtral-t4096": Layer(4096, 4096, 14336, 8, 2),
    "mixtral-t16384": Layer(16384, 4096, 14336, 8, 2),
    "olmoe-t4096": Layer(4096, 2048, 1024, 64, 8),
    "deepseek-t4096": Layer(4096, 7168, 2048, 64, 8),
    "small": Layer(256, 256, 128, 8, 2),
}


class TorchExperts:
    """torch's expert-parallel layer: all_to_all_single of rows there and back, and `_grouped_mm`. The host waits for
    the sizes, as `all_to_all_single` takes them."""

    def __init__(self, layer, part, route, rank, ranks):
        import torch

        self.layer, self.rank, self.ranks = layer, rank, ranks
        x, _, gate_up, up, self.down = part
        self.x, self.up = x, torch.cat([gate_up, up], -1)
        self.weights, self.chosen = (value.chunk(ranks)[rank].contiguous() for value in route)
        self.weights = self.weights.to(x.dtype)
        self.numbers = torch.arange(layer.experts, device=x.device)

    def __call__(self):
        import torch
        import torch.distributed as dist
        import torch.nn.functional as F

        experts = self.layer.experts // self.ranks
        flat = self.chosen.flatten()
        order = torch.argsort(flat, stable=True)
        counts = torch.bincount(flat, minlength=self.layer.experts)
        theirs = torch.empty_like(counts)
        dist.all_to_all_single(theirs, counts)
        sent = counts.view(self.ranks, -1).sum(1).tolist()
        received = theirs.view(self.ranks, -1).sum(1).tolist()
        rows = self.x[order // self.layer.top_k]
        mine = rows.new_empty(sum(received), self.layer.width)
        dist.all_to_all_single(mine, rows, received, sent)
        # They come by rank and expert, and are needed by expert.
        expert = torch.repeat_interleave(torch.arange(experts, device=mine.device).repeat(self.ranks), theirs, output_size=len(mine))
        by_expert = torch.argsort(expert, stable=True)
        ends = theirs.view(self.ranks, experts).sum(0).cumsum(0).to(torch.int32)
        a, b = torch._grouped_mm(mine[by_expert], self.up, offs=ends).chunk(2, -1)
        made = torch._grouped_mm(F.silu(a) * b, self.down, offs=ends)
        back = torch.empty_like(made)
        back[by_expert] = made
        found = torch.empty_like(rows)
        dist.all_to_all_single(found, back, sent, received)
        place = torch.empty_like(order)
        place[order] = torch.arange(len(order), device=order.device)
        return (found[place].view(len(self.x), self.layer.top_k, -1) * self.weights[:, :, None]).sum(1)
