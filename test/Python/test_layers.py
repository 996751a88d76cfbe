# ===- test_layers.py - Layers and marks of pit_mlir.torch ------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Layers and marks of pit_mlir.torch against what they mean."""

import unittest

import torch
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import dynamo


def gradients(function, *tensors):
    tensors = [t.detach().clone().requires_grad_(t.is_floating_point()) if isinstance(t, torch.Tensor) else t for t in tensors]
    result = function(*tensors)
    wanted = [t for t in tensors if isinstance(t, torch.Tensor) and t.requires_grad]
    weight = torch.randn(result.shape, generator=torch.Generator().manual_seed(3))
    return [result, *torch.autograd.grad((result * weight).sum(), wanted)]


class Layers(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()

    def check(self, function, reference, *tensors):
        for found, expected in zip(gradients(function, *tensors), gradients(reference, *tensors)):
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)

    def gate(self, tokens, experts, k):
        p = torch.softmax(torch.randn(tokens, experts), -1)
        return torch.where(p >= p.topk(k).values[:, -1:], p, 0.0)

    def test_experts(self):
        w1, w3, w2 = torch.randn(4, 16, 8) * 0.3, torch.randn(4, 16, 8) * 0.3, torch.randn(4, 8, 16) * 0.3

        def reference(x, gate, w1, w2, w3):
            # A weight that is zero gets no gradient.
            gate = torch.where(gate != 0, gate, torch.zeros(()))
            return sum(gate[:, e, None] * ((nn.functional.silu(x @ w1[e]) * (x @ w3[e])) @ w2[e]) for e in range(4))

        def layer(x, gate, w1, w2, w3):
            return pit_mlir.experts(x, gate, w1, w2, w3=w3, at_most=2)

        for tokens in (20, 7, 33):
            x, gate = torch.randn(tokens, 16), self.gate(tokens, 4, 2)
            with torch.no_grad():
                torch.testing.assert_close(layer(x, gate, w1, w2, w3), reference(x, gate, w1, w2, w3), rtol=1e-4, atol=1e-4)
        self.check(layer, reference, x, gate, w1, w2, w3)

    def test_one_program_for_all_numbers_of_tokens(self):
        """Also where opt_einsum is there, which fixes extents of products of three tensors."""
        layer = pit_mlir.torch.Experts(16, 8, 4, 2)
        with torch.no_grad(), dynamo.recording() as records:
            compiled = torch.compile(layer, backend="pit", dynamic=True, options={"fallback": "error"})
            for tokens in (20, 7, 33, 2):
                x = torch.randn(tokens, 16)
                weights, chosen = torch.topk(torch.softmax(layer.router(x), -1), 2)
                weights = weights / weights.sum(-1, keepdim=True)
                every = torch.stack([(nn.functional.silu(x @ layer.w1[e]) * (x @ layer.w3[e])) @ layer.w2[e] for e in range(4)], 1)
                expected = (every.gather(1, chosen.unsqueeze(-1).expand(-1, -1, 16)) * weights.unsqueeze(-1)).sum(1)
                torch.testing.assert_close(compiled(x), expected, rtol=1e-4, atol=1e-4)
        self.assertEqual(len(records), 1)

    def test_experts_with_biases(self):
        x, gate = torch.randn(9, 16), self.gate(9, 4, 1)
        w1, w2, b1, b2 = torch.randn(4, 16, 8), torch.randn(4, 8, 16), torch.randn(4, 8), torch.randn(4, 16)
        expected = sum(gate[:, e, None] * (torch.relu(x @ w1[e] + b1[e]) @ w2[e] + b2[e]) for e in range(4))
        with torch.no_grad():
            found = pit_mlir.experts(x, gate, w1, w2, act="relu", b1=b1, b2=b2)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)

    def test_experts_are_grouped(self):
        x, gate, w1, w2 = torch.randn(64, 16), self.gate(64, 4, 1), torch.randn(4, 16, 8), torch.randn(4, 8, 16)
        with dynamo.recording() as records, torch.no_grad():
            torch.compile(lambda *a: pit_mlir.experts(*a, at_most=1), backend="pit", fullgraph=True)(x, gate, w1, w2)
        self.assertIn("pit.sparse = {", records[0].parts[0].text)
        report = pit_mlir.explain(records[0].parts[0].text, target="cpu")
        self.assertIn("visits only what is live", str(report["ops"]))

    def test_more_than_was_promised(self):
        """A gate with more experts than at_most is an error, not a wrong result."""
        x, gate, w1, w2 = torch.randn(8, 16), torch.ones(8, 4), torch.randn(4, 16, 8), torch.randn(4, 8, 16)
        with self.assertRaises(pit_mlir.ExecutionError), torch.no_grad():
            pit_mlir.experts(x, gate, w1, w2, at_most=1)

    def test_module_of_experts(self):
        layer = pit_mlir.torch.Experts(16, 8, 4, 2)
        x = torch.randn(2, 5, 16)
        expected = layer(x)
        compiled = torch.compile(layer, backend="pit", options={"fallback": "error"})
        found = compiled(x)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
        found.square().sum().backward()
        self.assertTrue(all(p.grad is not None and torch.isfinite(p.grad).all() for p in layer.parameters()))

    def test_attention(self):
        q, k, v = (torch.randn(2, 3, 12, 8) for _ in range(3))
        mask = torch.ones(12, 12, dtype=torch.bool).tril()
        sdpa = nn.functional.scaled_dot_product_attention
        self.check(lambda q, k, v: pit_mlir.attention(q, k, v, mask), lambda q, k, v: sdpa(q, k, v, mask), q, k, v)
        bias = torch.randn(12, 12)
        with torch.no_grad():
            torch.testing.assert_close(pit_mlir.attention(q, k, v, bias), sdpa(q, k, v, bias), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(pit_mlir.attention(q, k, v, scale=0.5), sdpa(q, k, v, scale=0.5), rtol=1e-4, atol=1e-5)

    def test_linear(self):
        x, w, bias = torch.randn(3, 10, 8), torch.randn(6, 8), torch.randn(6)
        lengths = torch.tensor([4, 0, 10])
        live = (torch.arange(10) < lengths[:, None]).unsqueeze(-1)

        def reference(x, w, bias):
            return torch.where(live, x @ w.T + bias, 0.0)

        self.check(lambda *a: pit_mlir.linear(*a, lengths=lengths), reference, x, w, bias)
        self.check(lambda *a: pit_mlir.linear(*a, mask=live[..., 0]), reference, x, w, bias)
        layer = pit_mlir.torch.Linear(8, 6)
        with torch.no_grad():
            torch.testing.assert_close(layer(x, lengths=lengths), torch.where(live, nn.Linear.forward(layer, x), 0.0), rtol=1e-4, atol=1e-5)
            # What lies behind the lengths is not read, whatever it is.
            dirty = torch.where(live, x, torch.nan)
            torch.testing.assert_close(layer(dirty, lengths=lengths), layer(x, lengths=lengths))

    def test_refused(self):
        x, gate, w1, w2 = torch.randn(8, 16), torch.ones(8, 4), torch.randn(4, 16, 8), torch.randn(4, 8, 16)
        for call, words in (
            (lambda: pit_mlir.experts(x, gate[:3], w1, w2), "gate: expected"),
            (lambda: pit_mlir.experts(x, gate, w1, w1), "w2: expected"),
            (lambda: pit_mlir.experts(x, gate, w1, w2, act="swish"), "act: expected one of relu"),
            (lambda: pit_mlir.attention(x, x, x[0]), "one rank"),
            (lambda: pit_mlir.attention(x, x[:, :3], x), "do not fit"),
            (lambda: pit_mlir.linear(x, w1[0]), "lengths or a mask"),
            (lambda: pit_mlir.linear(x, x.T, mask=x), "w: expected"),
            (lambda: pit_mlir.linear(x, x, lengths=torch.ones(8)), "rank 3"),
        ):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, words):
                call()


