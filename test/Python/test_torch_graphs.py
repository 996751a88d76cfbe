# ===- test_torch_graphs.py - Graphs of torch on their way to a program ------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Graphs of torch on their way to a program: arguments as they lie, windows that overlap."""

import itertools
import random
import unittest

import torch
from small_models import Compared, run
from torch import fx, nn

from pit_mlir.torch.decompositions import as_strided
from pit_mlir.torch.graphs import canonical_text, take_as_they_lie


class Arguments(unittest.TestCase):
    def test_one_that_is_read_before_the_last_comes(self):
        """Backward graphs of Switch's loop over experts have arguments where they are read first."""
        graph = fx.Graph()

        def argument(name, value):
            node = graph.placeholder(name)
            node.meta["val"] = value
            return node

        def call(target, *arguments):
            node = graph.call_function(target, arguments)
            node.meta["val"] = target(*(a.meta["val"] for a in arguments))
            return node

        a = argument("a", torch.randn(4, 3).T)
        x = argument("x", torch.randn(4, 5))
        first = call(torch.ops.aten.mm.default, a, x)
        b = argument("b", torch.randn(5, 3).T)
        graph.output(call(torch.ops.aten.add.Tensor, first, b))
        values = [node.meta["val"] for node in (a, x, b)]
        expected = fx.GraphModule(nn.Module(), graph)(*values)

        self.assertEqual(take_as_they_lie(graph), [[1, 0], None, [1, 0]])
        graph.lint()
        canonical_text(graph)
        found = fx.GraphModule(nn.Module(), graph)(values[0].T, values[1], values[2].T)
        self.assertTrue(torch.equal(found, expected))


class Chunks(nn.Module):
    """Windows of a sequence that overlap by a half, as Longformer has them, of heads that do not lie one behind the other."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 12)

    def forward(self, x):
        rows = self.linear(x).view(64, 2, 3, 4).permute(1, 2, 0, 3)
        parts = rows.reshape(6, 2, 32, 4)
        size, stride = list(parts.shape), list(parts.stride())
        size[1], stride[1] = 3, stride[1] // 2
        return parts.as_strided(size, stride).sum(-1)


class Windows(Compared):
    def test_values(self):
        """Of each tensor and all windows of it that are slices, the elements that torch has."""
        draw, taken = random.Random(0), 0
        shapes = [(4, 5, 6), (2, 60), (3, 4, 10), (1, 120), (5, 1, 24), (2, 3, 4, 5)]
        for _ in range(4000):
            x = torch.arange(120).reshape(draw.choice(shapes))
            x = x.permute(draw.sample(range(x.dim()), x.dim()))
            rank = draw.randint(1, 4)
            size = [draw.randint(1, 6) for _ in range(rank)]
            stride = [draw.choice([1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 30, 40, 60]) for _ in range(rank)]
            if 1 + sum((n - 1) * apart for n, apart in zip(size, stride)) > 120:
                continue
            found = as_strided(x, size, stride)
            if found is not NotImplemented:
                taken += 1
                self.assertTrue(torch.equal(found, x.as_strided(size, stride)), (x.shape, x.stride(), size, stride))
        self.assertGreater(taken, 50)

    def test_left_to_torch(self):
        x = torch.arange(24).reshape(4, 6)
        for size, stride, offset in (((3, 3), (0, 1), None), ((2, 2), (1, 2), None), ((2, 3), (6, 1), 3), ((4, 7), (6, 1), None), ((2, 2), (7, 1), None)):
            self.assertIs(as_strided(x, size, stride, offset), NotImplemented, (size, stride, offset))

    def test_compiled(self):
        for backward in (False, True):
            with torch.set_grad_enabled(backward):
                records = self.compare(Chunks(), torch.randn(64, 2, 8), backward=backward)
            self.assertTrue(all(record.compiled_products == record.products for record in records))
        self.assertTrue(list(itertools.chain(*(record.parts for record in records))))


class Attention(nn.Module):
    """Attention under a mask of truth values, of which rows may have none."""

    def __init__(self, fill):
        super().__init__()
        self.qkv, self.fill = nn.Linear(8, 24), fill

    def forward(self, x, mask):
        q, k, v = (part.view(2, 6, 2, 4).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scores = torch.where(mask, q @ k.transpose(-1, -2), self.fill)
        weights = torch.softmax(scores, -1)
        if self.fill != 0:
            weights = torch.where((scores != self.fill).any(-1, True).logical_not(), 0.0, weights)
        return (weights @ v).transpose(1, 2).reshape(2, 6, 8)


class Weights(Compared):
    """Which of attention's weights are zero is known where backward reads them."""

    def joint(self, module, *inputs):
        """The graph of forward and backward that AOTAutograd cuts, before and behind `write_zeros`."""
        from pit_mlir.torch import halves

        graphs = []
        write = halves.write_zeros

        def kept(graph, count):
            before = str(graph)
            write(graph, count)
            graph.lint()
            graphs.append((before, str(graph)))

        halves.write_zeros = kept
        try:
            self.compare(module, *inputs, backward=True)
        finally:
            halves.write_zeros = write
        return graphs[-1]

    def masks(self):
        mask = torch.ones(2, 1, 6, 6).tril().bool() & (torch.arange(6) < torch.tensor([4, 6])[:, None])[:, None, None]
        # A query without a key.
        mask[0, 0, 0] = False
        return mask

    def test_zeros_are_written(self):
        before, after = self.joint(Attention(-float("inf")), torch.randn(2, 6, 8), self.masks())
        self.assertEqual(after.count("aten.where.self"), before.count("aten.where.self") + 1)

    def test_others_stay(self):
        # Of weights that are not zero there, or of rows without a key that are no zeros, nothing is said.
        for fill in (-1.0, 0.0):
            before, after = self.joint(Attention(fill), torch.randn(2, 6, 8), self.masks())
            self.assertEqual(before, after)

    def test_scaled_dot_product(self):
        class Scaled(Attention):
            def forward(self, x, mask):
                q, k, v = (part.view(2, 6, 2, 4).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
                return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(2, 6, 8)

        before, after = self.joint(Scaled(0), torch.randn(2, 6, 8), self.masks())
        self.assertNotEqual(before, after)


if __name__ == "__main__":
    run()
