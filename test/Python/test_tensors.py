# ===- test_tensors.py - Programs on torch's tensors -------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Programs of MLIR on torch's tensors: values, layouts, what is refused."""

import unittest

import torch
from torch import nn

import pit_mlir
import programs


class Tensors(unittest.TestCase):
    """Programs of MLIR on torch's tensors."""

    def test_values(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        a, b = torch.randn(3, 4), torch.randn(3, 4)
        self.assertTrue(torch.equal(add(a, b), a + b))
        self.assertTrue(torch.equal(add(a, b.numpy()), a + b))
        self.assertTrue(torch.equal(add(torch.randn(0, 4), torch.randn(0, 4)), torch.zeros(0, 4)))
        wide = torch.randn(3, 8)
        self.assertTrue(torch.equal(add(wide[:, ::2], torch.randn(4, 3).T * 0), wide[:, ::2]))
        y = torch.empty(3, 4)
        self.assertIs(add(a, b, out=[y]), y)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "shares memory"):
            add(a, b, out=[a])

    def test_bf16(self):
        program = pit_mlir.compile(programs.SCALED.replace("TYPE", "bf16").replace("OP", "mul"), "cpu")
        x = torch.tensor([1, -2, 0.5], dtype=torch.bfloat16)
        self.assertTrue(torch.equal(program(x, 1.5), x * 1.5))

        class Exported:
            """DLPack without anything of torch's."""

            def __dlpack__(self, **options):
                return x.__dlpack__()

            def __dlpack_device__(self):
                return x.__dlpack_device__()

        y = program(Exported(), 1.5)
        self.assertTrue(torch.equal(torch.from_numpy(y.view("i2")).view(torch.bfloat16), x * 1.5))

    def test_negated_views(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        x = torch.randn(3, 4, dtype=torch.complex64).conj().imag
        self.assertTrue(x.is_neg())
        self.assertTrue(torch.equal(add(x, torch.zeros(3, 4)), x.clone()))

    def test_refused(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        a = torch.randn(3, 4)
        for wrong, words in (
            (a.double(), r"expected f32 \[\?, 4\], got float64 \[3, 4\] on cpu"),
            (a.to_sparse(), "layout sparse_coo"),
            (a.to("meta"), "on meta"),
            (a[0], r"\[4\]"),
            (nn.Parameter(a), "requires a gradient, and the program has no backward"),
            (torch.nested.nested_tensor([a[0], a[1]]) if hasattr(torch, "nested") else None, "argument 1"),
        ):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, words):
                add(a, wrong)
        from torch._subclasses import FakeTensorMode

        with FakeTensorMode():
            fake = torch.empty(3, 4)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "FakeTensor"):
            add(a, fake)
        with torch.no_grad():
            self.assertTrue(torch.equal(add(a, nn.Parameter(a)), 2 * a))
        with self.assertRaises(pit_mlir.Error):
            torch.func.vmap(add)(a.unsqueeze(0), a.unsqueeze(0))


if __name__ == "__main__":
    unittest.main()
