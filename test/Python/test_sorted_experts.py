# ===- test_sorted_experts.py - Experts whose tokens a model sorts ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Experts whose tokens a model sorts, for products of rows by expert: written dense, or left as they are."""

import unittest

import torch
from small_models import run
from torch import nn
from torch.nn import functional as F

import pit_mlir.torch  # noqa: F401
from pit_mlir.torch import dynamo, sorted_experts

EXPERTS, TOP, DIM, HIDDEN = 4, 2, 16, 24


@torch.library.custom_op("pit_test::grouped_mm", mutates_args=())
def grouped_mm(input: torch.Tensor, weight: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
    """Rows by the weights of their experts, with a gradient: torch's own has none on each CPU."""
    result, first = torch.zeros(input.shape[0], weight.shape[2]), 0
    for number, last in enumerate(offs.tolist()):
        result[first:last] = input[first:last] @ weight[number]
        first = last
    return result


@grouped_mm.register_fake
def _(input, weight, offs):
    return input.new_empty(input.shape[0], weight.shape[2])


def _backward(ctx, gradient):
    input, weight, offs = ctx.saved_tensors
    of_input, of_weight, first = torch.zeros_like(input), torch.zeros_like(weight), 0
    for number, last in enumerate(offs.tolist()):
        of_input[first:last] = gradient[first:last] @ weight[number].T
        of_weight[number] = input[first:last].T @ gradient[first:last]
        first = last
    return of_input, of_weight, None


grouped_mm.register_autograd(_backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))


def product(rows, weights, ends):
    return torch.ops.pit_test.grouped_mm(rows, weights, offs=ends)


def sort(ids):
    """Sorted ids, the order, and where experts end, as transformers finds them."""
    ids, order = torch.sort(ids)
    return ids, order, torch.cumsum(torch.histc(ids.float(), bins=EXPERTS, min=0, max=EXPERTS - 1), dim=0, dtype=torch.int32)


def invert(order):
    inverse = torch.empty_like(order)
    inverse[order] = torch.arange(order.shape[0])
    return inverse


