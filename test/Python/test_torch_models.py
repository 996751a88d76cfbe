# ===- test_torch_models.py - pit_mlir.compile, export and explain ---------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""pit_mlir.compile, pit_mlir.explain of models, and models as folders."""

import os
import sys
import tempfile
from unittest import mock

import torch
from small_models import Compared, Experts, Mlp, run
from torch import nn

import pit_mlir
import pit_mlir.torch
from pit_mlir.torch import dynamo


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

    def test_constants_of_a_folder(self):
        """What a model makes of Python's numbers is neither an input nor the model's."""
        model, x = Mlp(lambda x: x * torch.tensor([1.0, -2.0] * 8) + torch.tensor(0.5)), torch.randn(5, 8)
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            pit_mlir.torch.export(model, (x,), folder, target="cpu")
            run = pit_mlir.torch.load(folder, model)
            for _ in range(2):
                torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)
            os.remove(os.path.join(folder, "constants.pt"))
            with self.assertRaisesRegex(pit_mlir.Error, "constants.pt"):
                pit_mlir.torch.load(folder, model)

    def test_a_cache_for_another_machine(self):
        """Filled here for tensors on a GPU that is not there, and used without an importer or a compiler."""

        def make():
            return Experts(), (torch.randn(9, 16),), {}

        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PIT_MLIR_CACHE": folder, "PIT_MLIR_BUILD": "a test's"}):
            for target in ("cuda:sm_90a", "cpu:x86-64"):
                records = pit_mlir.torch.fill_cache(make, target, fallback="error")
                self.check_whole(records, ["inference"])
                self.assertEqual(str(records[0].parts[0].target), target)
            with mock.patch.dict(sys.modules, {"torch_mlir": None}), mock.patch.dict(os.environ, {"PIT_MLIR_COMPILER": "/nothing"}), torch.no_grad():
                self.check_whole(self.compare(*make()[:1], *make()[1], backward=False, fallback="error", target="cpu:x86-64"), ["inference"])
                with self.assertRaises(Exception) as caught:
                    self.compare(Mlp(), torch.randn(5, 8), backward=False, fallback="error", target="cpu:x86-64")
                self.assertIn("torch-mlir is not installed", str(caught.exception))

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


if __name__ == "__main__":
    run()
