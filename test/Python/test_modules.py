# ===- test_modules.py - Dynamic modules, and modules made at random --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""torch.compile(backend="pit") of modules with dynamic extents, of operations that are taken apart, and of modules made at random."""

import logging
import os
import tempfile
import unittest

import torch
from torch.nn import functional as F

import pit_mlir.torch  # noqa: F401
import random_modules.__main__ as random_modules
from pit_mlir.torch import dynamo
from pit_mlir.torch.extents import match_axes
from small_models import Compared, Encoder


class Dynamic(Compared):
    def run_dynamic(self, function, *calls, graphs=1, tolerance=1e-5):
        compiled = torch.compile(function, backend="pit", dynamic=True, options={"fallback": "error", "least_products": 0})
        with dynamo.recording() as records, torch.no_grad():
            for inputs in calls:
                for found, expected in zip(*map(torch.utils._pytree.tree_leaves, (compiled(*inputs), function(*inputs)))):
                    torch.testing.assert_close(found, expected, rtol=1e-4, atol=tolerance)
                    self.assertEqual(found.stride(), expected.stride())
        self.assertEqual(len(records), graphs)

    def test_encoder(self):
        model = Encoder()
        compiled = torch.compile(model, backend="pit", dynamic=True, options={"fallback": "error"})
        with dynamo.recording() as records:
            for batch, length in ((4, 12), (3, 9), (5, 20)):
                x, lengths = torch.randn(batch, length, 32), torch.randint(1, length + 1, (batch,))
                found, expected = compiled(x, lengths), model(x, lengths)
                torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
                pairs = zip(*(torch.autograd.grad(y.sum(), list(model.parameters())) for y in (found, expected)))
                for a, b in pairs:
                    torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)
        self.check_whole(records, ["forward", "backward"])

    def test_attention(self):
        """Heads, rows and columns that are all unknown: batches are joined, and parted again."""
        self.run_dynamic(lambda q, k: F.scaled_dot_product_attention(q, k, k), *((torch.randn(b, h, n, 8), torch.randn(b, h, m, 8)) for b, h, n, m in ((2, 3, 5, 4), (3, 2, 7, 9))))

    def test_reshapes(self):
        self.run_dynamic(lambda x: (x.flatten(0, 1) * 2, (x + 1).reshape(x.shape[0], -1), x.exp().unsqueeze(1).flatten(1, 2), (x * 3).reshape(x.shape[1], x.shape[2], x.shape[0]), x.sin().reshape(1, -1, x.shape[2])), (torch.randn(2, 3, 4),), (torch.randn(5, 7, 6),))

    def test_views_at_symbolic_places(self):
        """They stay views of the argument, at their own place."""
        self.run_dynamic(lambda x: (x * 2, x[x.shape[0] // 2 :], *x.chunk(2), x[1 : x.shape[0] - 1].t()), (torch.randn(5, 4),), (torch.randn(8, 3),))
        x = torch.arange(6.0)
        view = torch.compile(lambda x: (x + 1, x[x.shape[0] // 2 :]), backend="pit", dynamic=True, options={"least_products": 0})(x)[1]
        view[0] = 9
        self.assertEqual(x[3], 9)

    def test_splits_and_rolls(self):
        self.run_dynamic(lambda x: (*torch.split(x * 2, 2, 0), torch.roll(x, 1, 0), torch.roll(x, -2, 1)), (torch.randn(4, 6),), (torch.randn(6, 9),), graphs=2)

    def test_axes_of_reshapes(self):
        for before, after, groups in (
            ([2, 3, 4], [6, 4], [([0, 1], [0]), ([2], [1])]),
            ([6, 4], [2, 3, 4], [([0], [0, 1]), ([1], [2])]),
            ([5, 1], [5], [([0, 1], [0])]),
            ([4, 6], [6, 4], [([0, 1], [0, 1])]),
            ([4], [3], None),
        ):
            self.assertEqual(match_axes(before, after), groups)


class TakenApart(Compared):
    """Operations in simpler ones, or left to torch by their name."""

    def check_all(self, function, *inputs, tolerance=1e-6):
        compiled = torch.compile(function, backend="pit", options={"fallback": "error", "least_products": 0})
        torch.testing.assert_close(compiled(*inputs), function(*inputs), rtol=tolerance, atol=tolerance)

    def test_less_than_all(self):
        """torch-mlir drops a padding that leaves the shape as it is."""
        x = torch.arange(12.0).reshape(3, 4)
        for pad in ((-1, 1), (1, -1), (-1, -1), (-1, 2, 1, -1), (-1, 0)):
            torch._dynamo.reset()
            self.check_all(lambda x, pad=pad: F.pad(x * 2, pad, value=1.5), x)

    def test_truth_of_a_number(self):
        """torch-mlir cuts the bits of a number that fills a tensor of truth values."""
        self.check_all(lambda: (torch.full((3,), 6, dtype=torch.bool), torch.full((2,), 0.5, dtype=torch.bool), torch.full((2,), 0, dtype=torch.bool)))

    def test_weights_of_samples(self):
        """torch-mlir drops them: the operation is left to torch."""
        w, index, bags, weights = torch.randn(10, 5), torch.tensor([1, 2, 4, 5, 4]), torch.tensor([0, 3]), torch.randn(5)

        def function(w, index, bags, weights):
            return F.embedding_bag(index, w, bags, mode="sum", per_sample_weights=weights) * 2

        compiled = torch.compile(function, backend="pit", options={"least_products": 0})
        torch.testing.assert_close(compiled(w, index, bags, weights), function(w, index, bags, weights))

    def test_sums_of_attention(self):
        """torch's own decomposition gives the weights in the place of what gradients are computed of."""
        q = torch.randn(1, 2, 5, 8)
        function = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
        compiled = torch.compile(lambda q: function(q, q, q), backend="pit", options={"least_products": 0})
        for found, expected in zip(compiled(q), function(q, q, q)):
            torch.testing.assert_close(found, expected)

    def test_gelu_by_tanh(self):
        """torch-mlir has five digits of its constants."""
        for dtype, tolerance in ((torch.float32, 5e-7), (torch.float64, 1e-14)):
            torch._dynamo.reset()
            self.check_all(lambda x: F.gelu(x, approximate="tanh"), torch.linspace(-4, 4, 101, dtype=dtype), tolerance=tolerance)

    def test_numbers_beside_f64(self):
        """torch-mlir makes a tensor of f32 of a number in front."""
        x = torch.randn(5, dtype=torch.float64)
        self.check_all(lambda x: (x * 0.1, x + 0.1, x - 0.7, x / 0.3, torch.add(x, 0.1, alpha=3), 0.1 - x, 0.1 / x, x**0.5, x.clamp(0.1, 0.7), torch.where(x > 0.1, x, 0.1), x.masked_fill(x > 0.1, 0.1), F.hardsigmoid(x), F.elu(x, 0.3), F.leaky_relu(x, 0.1), x.addcmul(x, x, value=0.1), x.lerp(x + 1, 0.1), torch.maximum(x, x.new_tensor(0.1)), F.pad(x, (1, 1), value=0.1), F.softplus(x, 0.3), torch.full_like(x, 0.1) * x), x.abs(), tolerance=1e-14)

    def test_sums_at_places(self):
        x, index, src = torch.randn(5, 4), torch.tensor([4, 0, -1]), torch.randn(3, 4)
        self.check_all(lambda x: torch.index_add(x, 0, index.abs(), src), x)
        self.check_all(lambda x: torch.index_put(x, (index,), src, accumulate=True), x)
        self.check_all(lambda x: torch.ops.aten.index_put(x, [None, index[:2] - 1], torch.ones(2)), x)
        self.check_all(lambda x: torch.scatter_add(x, 1, torch.tensor([[3, 3], [0, 1], [2, 2], [1, 0], [0, 0]]), torch.ones(5, 2)), x)

    def test_the_op_in_the_way_is_named(self):
        """torch-mlir's message names a constant next to it: the rest is compiled all the same."""
        records = self.compare(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.AvgPool1d(2)), torch.randn(2, 3, 4))
        self.assertIn("aten.avg_pool2d_backward", str([record.left for record in records]))
        self.assertEqual([record.compiled_products for record in records], [record.products for record in records])

    def test_quotients_without_a_fraction(self):
        """A quotient of f32 that is rounded may reach the next integer; what is left of a division has all its digits."""
        x, y = torch.tensor([208.2987823486328, 532.9122314453125, -7.5, 7.5, 3.0]), torch.tensor([0.8042424321174622, 0.26251834630966187, 2.0, -2.0, 0.0])
        self.check_all(lambda x, y: (torch.div(x, y, rounding_mode="floor"), torch.div(x, y, rounding_mode="trunc"), x // 0.3), x, y)
        x, y = torch.linspace(-30, 30, 101), torch.linspace(0.1, 3, 101)
        self.check_all(lambda x, y: (torch.fmod(x, y), torch.fmod(x, -0.7), torch.fmod(x, -y)), x, y)

    def test_the_angle_of_nothing(self):
        x, y = (torch.tensor(values) for values in ([0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 0.0, 3.0], [0.0, 0.0, -0.0, -0.0, 0.0, -0.0, -2.0, -3.0]))
        self.check_all(torch.atan2, x, y)

    def test_a_scatter_is_named(self):
        """The gradient of an embedding adds up rows: it is left to torch, and the products around it are compiled."""
        records = self.compare(torch.nn.Sequential(torch.nn.Embedding(30, 8), torch.nn.Linear(8, 8)), torch.randint(0, 30, (4, 20)))
        self.assertEqual([record.compiled_products for record in records], [record.products for record in records])
        # Whichever op becomes one, without a list of such.
        with dynamo.recording() as records:
            function = torch.compile(lambda x, w: torch.linalg.inv_ex(x)[0] @ w, backend="pit")
            function(torch.eye(3), torch.ones(3, 3))
        self.assertNotIn("all", [op for record in records for op, _ in record.left])

    def test_parts_without_products(self):
        with dynamo.recording() as records:
            torch.compile(lambda x: torch.sort(x.exp(), -1)[0], backend="pit", options={"least_products": 0})(torch.randn(3, 4))
        self.assertEqual(len(records[0].parts), 1)


class Random(unittest.TestCase):
    def test_some(self):
        """Right, or left to torch; see random_modules for more of them."""
        with tempfile.TemporaryDirectory() as folder:
            summary = random_modules.summarise(random_modules.run(range(20), os.path.join(folder, "reports")))
        self.assertEqual(summary["failures"], [])
        self.assertGreaterEqual(summary["outcomes"]["right"], 15)

    def test_a_crash_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PIT_RANDOM_MODULES_CRASH"] = "1"
            try:
                reports = random_modules.run(range(3), os.path.join(folder, "reports"))
            finally:
                del os.environ["PIT_RANDOM_MODULES_CRASH"]
        self.assertEqual([report["outcome"] == "crash" for report in reports], [False, True, False])


if __name__ == "__main__":
    logging.getLogger("pit_mlir").addHandler(logging.NullHandler())
    logging.getLogger("pit_mlir").propagate = False
    unittest.main()