class Layer(nn.Module):
    """As transformers has it. Variants change a step each."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.router = nn.Linear(DIM, EXPERTS)
        self.up = nn.Parameter(torch.randn(EXPERTS, 2 * HIDDEN, DIM) * DIM**-0.5)
        self.down = nn.Parameter(torch.randn(EXPERTS, DIM, HIDDEN) * HIDDEN**-0.5)
        self.up_bias = nn.Parameter(torch.randn(EXPERTS, 2 * HIDDEN) * 0.1)
        self.down_bias = nn.Parameter(torch.randn(EXPERTS, DIM) * 0.1)

    def forward(self, x):
        weights, chosen = torch.topk(torch.softmax(self.router(x), -1), TOP)
        return self.experts(x, weights, chosen)

    def act(self, rows):
        a, b = rows.chunk(2, dim=-1)
        return F.silu(a) * b

    def experts(self, x, weights, chosen):
        ids, order, ends = sort(chosen.reshape(-1))
        hidden = self.act(product(x[order // TOP], self.up.transpose(-2, -1), ends))
        rows = product(hidden, self.down.transpose(-2, -1), ends) * weights.reshape(-1)[order].unsqueeze(-1)
        return rows[invert(order)].view(x.shape[0], TOP, DIM).sum(dim=1)


class Biased(Layer):
    """Biases, a limited activation of every second column, places beyond the last expert."""

    def act(self, rows):
        a, b = rows[..., ::2], rows[..., 1::2]
        a = a.clamp(max=1.5)
        return (b.clamp(-1.5, 1.5) + 1) * (a * torch.sigmoid(a * 1.7))

    def experts(self, x, weights, chosen):
        ids, order, ends = sort(chosen.reshape(-1))
        taken = x[order // TOP]
        nobody = (ids >= EXPERTS).unsqueeze(-1)
        ids.clamp_(max=EXPERTS - 1)
        taken.masked_fill_(nobody, 0.0)
        rows = product(taken, self.up.transpose(-2, -1), ends) + self.up_bias[ids]
        rows = product(self.act(rows), self.down.transpose(-2, -1), ends).masked_fill(nobody, 0.0) + self.down_bias[ids]
        rows = rows * weights.reshape(-1)[order].unsqueeze(-1)
        return rows[invert(order)].view(x.shape[0], TOP, DIM).sum(dim=1)


class Searched(Layer):
    """As torch's own layer: argsort, searchsorted, weights behind the way back."""

    def experts(self, x, weights, chosen):
        order = torch.argsort(chosen.flatten(), stable=True)
        ends = torch.searchsorted(chosen.flatten()[order], torch.arange(EXPERTS), right=True).to(torch.int32)
        hidden = self.act(product(x[order // TOP], self.up.transpose(-2, -1), ends))
        place = torch.empty_like(order).scatter_(0, order, torch.arange(order.shape[0]))
        rows = product(hidden, self.down.transpose(-2, -1), ends)
        return (rows[place].view(x.shape[0], TOP, -1) * weights[:, :, None]).sum(1)


class Added(Layer):
    """Rows are added where they belong, and counts are read by others."""

    def experts(self, x, weights, chosen):
        order = torch.argsort(chosen.reshape(-1))
        counts = torch.histc(chosen.reshape(-1).float(), bins=EXPERTS, min=0, max=EXPERTS - 1)
        ends = torch.cumsum(counts, 0).int()
        hidden = self.act(product(x[order // TOP], self.up.transpose(-2, -1), ends))
        rows = product(hidden, self.down.transpose(-2, -1), ends) * weights.reshape(-1)[order][:, None]
        result = torch.zeros_like(x)
        result.index_add_(0, order // TOP, rows)
        return result + counts.max()


class RowsAreRead(Layer):
    """What experts give is read in their order, too."""

    def experts(self, x, weights, chosen):
        ids, order, ends = sort(chosen.reshape(-1))
        hidden = self.act(product(x[order // TOP], self.up.transpose(-2, -1), ends))
        rows = product(hidden, self.down.transpose(-2, -1), ends) * weights.reshape(-1)[order].unsqueeze(-1)
        return rows[invert(order)].view(x.shape[0], TOP, DIM).sum(dim=1) + hidden[0].sum()


class AcrossRows(Layer):
    """A running sum over rows: what stands before a row is in the order of experts."""

    def act(self, rows):
        return torch.cumsum(super().act(rows), 0)


class WeightedInFront(Layer):
    """Weights of what experts are given: two equal choices would not be their sum."""

    def experts(self, x, weights, chosen):
        ids, order, ends = sort(chosen.reshape(-1))
        taken = x[order // TOP] * weights.reshape(-1)[order].unsqueeze(-1)
        rows = product(self.act(product(taken, self.up.transpose(-2, -1), ends)), self.down.transpose(-2, -1), ends)
        return rows[invert(order)].view(x.shape[0], TOP, DIM).sum(dim=1)


class OtherWay(Layer):
    """Rows go back by the order itself, not by its inverse."""

    def experts(self, x, weights, chosen):
        ids, order, ends = sort(chosen.reshape(-1))
        hidden = self.act(product(x[order // TOP], self.up.transpose(-2, -1), ends))
        rows = product(hidden, self.down.transpose(-2, -1), ends) * weights.reshape(-1)[order].unsqueeze(-1)
        return rows[order].view(x.shape[0], TOP, DIM).sum(dim=1)


class WrittenBetween(Layer):
    """Rows are copies: what they were taken from changes behind it."""

    def experts(self, x, weights, chosen):
        x = x + 1
        ids, order, ends = sort(chosen.reshape(-1))
        taken = x[order // TOP]
        x.mul_(2)
        rows = product(self.act(product(taken, self.up.transpose(-2, -1), ends)), self.down.transpose(-2, -1), ends) * weights.reshape(-1)[order].unsqueeze(-1)
        return rows[invert(order)].view(x.shape[0], TOP, DIM).sum(dim=1) + x


class SortedExperts(unittest.TestCase):
    def check(self, layer, is_dense, tokens=(12,), train=True, dynamic=None):
        torch._dynamo.reset()
        compiled = torch.compile(layer, backend="pit", dynamic=dynamic)
        with dynamo.recording() as records:
            for number in tokens:
                x = torch.randn(number, DIM)
                with torch.set_grad_enabled(train):
                    expected, found = layer(x), compiled(x)
                torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
                if not train:
                    continue
                dy = torch.randn_like(expected)
                parameters = [p for p in layer.parameters() if p.requires_grad]
                wanted = torch.autograd.grad(expected, parameters, dy, allow_unused=True)
                for a, b in zip(torch.autograd.grad(found, parameters, dy, allow_unused=True), wanted):
                    if b is not None:
                        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
        left = {name for record in records for name, _ in record.left}
        if is_dense:
            self.assertLessEqual(left, {"aten.histc.default"})
            self.assertGreaterEqual(records[0].compiled_products, 3)
        else:
            self.assertIn("pit_test.grouped_mm.default", left)

    def test_written_dense(self):
        for layer in (Layer, Biased, Searched, Added):
            with self.subTest(layer.__name__):
                self.check(layer(), True)
                self.check(layer(), True, train=False)

    def test_tokens_are_dynamic(self):
        self.check(Layer(), True, tokens=(12, 7, 33), train=False, dynamic=True)

    def test_stay_as_they_are(self):
        for layer in (RowsAreRead, AcrossRows, WeightedInFront, OtherWay, WrittenBetween):
            with self.subTest(layer.__name__):
                self.check(layer(), False, train=False)

    def test_one_of_two(self):
        """A layer that is known next to one that is not."""

        class Both(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.second = Layer(), AcrossRows()

            def forward(self, x):
                return self.second(x + self.first(x))

        torch._dynamo.reset()
        graphs = []

        def keep(module, inputs):
            graphs.append(sorted_experts.replace(module))
            return module.forward

        model, x = Both(), torch.randn(12, DIM)
        with torch.no_grad():
            expected = torch.compile(model, backend=keep)(x)
        names = [str(node.target) for node in graphs[0].graph.nodes]
        self.assertEqual(sum("grouped_mm" in name for name in names), 2)
        graphs[0].graph.lint()
        torch._dynamo.reset()
        with torch.no_grad():
            torch.testing.assert_close(torch.compile(model, backend="pit")(x), expected, rtol=1e-4, atol=1e-5)

    def test_what_does_not_compile_stays_sorted(self):
        """All experts on all tokens would take torch many times as long."""
        torch._dynamo.reset()
        layer, x = Layer(), torch.randn(12, DIM)
        compile_part = dynamo._compile_part

        def fail(*_):
            raise pit_mlir.Error("of the test")

        dynamo._compile_part = fail
        try:
            with dynamo.recording() as records, torch.no_grad():
                found = torch.compile(layer, backend="pit")(x)
        finally:
            dynamo._compile_part = compile_part
        self.assertTrue(torch.equal(found, layer(x)))
        self.assertEqual(len(records), 1)
        self.assertEqual(records[0].products, 1)


if __name__ == "__main__":
    run()
