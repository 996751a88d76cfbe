# ===- test_torch.py - torch.compile(backend="pit") -------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""torch.compile(backend="pit") against eager: forward, backward, and what falls back."""

import functools
import logging
import os
import sys
import tempfile
import threading
import unittest
from unittest import mock

import torch
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import dynamo, importer, partition


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


class Backend(Compared):
    def test_training(self):
        lengths = torch.tensor([7, 3, 0, 12])
        for model, inputs in ((Mlp(), (torch.randn(5, 8),)), (Encoder(), (torch.randn(4, 12, 32), lengths)), (Experts(), (torch.randn(9, 16),))):
            with self.subTest(type(model).__name__):
                torch._dynamo.reset()
                if isinstance(model, Encoder):
                    # A row without keys is NaN in eager: at least one is live.
                    inputs = (inputs[0], lengths.clamp(min=1))
                self.check_whole(self.compare(model, *inputs, fallback="error"), ["forward", "backward"])

    def test_inference(self):
        with torch.no_grad():
            self.check_whole(self.compare(Experts(), torch.randn(9, 16), backward=False), ["inference"])

    def test_experts_are_grouped(self):
        """The gate that topk and one_hot give is found: its products visit chosen tokens alone."""
        with torch.no_grad():
            records = self.compare(Experts(), torch.randn(9, 16), backward=False)
        report = pit_mlir.explain(records[0].parts[0].text, target="cpu")
        self.assertIn("visits only what is live", str(report["ops"]))

    def test_scaled_dot_product_attention(self):
        class Attention(nn.Module):
            def __init__(self, **options):
                super().__init__()
                self.options = options
                self.factor = nn.Parameter(torch.tensor(1.5))

            def forward(self, q, k, v, mask=None):
                return torch.nn.functional.scaled_dot_product_attention(q * self.factor, k, v, mask, **self.options)

        torch.manual_seed(1)
        q, k, v = torch.randn(2, 4, 9, 16), torch.randn(2, 4, 13, 16), torch.randn(2, 4, 13, 8)
        mask = torch.rand(9, 13) < 0.5
        mask[3] = False
        self.compare(Attention(), q, k, v)
        self.compare(Attention(scale=0.3), q, k, v, mask)
        self.compare(Attention(), q, k, v, torch.randn(2, 1, 9, 13))
        self.compare(Attention(is_causal=True), q, k, v)
        self.compare(Attention(enable_gqa=True), q, k[:, :2], v[:, :2])
        self.compare(Attention().bfloat16(), q.bfloat16(), k.bfloat16(), v.bfloat16(), mask, backward=False, tolerance=1e-2)

    def test_norms(self):
        """Variances in f32 of what has 16 bits; groups of channels; what has one element in each set."""

        class Norms(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer, self.group = nn.LayerNorm(12), nn.GroupNorm(2, 6)
                nn.init.normal_(self.group.weight), nn.init.normal_(self.group.bias)

            def forward(self, x):
                y = self.layer(x) + self.group(x)
                return y, x.var(-1), x.std((0, 2), keepdim=True, correction=0), *torch.var_mean(x, correction=2), x[:1].var(0, correction=0), x[0, 0, 0].var(0, correction=0)

        self.compare(Norms(), torch.randn(4, 6, 12), backward=False)
        self.compare(Norms().bfloat16(), torch.randn(4, 6, 12).bfloat16(), backward=False, tolerance=2e-2)

    def test_types(self):
        for dtype, tolerance in ((torch.bfloat16, 0.05), (torch.float64, 1e-12), (torch.float16, 0.02)):
            torch._dynamo.reset()
            with torch.no_grad():
                self.check_whole(self.compare(Mlp().to(dtype), torch.randn(5, 8, dtype=dtype), backward=False, tolerance=tolerance), ["inference"])

    def test_dynamic_shapes(self):
        model = Mlp()
        compiled = torch.compile(model, backend="pit", dynamic=True, options={"fallback": "error"})
        with dynamo.recording() as records:
            for n in (3, 7, 9, 20):
                x = torch.randn(n, 8, requires_grad=True)
                found, expected = compiled(x), model(x)
                torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
                torch.testing.assert_close(
                    torch.autograd.grad(found.square().sum(), x)[0], torch.autograd.grad(expected.square().sum(), x)[0], rtol=1e-3, atol=1e-5
                )
        self.check_whole(records, ["forward", "backward"])

    def test_parameters_are_not_copied(self):
        model, x = Mlp(), torch.randn(5, 8)
        compiled = torch.compile(model, backend="pit")
        compiled(x)
        with torch.no_grad():
            model.first.weight.mul_(2)
            model.second.bias = nn.Parameter(torch.ones(4))
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-5)

    def test_strides_and_aliases(self):
        model = Mlp()
        wide = torch.randn(8, 10)
        for x in (wide[:, ::2].T, wide.T, torch.randn(1, 8).expand(5, 8), torch.randn(5, 16)[:, 3:11], torch.randn(0, 8)):
            torch._dynamo.reset()
            self.compare(model, x)

        def results(x, w):
            y = x @ w
            return y.t(), y, x, y.t().relu(), y[1:]

        x, w = torch.randn(5, 8), torch.randn(8, 6)
        found, expected = torch.compile(results, backend="pit")(x, w), results(x, w)
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
            self.assertEqual(a.stride(), b.stride())
        self.assertIs(found[2], x)

    def test_gradient_of_an_embedding(self):
        """Tokens that come more than once, and padding, which has none: in the program, next to the products."""
        for padding, dtype, tolerance in ((None, torch.float32, 1e-5), (3, torch.float32, 1e-5), (None, torch.float64, 1e-12), (0, torch.bfloat16, 2e-2)):
            with self.subTest(padding=padding, dtype=dtype):
                torch._dynamo.reset()
                embedding, linear = nn.Embedding(50, 16, padding_idx=padding).to(dtype), nn.Linear(16, 8).to(dtype)
                ids = torch.randint(0, 50, (4, 12))
                ids[0, :6], ids[1, :3] = 3, 0

                def loss(ids):
                    return linear(embedding(ids)).square().sum()

                loss(ids).backward()
                expected, embedding.weight.grad = embedding.weight.grad, None
                with dynamo.recording() as records:
                    torch.compile(loss, backend="pit")(ids).backward()
                self.check_whole(records, ["forward", "backward"])
                torch.testing.assert_close(embedding.weight.grad, expected, rtol=tolerance, atol=tolerance)

    def test_sums_at_places_that_are_checked(self):
        """`index_put` refuses what is no place, so that it stays torch's."""

        def added(x, index, values, w):
            return torch.index_put(x, (index,), values, accumulate=True) @ w

        x, index, values, w = torch.randn(9, 6), torch.randint(-9, 9, (40,)), torch.randn(40, 6), torch.randn(6, 3)
        run = torch.compile(added, backend="pit")
        torch.testing.assert_close(run(x, index, values, w), added(x, index, values, w), rtol=1e-4, atol=1e-5)
        index[0] = 100
        with self.assertRaises(IndexError):
            run(x, index, values, w)

    def test_transposed_weights_are_not_copied(self):
        """What forward keeps of a weight is a view of it, and backward takes it as it lies."""
        model, x = Mlp(), torch.randn(5, 8)
        with dynamo.recording() as records:
            run = torch.compile(model, backend="pit")
            run(x).sum().backward()
        forward, backward = (record.parts[0] for record in records)
        self.assertTrue(forward.outputs.views)
        self.assertTrue(forward.is_laid_out)
        self.assertTrue(backward.permuted)
        copied, contiguous = [], torch.Tensor.contiguous

        def counted(tensor, *args, **kwargs):
            if not tensor.is_contiguous():
                copied.append(tuple(tensor.shape))
            return contiguous(tensor, *args, **kwargs)

        torch.Tensor.contiguous = counted
        try:
            run(x).square().sum().backward()
        finally:
            torch.Tensor.contiguous = contiguous
        self.assertEqual(copied, [])

    def test_negated_views(self):
        w = torch.randn(4, 6)
        x = torch.randn(5, 4, dtype=torch.complex64).conj().imag
        self.assertTrue(x.is_neg())
        compiled = torch.compile(lambda x: x @ w, backend="pit")
        for each in (x, x.clone(), x):
            torch.testing.assert_close(compiled(each), each @ w, rtol=1e-4, atol=1e-5)

    def test_arguments_that_are_written(self):
        def update(x, w):
            x.add_(1)
            return x @ w

        x, w = torch.randn(5, 8), torch.randn(8, 6)
        other = x.clone()
        torch.testing.assert_close(torch.compile(update, backend="pit")(x, w), update(other, w), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(x, other)

    def test_it_trains(self):
        def losses(wrap):
            torch.manual_seed(1)
            model = Experts()
            run, optimizer = wrap(model), torch.optim.SGD(model.parameters(), 0.3)
            x, y, found = torch.randn(32, 16), torch.randn(32, 16), []
            for _ in range(20):
                optimizer.zero_grad()
                loss = (run(x) - y).square().mean()
                loss.backward()
                optimizer.step()
                found.append(loss.item())
            return torch.tensor(found)

        found, expected = losses(lambda m: torch.compile(m, backend="pit", options={"fallback": "error"})), losses(lambda m: m)
        torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)
        self.assertLess(found[-1], found[0])

    def test_threads(self):
        model = Mlp()
        compiled, wrong = torch.compile(model, backend="pit"), []
        with torch.no_grad():
            compiled(torch.randn(5, 8))

        def work(seed):
            with torch.no_grad():
                for n in range(50):
                    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(seed * 100 + n))
                    if not torch.allclose(compiled(x), model(x), rtol=1e-4, atol=1e-5):
                        wrong.append(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Models(Compared):
    """pit_mlir.compile and pit_mlir.explain of models."""

    def test_compile(self):
        model, x = Mlp(), torch.randn(5, 8)
        with torch.no_grad():
            for source in (model, lambda x: model(x) * 2, torch.export.export(model, (x,))):
                torch._dynamo.reset()
                with dynamo.recording() as records:
                    found = pit_mlir.compile(source, fallback="error")(x)
                expected = (source.module() if hasattr(source, "module") else source)(x)
                torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
                self.check_whole(records, ["inference"])

    def test_a_folder(self):
        """Written here, loaded where there is neither an importer nor a compiler."""
        model, x = Mlp(torch.relu), torch.randn(5, 8)
        with tempfile.TemporaryDirectory() as folder:
            pit_mlir.torch.export(model, (x,), folder, target="cpu", dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
            with mock.patch.dict(sys.modules, {"torch_mlir": None}), mock.patch.object(pit_mlir.compiler, "run", None):
                run = pit_mlir.torch.load(folder, model)
                for n in (5, 9):
                    x = torch.randn(n, 8)
                    torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)
                # What is put in the place of a tensor, or of a module, is what the program takes.
                model.first.bias = nn.Parameter(torch.randn_like(model.first.bias))
                torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)
                model.first = nn.Linear(model.first.in_features, model.first.out_features)
                torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)
                nn.utils.parametrizations.weight_norm(model.first)
                with self.assertRaisesRegex(pit_mlir.ArgumentError, "no parameter 'first.weight'"):
                    run(x)
                with self.assertRaisesRegex(pit_mlir.ArgumentError, "takes 1 input, not 0"):
                    run()
                with self.assertRaisesRegex(pit_mlir.ArgumentError, "no parameter 'first"):
                    pit_mlir.torch.load(folder, nn.Linear(2, 2))
            # For a chip that is not there, of a model that is nowhere.
            pit_mlir.torch.export(Mlp().to("meta"), (x.to("meta"),), folder, target="cuda:sm_90a")
            self.assertEqual(pit_mlir.load(os.path.join(folder, "program.so")).chip, "sm_90a")
            with self.assertRaisesRegex(pit_mlir.ImporterError, "aten.sort"):
                pit_mlir.torch.export(Mlp(lambda x: torch.sort(x, -1)[0]), (x,), folder, target="cpu")
            with self.assertRaises(pit_mlir.Error):
                pit_mlir.torch.load(folder + "/nothing", model)

    def test_explain(self):
        model = Mlp(lambda x: torch.sort(x, -1)[0])
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "x.html")
            report = pit_mlir.explain(model, torch.randn(5, 8), html=page)
            graph = report["graphs"][0]
            self.assertEqual((graph["products"], graph["compiled_products"]), (2, 2))
            self.assertIn("aten.sort", str(graph["left"]))
            lines = [line for part in graph["parts"] for line in part["lines"]]
            self.assertIn("first", sum((line["modules"] for line in lines), []))
            self.assertIn("self.second(self.middle(self.first(x)))", " ".join(line["source"] for line in lines))
            self.assertTrue(any(line["remarks"] for line in lines))
            with open(page, encoding="utf-8") as file:
                text = file.read()
            for word in ("aten.sort.default is left to torch", "first", "x-inference-0-0.html"):
                self.assertIn(word, text)
            self.assertTrue(os.path.exists(os.path.join(folder, "x-inference-0-0.html")))
        both = pit_mlir.explain(Mlp(), torch.randn(5, 8), backward=True)
        self.assertEqual([g["kind"] for g in both["graphs"]], ["forward", "backward"])


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

    def check_step(self, function, inputs, wrt, products):
        """Against autograd. All products are restricted, of which there are so many."""
        leaves = [value.clone().requires_grad_(number in wrt) for number, value in enumerate(inputs)]
        y = function(*leaves)
        dy = torch.randn_like(y)
        expected = [y, *torch.autograd.grad(y, [leaves[number] for number in wrt], dy)]
        text, _, _ = pit_mlir.torch.steps.import_step(function, inputs, wrt)
        ops = [op for op in pit_mlir.explain(text, target="cpu")["ops"] if any("matmul" in name for name in op["ops"])]
        self.assertEqual([op["place"] for op in ops if "visits only what is live" not in str(op["notes"])], [])
        self.assertGreaterEqual(sum(str(op["ops"]).count("matmul") for op in ops), products)
        with tempfile.TemporaryDirectory() as folder:
            pit_mlir.torch.export_step(function, inputs, folder, wrt, target="cpu")
            found = pit_mlir.torch.load(folder)(*inputs, dy)
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b.detach(), rtol=1e-3, atol=1e-4)

    def test_experts(self):
        """Of a gate that is given, and of one that the program makes: all products are restricted, forward and backward."""
        x, gate = torch.randn(24, 16), self.gate(24, 4, 2)
        self.check_step(self.experts(2), (x, gate, torch.randn(4, 16, 24), torch.randn(4, 12, 16)), (0, 1, 2, 3), 6)
        self.check_step(self.routed, (x, torch.randn(24, 4), torch.randn(4, 16, 24), torch.randn(4, 24, 16)), (0, 1, 2, 3), 6)

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