class Marks(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_identity(self):
        x = torch.randn(4, 6)
        self.assertIs(pit_mlir.sparse(x), x)
        mask = torch.tensor([1, 0, 1, 0])
        torch.testing.assert_close(pit_mlir.sparse(x, "mask", mask, axes=[0]), x * mask[:, None])
        torch.testing.assert_close(pit_mlir.sparse(x.T, "mask", mask, axes=[1]), (x * mask[:, None]).T)
        lengths = torch.tensor([0, 6, 2, 9])
        live = torch.arange(6) < lengths[:, None]
        torch.testing.assert_close(pit_mlir.sparse(x, "lengths", lengths, axes=[0, 1]), torch.where(live, x, 0.0))
        torch.testing.assert_close(pit_mlir.sparse(x.T, "lengths", lengths, axes=[1, 0], absent="neg_inf"), torch.where(live, x, -torch.inf).T)

    def test_inside_of_a_model(self):
        up, down = torch.randn(32, 64) * 0.2, torch.randn(64, 32) * 0.2

        def model(x):
            return pit_mlir.sparse(torch.relu(x @ up - 2), granularity=(32, 1)) @ down

        x = torch.randn(64, 32)
        with dynamo.recording() as records:
            found, expected = gradients(torch.compile(model, backend="pit", fullgraph=True, options={"fallback": "error"}), x), gradients(model, x)
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)
        self.assertIn("granularity = array<i64: 32, 1>", records[0].parts[0].text)

    def test_refused(self):
        x = torch.randn(4, 6)
        for arguments, words in (
            (dict(source="zeros"), "source: expected"),
            (dict(absent="one"), "absent: expected"),
            (dict(axes=[2]), "no axis 2"),
            (dict(axes=[0, -2]), "different axes"),
            (dict(granularity=(32,)), "granularity"),
            (dict(at_most=0), "at_most"),
            (dict(source="mask"), "takes a tensor"),
            (dict(source="mask", by=torch.ones(4)), "axes: source 'mask'"),
            (dict(source="mask", by=torch.ones(5), axes=[0]), "expected a mask"),
            (dict(source="lengths", by=torch.ones(4), axes=[0, 1]), "lengths"),
            (dict(source="mask", by=torch.ones(4), axes=[0], at_most=2), "are of source 'values'"),
        ):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, words):
                pit_mlir.sparse(x, **arguments)


