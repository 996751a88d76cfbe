# ===- small_models.py - Models of tests, and their comparison with eager --------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Models of tests, and their comparison with eager."""

import logging
import unittest

import torch
from torch import nn

from pit_mlir.torch import dynamo


class Mlp(nn.Module):
    def __init__(self, middle=torch.relu):
        super().__init__()
        self.first, self.second, self.middle = nn.Linear(8, 16), nn.Linear(16, 4), middle

    def forward(self, x):
        return self.second(self.middle(self.first(x)))


class Encoder(nn.Module):
    """Positions at or after lengths[b] are padding."""

    def __init__(self, dim=32, heads=2):
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(dim)
        self.qkv, self.output = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x, lengths):
        batch, length, dim = x.shape
        keep = torch.arange(length) < lengths.unsqueeze(1)
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=keep[:, None, None, :])
        x = self.norm(x + self.output(y.transpose(1, 2).reshape(batch, length, dim)))
        return (x + self.down(nn.functional.gelu(self.up(x)))) * keep.unsqueeze(-1)


class Experts(nn.Module):
    """Each token at the two experts of the largest gates; written for all of them."""

    def __init__(self, experts=4, dim=16, hidden=8):
        super().__init__()
        self.router = nn.Linear(dim, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, dim, hidden) * 0.3)
        self.down = nn.Parameter(torch.randn(experts, hidden, dim) * 0.3)

    def forward(self, x):
        weights, index = torch.topk(torch.softmax(self.router(x), -1), 2)
        choices = nn.functional.one_hot(index, self.up.shape[0]).to(x.dtype)
        gate = (choices * weights.unsqueeze(-1)).sum(1)
        hidden = torch.relu(torch.einsum("td,edf->tef", x, self.up))
        return torch.einsum("te,tef,efd->td", gate, hidden, self.down)


class Compared(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        dynamo._warned.clear()

    def compare(self, model, *inputs, backward=True, tolerance=1e-5, **options):
        """Results and gradients against eager; returns the records of the graphs."""
        expected = model(*inputs)
        compiled = torch.compile(model, backend="pit", options=options)
        with dynamo.recording() as records:
            found = compiled(*inputs)
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=tolerance)
            if backward:
                weight = torch.randn_like(expected)
                parameters = list(model.parameters())
                wanted = torch.autograd.grad((expected * weight).sum(), parameters)
                given = torch.autograd.grad((found * weight).sum(), parameters)
                for a, b in zip(given, wanted):
                    torch.testing.assert_close(a, b, rtol=1e-3, atol=10 * tolerance)
        return records

    def check_whole(self, records, kinds):
        self.assertEqual([r.kind for r in records], kinds)
        for record in records:
            self.assertEqual(record.left, [])
            self.assertEqual(record.compiled_products, record.products)


def run():
    """Runs the tests of the file that is called."""
    logging.getLogger("pit_mlir").addHandler(logging.NullHandler())
    logging.getLogger("pit_mlir").propagate = False
    unittest.main()
