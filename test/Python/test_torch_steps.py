# ===- test_torch_steps.py - Attention that is trained, steps as one program -----===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Attention that is trained, and steps of training as one program."""

import re
import tempfile
import unittest
from unittest import mock

import torch
from small_models import Compared, run
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import halves


class TrainedAttention(unittest.TestCase):
    """Attention of 16 bits that is trained: its backward computes weights again, with the gradients of torch's own."""

    def test_a_bias_that_is_trained(self):
        """Along batches that share it, or of keys alone; heads share keys in the first case."""
        attend = torch.nn.functional.scaled_dot_product_attention
        for heads, bias in ((2, (1, 4, 40, 40)), (4, (2, 1, 1, 40))):
            torch.manual_seed(0)
            shapes = ((2, 4, 40, 16), (2, heads, 40, 16), (2, heads, 40, 16), bias)
            leaves = [torch.randn(shape, dtype=torch.bfloat16, requires_grad=True) for shape in shapes]
            wide = [x.detach().double().requires_grad_() for x in leaves]
            dy = torch.randn(2, 4, 40, 16, dtype=torch.bfloat16)
            expected = attend(*wide[:3], attn_mask=wide[3], enable_gqa=True)
            found = torch.compile(lambda q, k, v, m: attend(q, k, v, attn_mask=m, enable_gqa=True), backend="pit")(*leaves)
            pairs = zip([found, *torch.autograd.grad(found, leaves, dy)], [expected, *torch.autograd.grad(expected, wide, dy.double())])
            for x, y in pairs:
                self.assertEqual(x.shape, y.shape)
                self.assertLess(float((x.detach().double() - y.detach()).norm() / y.detach().norm()), 1e-2)

    def compare(self, mask=None, **options):
        torch.manual_seed(0)
        leaves = [torch.randn(2, 3, 40, 16, dtype=torch.bfloat16, requires_grad=True) for _ in range(3)]
        wide = [x.detach().double().requires_grad_() for x in leaves]
        attend = torch.nn.functional.scaled_dot_product_attention
        dy = torch.randn(2, 3, 40, 16, dtype=torch.bfloat16)
        expected = attend(*wide, attn_mask=mask if mask is None or mask.dtype == torch.bool else mask.double(), **options)
        found = torch.compile(lambda q, k, v: attend(q, k, v, attn_mask=mask, **options), backend="pit")(*leaves)
        pairs = zip([found, *torch.autograd.grad(found, leaves, dy)], [expected, *torch.autograd.grad(expected, wide, dy.double())])
        for x, y in pairs:
            self.assertLess(float((x.detach().double() - y).norm() / y.detach().norm()), 1e-2)

    def test_plain(self):
        self.compare()

    def test_causal(self):
        self.compare(is_causal=True)

    def test_mask(self):
        mask = torch.rand(2, 1, 40, 40) < 0.5
        mask[:, :, 7] = False
        self.compare(mask)

    def test_bias(self):
        self.compare(torch.randn(40, 40, dtype=torch.bfloat16), scale=0.3)


class Halves(unittest.TestCase):
    def test_order(self):
        """A half whose nodes stand in front of what they read is put in order."""
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        first = graph.call_function(torch.relu, (x,))
        second = graph.call_function(torch.neg, (first,))
        graph.output((second,))
        self.assertTrue(halves.is_ordered(graph))
        second.append(first)
        self.assertFalse(halves.is_ordered(graph))
        half = torch.fx.GraphModule(nn.Module(), graph)
        with mock.patch.object(halves, "default_partition", lambda *args, **more: (half, half)):
            halves.cut(half, (), num_fwd_outputs=1)
        self.assertTrue(halves.is_ordered(half.graph))
        self.assertEqual(half(torch.ones(1))[0].item(), -1)