class HuggingFace(unittest.TestCase):
    def test_blocks(self):
        try:
            import transformers
            from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock
        except ImportError:
            self.skipTest("transformers is not installed")
        pit_mlir.torch.register_hugging_face()
        torch.manual_seed(0)
        made = transformers.MixtralConfig(hidden_size=16, intermediate_size=24, num_local_experts=4, num_experts_per_tok=2)
        made._experts_implementation = "eager"
        block = MixtralSparseMoeBlock(made).eval()
        for parameter in block.parameters():
            nn.init.normal_(parameter, std=0.2)
        x = torch.randn(2, 5, 16)
        with torch.no_grad():
            expected = block(x)
            made._experts_implementation = "pit"
            for run in (block, torch.compile(block, backend="pit")):
                torch._dynamo.reset()
                found = run(x)
                for a, b in zip(found if isinstance(found, tuple) else [found], expected if isinstance(expected, tuple) else [expected]):
                    torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)

    def test_switch(self):
        """Its experts are modules, looped over in Python: one graph with one line."""
        try:
            import transformers
        except ImportError:
            self.skipTest("transformers is not installed")
        torch.manual_seed(0)
        made = transformers.SwitchTransformersConfig(d_model=16, d_kv=8, d_ff=24, num_layers=2, num_heads=2, num_experts=4, vocab_size=50, num_sparse_encoder_layers=1, expert_capacity=64)
        model = transformers.SwitchTransformersEncoderModel(made).eval()
        ids, mask = torch.randint(0, 50, (2, 9)), torch.tensor([[1] * 9, [1] * 4 + [0] * 5])
        with torch.no_grad():
            expected = model(input_ids=ids, attention_mask=mask)[0]
            self.assertIs(pit_mlir.torch.use_experts(model), model)
            with dynamo.recording() as records:
                found = torch.compile(model, backend="pit")(input_ids=ids, attention_mask=mask)[0]
        torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)
        self.assertEqual([record.left for record in records], [[]])
        with self.assertRaises(pit_mlir.Error):
            pit_mlir.torch.use_experts(nn.Linear(2, 2))

    def test_a_model(self):
        try:
            import transformers
        except ImportError:
            self.skipTest("transformers is not installed")
        pit_mlir.torch.register_hugging_face()
        torch.manual_seed(0)
        made = transformers.BertConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, vocab_size=50)
        made._attn_implementation = "eager"
        model = transformers.BertModel(made).eval()
        ids, mask = torch.randint(0, 50, (2, 9)), torch.tensor([[1] * 9, [1] * 4 + [0] * 5])
        with torch.no_grad():
            expected = model(input_ids=ids, attention_mask=mask).last_hidden_state
            with dynamo.recording() as records:
                found = torch.compile(model, backend="pit")(input_ids=ids, attention_mask=mask).last_hidden_state
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)
            self.assertGreater(sum(r.compiled_products for r in records), 0)
            model.set_attn_implementation("pit")
            torch._dynamo.reset()
            found = torch.compile(model, backend="pit")(input_ids=ids, attention_mask=mask).last_hidden_state
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