class Fallback(Compared):
    """What does not compile runs as before, and the reason is logged once."""

    def left(self, record):
        return " ".join(reason for _, reason in record.left)

    def test_parts(self):
        model = Mlp(lambda x: torch.sort(x, -1)[0])
        with self.assertLogs("pit_mlir", logging.WARNING) as logs:
            records = self.compare(model, torch.randn(5, 8))
        self.assertIn("aten.sort", self.left(records[0]))
        self.assertEqual(records[0].compiled_products, 2)
        self.assertEqual(len([line for line in logs.output if "aten.sort.default is left" in line]), 1)
        torch._dynamo.reset()
        with self.assertNoLogs("pit_mlir", logging.WARNING) if sys.version_info >= (3, 10) else mock.MagicMock():
            self.compare(model, torch.randn(5, 8))

    def test_dropout(self):
        model = Mlp(lambda x: nn.functional.dropout(x, 0.5, training=True))
        y = torch.compile(model, backend="pit")(torch.randn(5, 8))
        y.sum().backward()
        self.assertTrue(torch.isfinite(model.first.weight.grad).all())

    def test_complex(self):
        self.compare(Mlp(lambda x: torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * 1j).flatten(-2)), torch.randn(5, 8), backward=False)

    def test_a_graph_break(self):
        def middle(x):
            torch._dynamo.graph_break()
            return torch.relu(x)

        self.compare(Mlp(middle), torch.randn(5, 8))

    def test_no_product(self):
        with dynamo.recording() as records:
            torch.compile(lambda x: torch.relu(x) + 1, backend="pit")(torch.randn(3))
        self.assertIn("no matrix product", self.left(records[0]))

    def test_what_is_left_is_torchs_alone(self):
        """A graph that is left to torch as a whole is called as Dynamo found it, with torch's own attention."""
        found = []

        def backend(module, inputs, options):
            found.append((module, dynamo.backend(module, inputs, options=options)))
            return found[-1][1]

        x = torch.randn(3, 4, requires_grad=True)
        y = torch.compile(lambda x: torch.relu(x) * 2, backend=functools.partial(backend, options={}))(x)
        y.sum().backward()
        self.assertIs(found[0][1].__self__, found[0][0])
        torch.testing.assert_close(x.grad, 2.0 * (x > 0))
        attention = torch.nn.functional.scaled_dot_product_attention
        q = torch.randn(1, 2, 5, 4)
        with torch.no_grad():
            y = torch.compile(lambda q: attention(q, q, q), backend=functools.partial(backend, options={"least_products": 3}))(q)
        self.assertIs(found[1][1].__self__, found[1][0])
        self.assertIn(attention, [node.target for node in found[1][0].graph.nodes])
        torch.testing.assert_close(y, attention(q, q, q))

    def test_an_op_that_the_importer_blames(self):
        """Nobody has listed it: the importer's message names it, and the rest is compiled."""
        model = Mlp(lambda x: torch.special.bessel_j0(x))
        with torch.no_grad():
            records = self.compare(model, torch.randn(5, 8), backward=False)
        self.assertIn("bessel_j0", str(records[0].left))
        self.assertEqual(records[0].compiled_products, 2)

    def test_an_importer_that_dies(self):
        """aten.scatter ends the process that lowers it."""
        index = torch.tensor([[0, 2], [1, 3]])
        model = Mlp(lambda x: torch.scatter(x, 0, index, x[:2, :2]))
        allowed = tuple(name for name in partition._NEVER if name != "aten.scatter")
        with mock.patch.object(partition, "_NEVER", allowed):
            with torch.no_grad():
                self.compare(model, torch.randn(5, 8), backward=False)
        with mock.patch.object(importer.subprocess, "run", return_value=mock.Mock(returncode=-11, stderr="", stdout="")):
            torch._dynamo.reset()
            with torch.no_grad(), self.assertLogs("pit_mlir", logging.WARNING) as logs:
                self.compare(Mlp(torch.tanh), torch.randn(3, 8), backward=False)
        self.assertIn("died of signal 11", logs.output[0])

    def test_no_importer(self):
        """Without torch-mlir the model runs as before; what another machine has imported is compiled."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PIT_MLIR_CACHE": folder}):
            self.check_without_importer()

    def check_without_importer(self):
        model = Mlp(torch.sigmoid)
        with mock.patch.dict(sys.modules, {"torch_mlir": None}), torch.no_grad():
            with self.assertLogs("pit_mlir", logging.WARNING) as logs:
                records = self.compare(model, torch.randn(6, 8), backward=False)
            self.assertEqual(records[0].compiled_products, 0)
            self.assertIn("torch-mlir is not installed", logs.output[0])
        with torch.no_grad():
            torch._dynamo.reset()
            self.check_whole(self.compare(model, torch.randn(6, 8), backward=False), ["inference"])
            with mock.patch.dict(sys.modules, {"torch_mlir": None}):
                torch._dynamo.reset()
                self.check_whole(self.compare(model, torch.randn(6, 8), backward=False), ["inference"])

    def test_errors_for_tests(self):
        model = Mlp(lambda x: torch.sort(x, -1)[0])
        with self.assertRaises(Exception) as caught:
            torch.compile(model, backend="pit", options={"fallback": "error"})(torch.randn(5, 8))
        self.assertIn("aten.sort.default is left to torch", str(caught.exception))
        for options in ({"fallback": "maybe"}, {"strikt": True}):
            with self.assertRaises(Exception) as caught:
                torch._dynamo.reset()
                torch.compile(Mlp(), backend="pit", options=options)(torch.randn(5, 8))
            self.assertIn(list(options)[0], str(caught.exception))


if __name__ == "__main__":
    logging.getLogger("pit_mlir").addHandler(logging.NullHandler())
    logging.getLogger("pit_mlir").propagate = False
    unittest.main()
