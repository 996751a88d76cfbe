# ===- test_torch_cuda.py - torch.compile(backend="pit") on a GPU ------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""torch.compile(backend="pit") on a GPU, against eager there: types, training, dynamic batches, streams, threads, CUDA graphs, devices, errors."""

import threading

import torch
from small_models import Compared, Experts, Mlp, run
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import dynamo


class Padded(nn.Module):
    """A norm and two linear layers of rows, of which the mask has some."""

    def __init__(self, dim=64):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x, keep):
        return (x + self.down(nn.functional.gelu(self.up(self.norm(x))))) * keep.unsqueeze(-1)


def close(found, expected, tolerance):
    """By the norm: products of f32 may be sums of halves, and 16 bits round."""
    difference = (found.double() - expected.double()).norm() / expected.double().norm().clamp(min=1e-30)
    return bool(difference < tolerance)


def _dense(layer, x):
    """What a layer of experts gives, of all experts."""
    weights, chosen = torch.topk(torch.softmax(layer.router(x), -1), layer.top_k)
    gate = torch.zeros_like(layer.router(x)).scatter_(1, chosen, weights / weights.sum(-1, keepdim=True))
    hidden = nn.functional.silu(torch.einsum("td,edf->tef", x, layer.w1)) * torch.einsum("td,edf->tef", x, layer.w3)
    return torch.einsum("tef,efd->td", gate.unsqueeze(-1) * hidden, layer.w2)


