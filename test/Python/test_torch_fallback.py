# ===- test_torch_fallback.py - What is left to torch ----------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What does not compile runs as before."""

import functools
import logging
import os
import sys
import tempfile
from unittest import mock

import torch
from small_models import Compared, Mlp, run
from torch import nn

import pit_mlir.torch  # noqa: F401, registers the backend
from pit_mlir.torch import dynamo, importer, partition


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

    def test_what_was_refused_is_kept(self):
        """An op that the importer blames is asked about once, also where there is no importer; another version is asked again."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PIT_MLIR_CACHE": folder}), torch.no_grad():
            model, x = Mlp(torch.special.bessel_j0), torch.randn(7, 8)
            self.compare(model, x, backward=False)
            torch._dynamo.reset()
            with mock.patch.dict(sys.modules, {"torch_mlir": None}):
                records = self.compare(model, x, backward=False)
            self.assertEqual(records[0].compiled_products, 2)
            self.assertIn("bessel_j0", str(records[0].left))
            with mock.patch.object(importer, "_version", lambda: "another"), mock.patch.object(importer, "import_graph", wraps=importer.import_graph) as asked:
                for count in (1, 1):
                    torch._dynamo.reset()
                    self.compare(model, x, backward=False)
                    self.assertEqual(asked.call_count, count)

    def test_places_of_what_is_refused(self):
        """MLIR prints every place of a call; the innermost is the user's."""
        text = 'loc(callsite("a.py":402:0 at callsite("b.py":573:0 at "c.py":7:0))): error: failed to legalize operation \'torch.aten.histc\''
        self.assertEqual(importer._first_line(text), "a.py:402: failed to legalize operation 'torch.aten.histc'")
        self.assertEqual(importer._first_line("error: unknown"), "error: unknown")

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
    run()
