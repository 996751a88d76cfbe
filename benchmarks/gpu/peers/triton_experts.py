# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole mixture of experts on the grouped product in Triton: index, two products, weighted sum."""
import dataclasses

import torch

from peers.peer import Peer
from peers.triton_grouped import CONFIGURATIONS, launch
from peers.triton_tiles import fastest


class Index:
    """Lists of rows by expert for tiles of `block` rows, made by torch's ops without waiting for the host."""

    def __init__(self, tokens, experts, top_k, block):
        self.top_k, self.block, self.slot_count = top_k, block, tokens * top_k
        # As many as there may be: all lists that are not empty end with a tile of one row.
        most = self.slot_count + min(experts, self.slot_count) * (block - 1)
        self.room = -(-most // block) * block
        self.numbers = torch.arange(experts, dtype=torch.int16, device="cuda")
        self.counting = torch.arange(self.slot_count, device="cuda")
        self.starts = torch.arange(0, self.room, block, device="cuda")

    def __call__(self, gate):
        """What launch() calls `listed`, and the weights by slot."""
        weights, chosen = gate.topk(self.top_k, dim=1)
        # Few bits are sorted in few passes.
        experts, order = chosen.flatten().to(torch.int16).sort(stable=True)
        ends = torch.searchsorted(experts, self.numbers, right=True)
        lengths = ends.diff(prepend=ends.new_zeros(1))
        rounded = (lengths + (self.block - 1)) // self.block * self.block
        rounded_ends = rounded.cumsum(0)
        moved = (rounded_ends - rounded) - (ends - lengths)
        slots = torch.full((self.room,), self.slot_count, dtype=torch.int32, device="cuda")
        slots.scatter_(0, self.counting + moved[experts.long()], order.int())
        owners = torch.searchsorted(rounded_ends, self.starts, right=True).int()
        return (slots, owners, self.slot_count, self.top_k), weights.flatten()


class TritonExperts(Peer):
    """Of a layer of bench_moe.py. The height of tiles follows from the rows per expert; the rest, and which of two heights
    where both may be good, is what was fastest on this layer's data."""

    def setup(self, data):
        tokens, experts = data.gate.shape
        self.activation = "swiglu" if data.gated else {torch.relu: "relu"}.get(data.plain, "gelu")
        per_expert = tokens * data.top_k / experts
        heights = [16, 64] if per_expert < 24 else [64, 128] if per_expert <= 256 else [128]
        found = [self.choose(data, block) for block in (heights[-1:] if self.quick else heights)]
        _, *hows = min(found, key=lambda choice: choice[0])
        self.facts = {"configuration": [dataclasses.asdict(how) for how in hows]}
        index = Index(tokens, experts, data.top_k, hows[0].block_m)
        return lambda: self.run(data, index, *hows)

    def choose(self, data, block):
        """(milliseconds of both products, configuration of each) for tiles of that height."""
        index = Index(*data.gate.shape, data.top_k, block)
        listed, scales = index(data.gate)
        hidden, out = self.buffers(data, index)
        candidates = CONFIGURATIONS[block][:1] if self.quick else CONFIGURATIONS[block]
        first = fastest(candidates, lambda how: launch(data.x, data.both, hidden, listed, scales, how, first=True,
                                                       activation=self.activation))
        second = fastest(candidates, lambda how: launch(hidden, data.w2, out, listed, scales, how))
        return first[0] + second[0], first[1], second[1]

    def buffers(self, data, index):
        """Rows between the products, as they are listed, and rows of the result, by slot."""
        return (data.x.new_empty(index.room, data.w2.shape[1]), data.x.new_empty(index.slot_count, data.w2.shape[2]))

    def run(self, data, index, first, second):
        listed, scales = index(data.gate)
        hidden, out = self.buffers(data, index)
        launch(data.x, data.both, hidden, listed, scales, first, first=True, activation=self.activation)
        launch(hidden, data.w2, out, listed, scales, second)
        return out if data.top_k == 1 else out.view(len(data.x), data.top_k, -1).sum(1)