class OnDevice(Compared):
    def setUp(self):
        super().setUp()
        if not torch.cuda.is_available():
            self.skipTest("no CUDA device")
        self.device = torch.device("cuda", 0)

    def check(self, model, *inputs, tolerance=1e-4, records=None, **options):
        expected = model(*inputs)
        with dynamo.recording() as found_records:
            found = torch.compile(model, backend="pit", options=options)(*inputs)
        pit_mlir.torch.check()
        self.assertTrue(close(found, expected, tolerance), (found - expected).abs().max())
        if records is not None:
            records.extend(found_records)
        return found, expected

    def check_gradients(self, model, *inputs, tolerance=1e-3):
        found, expected = self.check(model, *inputs, tolerance=tolerance)
        weight, parameters = torch.randn_like(expected), list(model.parameters())
        given, wanted = (torch.autograd.grad((y * weight).sum(), parameters) for y in (found, expected))
        pit_mlir.torch.check()
        for a, b in zip(given, wanted):
            self.assertTrue(close(a, b, tolerance))

    def test_types(self):
        for dtype, tolerance in ((torch.float32, 1e-4), (torch.bfloat16, 2e-2), (torch.float16, 5e-3)):
            with self.subTest(dtype=dtype), torch.no_grad():
                torch._dynamo.reset()
                keep = torch.rand(4, 40, device=self.device) < 0.4
                records = []
                self.check(Padded().to(self.device, dtype), torch.randn(4, 40, 64, device=self.device, dtype=dtype), keep, tolerance=tolerance, records=records)
                self.check_whole(records, ["inference"])

    def test_training(self):
        keep = torch.rand(4, 40, device=self.device) < 0.4
        self.check_gradients(Padded().to(self.device), torch.randn(4, 40, 64, device=self.device), keep)
        torch._dynamo.reset()
        self.check_gradients(Experts(dim=32, hidden=64).to(self.device), torch.randn(70, 32, device=self.device))

    def test_gradient_of_an_embedding(self):
        """Torch's own on a GPU: the products around it are compiled."""
        embedding, linear = nn.Embedding(50, 32).to(self.device), nn.Linear(32, 16).to(self.device)
        ids = torch.randint(0, 50, (4, 12), device=self.device)

        def loss(ids):
            return linear(embedding(ids)).square().sum()

        loss(ids).backward()
        expected, embedding.weight.grad = embedding.weight.grad, None
        with dynamo.recording() as records:
            torch.compile(loss, backend="pit")(ids).backward()
        pit_mlir.torch.check()
        self.assertTrue(close(embedding.weight.grad, expected, 1e-3))
        self.assertEqual([r.compiled_products for r in records], [r.products for r in records])

    def test_dynamic_batch(self):
        model = pit_mlir.torch.Experts(32, 64, 4, 2).to(self.device, torch.bfloat16)
        compiled = torch.compile(model, backend="pit", dynamic=True)
        with torch.no_grad(), dynamo.recording() as records:
            for tokens in (70, 3, 513, 2, 70, 1024):
                x = torch.randn(tokens, 32, device=self.device, dtype=torch.bfloat16)
                found = compiled(x)
                pit_mlir.torch.check()
                self.assertTrue(close(found, _dense(model, x), 2e-2), tokens)
        self.check_whole(records, ["inference"])

    def test_streams_and_threads(self):
        model = Padded().to(self.device)
        inputs = [(torch.randn(2, 40, 64, device=self.device), torch.rand(2, 40, device=self.device) < 0.5) for _ in range(3)]
        wrong = []
        with torch.no_grad():
            compiled = torch.compile(model, backend="pit")
            compiled(*inputs[0])
            expected = [model(*each) for each in inputs]
        torch.cuda.synchronize()

        def work(number):
            stream = torch.cuda.Stream()
            with torch.no_grad(), torch.cuda.stream(stream):
                for _ in range(30):
                    found = compiled(*inputs[number])
                pit_mlir.torch.check()
                stream.synchronize()
                if not close(found, expected[number], 1e-4):
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(inputs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_thread_without_a_context(self):
        """Autograd calls backward in a thread of its own, whose first call of CUDA may be ours."""
        model, x, found = Mlp().to(self.device), torch.randn(5, 8, device=self.device), []
        with torch.no_grad():
            compiled, expected = torch.compile(model, backend="pit"), model(x)
            compiled(x)

        def work():
            try:
                with torch.no_grad():
                    found.append(compiled(x))
                pit_mlir.torch.check()
            except Exception as error:  # The thread must not end without a word.
                found.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertTrue(isinstance(found[0], torch.Tensor) and len(found) == 1 and close(found[0], expected, 1e-4), found)

    def test_numbers_of_the_program(self):
        """Constants that a model makes of Python's numbers lie on the device."""
        w = torch.randn(4, 6, device=self.device)
        with torch.no_grad():
            self.check(lambda x: (x * torch.tensor([1.0, 2.0, 0.5, -1.0], device=x.device) + torch.tensor(3.0).type_as(x)) @ w, torch.randn(5, 4, device=self.device))

    def test_a_cuda_graph(self):
        model = Experts(dim=32, hidden=64).to(self.device, torch.bfloat16)
        compiled = torch.compile(model, backend="pit")
        x = torch.randn(70, 32, device=self.device, dtype=torch.bfloat16)
        with torch.no_grad():
            compiled(x)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                found = compiled(x)
            for _ in range(3):
                x.copy_(torch.randn_like(x))
                graph.replay()
                pit_mlir.torch.check()
                self.assertTrue(torch.equal(found, compiled(x)))
                self.assertTrue(close(found, model(x), 2e-2))

    def test_several_devices(self):
        if torch.cuda.device_count() < 2:
            self.skipTest("one device")
        model = Padded()
        with torch.no_grad():
            for index in range(torch.cuda.device_count()):
                device = torch.device("cuda", index)
                torch._dynamo.reset()
                own = model.to(device)
                x, keep = torch.randn(2, 40, 64, device=device), torch.rand(2, 40, device=device) < 0.5
                found = torch.compile(own, backend="pit")(x, keep)
                pit_mlir.torch.check(device)
                self.assertTrue(close(found, own(x, keep), 1e-4))

    def test_errors_of_kernels(self):
        """Raised by `check`, once; calls behind it are as if it had not been."""
        table, w = torch.randn(20, 32, device=self.device), torch.randn(32, 16, device=self.device)
        index = torch.randint(0, 20, (50,), device=self.device)
        with torch.no_grad():
            compiled = torch.compile(lambda index: table[index] @ w, backend="pit")
            compiled(index)
            pit_mlir.torch.check()
            index[7] = 1000
            compiled(index)
            with self.assertRaises(pit_mlir.ExecutionError):
                pit_mlir.torch.check()
            index[7] = 7
            found = compiled(index)
            pit_mlir.torch.check()
            self.assertTrue(close(found, table[index] @ w, 1e-4))

    def test_more_experts_than_said(self):
        x, gate = torch.randn(70, 32, device=self.device), torch.rand(70, 4, device=self.device)
        up, down = torch.randn(4, 32, 64, device=self.device), torch.randn(4, 64, 32, device=self.device)
        with torch.no_grad():
            pit_mlir.experts(x, gate, up, down, at_most=2)
            with self.assertRaises(pit_mlir.ExecutionError):
                pit_mlir.torch.check()

    def test_tensors_of_two_devices(self):
        """As in eager: torch refuses them, or takes a number of the host."""
        model = Mlp().to(self.device)
        with torch.no_grad():
            self.check(lambda x, n: model(x) * n, torch.randn(5, 8, device=self.device), torch.tensor(2.0))
            with self.assertRaises(Exception):
                torch.compile(model, backend="pit")(torch.randn(5, 8))

    def test_layouts(self):
        """Strides, and addresses that kernels cannot load from at once."""
        model, wide = Mlp().to(self.device), torch.randn(8, 11, device=self.device)
        with torch.no_grad():
            for x in (wide.T, wide[:, 1:6].T, torch.randn(83, device=self.device)[3:].view(10, 8), torch.randn(1, 8, device=self.device).expand(5, 8)):
                torch._dynamo.reset()
                self.check(model, x)


if __name__ == "__main__":
    run()
