# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mixture of experts by ScatterMoE (Tan et al. 2024), where it is installed."""
import importlib.util

import torch

from peers.peer import Peer


class ScatterMoE(Peer):
    """Of a layer of bench_moe.py, the choice of experts included, its lists made by its own helper."""
    captures = False

    def available(self):
        return "" if importlib.util.find_spec("scattermoe") else "no module named scattermoe"

    def setup(self, data):
        from scattermoe.parallel_experts import flatten_sort_count, parallel_linear
        experts = data.gate.shape[1]

        def run():
            weights, chosen = data.gate.topk(data.top_k, dim=1)
            sorted_experts, scattered, offsets = flatten_sort_count(chosen, num_experts=experts)
            hidden = parallel_linear(data.x, data.both, data.top_k, sorted_experts, scattered, offsets, grouped_out=True)
            return parallel_linear(data.activate(hidden), data.w2, 1, sorted_experts, scattered, offsets,
                                   grouped_in=True, gates=weights.to(torch.bfloat16))

        return run
