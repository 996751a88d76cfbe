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


if __name__ == "__main__":
    run()