class Steps(Compared):
    """Forward and backward as one program."""

    @staticmethod
    def experts(top_k):
        def layer(x, gate, both, down):
            gate = pit_mlir.torch.sparse(gate, axes=(0, 1), at_most=top_k)
            a, b = torch.einsum("td,edf->tef", x, both).chunk(2, -1)
            return torch.einsum("te,tef,efd->td", gate, torch.nn.functional.silu(a) * b, down)

        return layer

    @staticmethod
    def apart(x, gate, first, second, down):
        """Products of their own in front of SiLU and of its factor, as Mixtral has them."""
        gate = pit_mlir.torch.sparse(gate, axes=(0, 1), at_most=2)
        a, b = (torch.einsum("td,edf->tef", x, weight) for weight in (first, second))
        return torch.einsum("te,tef,efd->td", gate, torch.nn.functional.silu(a) * b, down)

    @staticmethod
    def routed(x, logits, up, down):
        """A gate that the program makes: chosen, and divided by its sum."""
        weights = torch.softmax(logits, -1)
        chosen = nn.functional.one_hot(torch.topk(weights.detach(), 2).indices, weights.shape[-1]).sum(-2).to(weights.dtype)
        gate = chosen * weights
        gate = gate / gate.sum(-1, keepdim=True)
        return torch.einsum("te,tef,efd->td", gate, torch.relu(torch.einsum("td,edf->tef", x, up)), down)

    def gate(self, tokens, experts, top_k):
        weights, chosen = torch.topk(torch.softmax(torch.randn(tokens, experts), -1), top_k)
        return torch.zeros(tokens, experts).scatter_(1, chosen, weights)

    def check_step(self, function, inputs, wrt, products, error=1e-4):
        """Against autograd. All products are restricted, of which there are so many."""
        leaves = [value.clone().requires_grad_(number in wrt) for number, value in enumerate(inputs)]
        y = function(*leaves)
        dy = torch.randn_like(y)
        expected = [y, *torch.autograd.grad(y, [leaves[number] for number in wrt], dy)]
        text, _, _ = pit_mlir.torch.steps.import_step(function, inputs, wrt)
        # Ops that the import adds have no place of their own; without places, each has its line.
        text = re.sub(r'(?m)^#loc.*\n| loc\((?:[^()"]|"[^"]*")*\)', "", text)
        ops = [op for op in pit_mlir.explain(text, target="cpu")["ops"] if any("matmul" in name for name in op["ops"])]
        self.assertEqual([op["place"] for op in ops if "visits only what is live" not in str(op["notes"])], [])
        self.assertGreaterEqual(sum(str(op["ops"]).count("matmul") for op in ops), products)
        with tempfile.TemporaryDirectory() as folder:
            pit_mlir.torch.export_step(function, inputs, folder, wrt, target="cpu")
            found = pit_mlir.torch.load(folder)(*inputs, dy)
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b.detach(), rtol=10 * error, atol=error)

    def test_experts(self):
        """Of a gate that is given, and of one that the program makes: all products are restricted, forward and backward."""
        x, gate = torch.randn(24, 16), self.gate(24, 4, 2)
        self.check_step(self.experts(2), (x, gate, torch.randn(4, 16, 24), torch.randn(4, 12, 16)), (0, 1, 2, 3), 6)
        self.check_step(self.routed, (x, torch.randn(24, 4), torch.randn(4, 16, 24), torch.randn(4, 24, 16)), (0, 1, 2, 3), 6)

    def test_products_apart(self):
        """The backward of SiLU divides by what is not zero, and checks nothing: what it reads is computed where experts are chosen."""
        weights = torch.randn(4, 16, 12) / 4, torch.randn(4, 16, 12) / 4, torch.randn(4, 12, 16) / 4
        inputs = torch.randn(24, 16), self.gate(24, 4, 2), *weights
        self.check_step(self.apart, tuple(value.bfloat16() for value in inputs), (0, 1, 2, 3, 4), 9, error=2e-2)

    def test_some_gradients(self):
        x, gate = torch.randn(24, 16), self.gate(24, 4, 1)
        self.check_step(self.experts(1), (x, gate, torch.randn(4, 16, 24), torch.randn(4, 12, 16)), (3,), 3)

    def test_gradient_of_what_is_absent(self):
        """The same compiled and not: none."""
        gate = self.gate(6, 4, 2).requires_grad_()
        (pit_mlir.torch.sparse(gate, axes=(0, 1), at_most=2) * torch.randn(6, 4)).sum().backward()
        self.assertTrue(bool((gate.grad[gate == 0] == 0).all()))
        self.assertTrue(bool((gate.grad[gate != 0] != 0).all()))

    def test_wrong_arguments(self):
        x = torch.randn(4, 4)
        for wrt, function, reason in (((1,), torch.relu, "wrt"), ((), torch.relu, "wrt"), ((0,), lambda x: x > 0, "function")):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, reason):
                pit_mlir.torch.export_step(function, (x,), "nowhere", wrt)


if __name__ == "__main__":
    run()
