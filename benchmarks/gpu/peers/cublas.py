# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense products by cuBLAS, through torch."""
import torch

from peers.peer import Peer


class Matmul(Peer):
    """A [m, k] times B [k, n], whatever they hold."""

    def setup(self, data):
        out = torch.empty(data.a.shape[0], data.b.shape[1], dtype=data.a.dtype, device=data.a.device)
        return lambda: torch.mm(data.a, data.b, out=out)


class Bmm(Peer):
    """Two bare batched products as large as those of a layer of bench_moe.py whose experts have as many tokens each: no
    layer, but what one may be measured by."""
    computes_result = False

    def setup(self, data):
        return data.bmm
