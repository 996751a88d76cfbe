# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts as torch's users write them, of a layer of bench_moe.py: eager, compiled, or expert by expert."""
import torch

from peers.peer import Peer


class Grouped(Peer):
    """torch's own layer of bench_moe.py, as torch launches it. Counting the experts' rows waits for the host."""
    captures = False

    def available(self):
        return "" if hasattr(torch, "_grouped_mm") else "no torch._grouped_mm"

    def setup(self, data):
        return data.torch_layer


class Compiled(Grouped):
    """The same through torch.compile."""

    def setup(self, data):
        return compiled(data.torch_layer)


def compiled(function):
    made = torch.compile(function, dynamic=False)
    made()
    return made


def sorted_layer(data):
    """The layer without what waits or adds atomically: experts' rows end where a search says, and each token's rows are
    gathered and summed."""
    tokens, experts = data.gate.shape
    weights, chosen = data.gate.topk(data.top_k, dim=1)
    order = torch.argsort(chosen.flatten(), stable=True)
    numbers = torch.arange(experts, device=order.device)
    ends = torch.searchsorted(chosen.flatten()[order], numbers, right=True).to(torch.int32)
    hidden = data.activate(torch._grouped_mm(data.x[order // data.top_k], data.both, offs=ends))
    rows = torch._grouped_mm(hidden, data.w2, offs=ends)
    place = torch.empty_like(order).scatter_(0, order, torch.arange(len(order), device=order.device))
    mine = rows[place].view(tokens, data.top_k, -1)
    return (mine * weights[:, :, None]).sum(1).to(data.x.dtype)


class Sorted(Grouped):
    """The best that we could write with torch._grouped_mm, through torch.compile; may become a CUDA graph."""
    captures = True

    def setup(self, data):
        return compiled(lambda: sorted_layer(data))


class Loop(Peer):
    """Expert by expert, each product by cuBLAS: what is written first. Finding an expert's rows waits for the host."""
    captures = False

    def setup(self, data):
        def run():
            out = torch.zeros(data.x.shape, device=data.x.device)
            for expert in range(data.gate.shape[1]):
                mine, = torch.where(data.gate[:, expert] > 0)
                if len(mine):
                    hidden = data.activate(data.x[mine] @ data.both[expert])
                    out.index_add_(0, mine, (hidden @ data.w2[expert]) * data.gate[mine, expert][:, None])
            return out.to(data.x.dtype)

        return run
