# ===- test_functions.py - Functions of floats against NumPy ----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Functions of floats against NumPy: their digits, for arguments of all sizes."""

import unittest

import numpy as np

import pit_mlir


def program(function):
    return f"""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %y = math.{function} %x : tensor<?xf32>
  return %y : tensor<?xf32>
}}"""


class Functions(unittest.TestCase):
    def check(self, function, reference, scales, tolerance):
        run = pit_mlir.compile(program(function), target="cpu")
        for scale in scales:
            with self.subTest(f"{function} of {scale:g}"):
                x = (np.random.default_rng(0).standard_normal(1000) * scale).astype("f")
                expected = reference(x.astype(np.float64))
                self.assertLess(np.max(np.abs(run(x) - expected) / np.abs(expected)), tolerance)
        found = run(np.array([0, np.inf, -np.inf, np.nan], "f"))
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(found, reference(np.array([0, np.inf, -np.inf, np.nan])), rtol=1e-6)

    def test_sine_and_cosine(self):
        """Positions of a text are thousands: digits of the argument are no digits lost. Each to an ulp, up to 2^28."""
        for function, reference in (("sin", np.sin), ("cos", np.cos)):
            self.check(function, reference, (1e-3, 1, 30, 1e3, 1e5, 5e7), 1.3e-7)

    def test_no_digits_are_left(self):
        x = np.array([1e12, -1e20, 3e38], "f")
        for function in ("sin", "cos"):
            self.assertLessEqual(np.max(np.abs(pit_mlir.compile(program(function), target="cpu")(x))), 1)

    def test_arc_tangent(self):
        self.check("atan", np.arctan, (1e-3, 0.4, 1, 2.4, 100, 1e20), 2.4e-7)


if __name__ == "__main__":
    unittest.main()
