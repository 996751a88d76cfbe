# ===- test_torch.py - torch.compile(backend="pit") ------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""torch.compile(backend="pit") against eager: forward and backward."""

import threading

import torch
from small_models import Compared, Encoder, Experts, Mlp, run
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import dynamo


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

    def test_types_of_running_sums(self):
        """Those that the caller names, also where a sum of narrow integers is wider."""

        def sums(x, w):
            y = (x @ w > 0).int()
            return [torch.cumsum(y, 0), torch.cumsum(y, 1, dtype=torch.int32), torch.cumsum(y, -1, dtype=torch.float64), x.cumsum(0) @ w]

        x, w = torch.randn(5, 8), torch.randn(8, 6)
        with dynamo.recording() as records:
            found = torch.compile(sums, backend="pit", options={"fallback": "error"})(x, w)
        self.check_whole(records, ["inference"])
        for a, b in zip(found, sums(x, w)):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)

    def test_masks_are_made_again_in_backward(self):
        """Of lengths, though forward keeps them as numbers: products of backward visit live rows alone."""

        class Masked(nn.Module):
            def __init__(self):
                super().__init__()
                self.mlp = Mlp(torch.tanh)

            def forward(self, x, lengths):
                keep = (torch.arange(x.shape[1]) < lengths[:, None]).float()
                return self.mlp(x) * keep.unsqueeze(-1)

        lengths = torch.tensor([7, 3, 0, 12])
        records = self.compare(Masked(), torch.randn(4, 12, 8), lengths, fallback="error")
        self.check_whole(records, ["forward", "backward"])
        report = pit_mlir.explain(records[1].parts[0].text, target="cpu")
        products = [op for op in report["ops"] if any("matmul" in name for name in op["ops"])]
        self.assertEqual([op["place"] for op in products if "visits only what is live" not in str(op["notes"])], [])
        self.assertGreaterEqual(sum(str(op["ops"]).count("matmul") for op in products), 3)

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


if __name__ == "__main__":
    run()
