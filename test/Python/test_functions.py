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

    def test_angles(self):
        run = pit_mlir.compile(
            """
func.func @main(%y: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %r = math.atan2 %y, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}""",
            target="cpu",
        )
        ends = np.array([0, -0.0, 1, -1, 1e-30, -1e30, np.inf, -np.inf, 3e38], "f")
        pairs = np.array([(y, x) for y in ends for x in ends], "f")
        pairs = np.concatenate([pairs, np.random.default_rng(0).standard_normal((1000, 2)).astype("f")])
        y, x = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        found, expected = run(y, x), np.arctan2(y.astype(np.float64), x.astype(np.float64))
        np.testing.assert_allclose(found, expected, rtol=4e-7, atol=1e-37)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
        self.assertTrue(np.isnan(run(np.array([np.nan, 1], "f"), np.array([1, np.nan], "f"))).all())

    def test_f64_to_bf16(self):
        """Rounded once. f32 would round the first of each pair to a tie of bf16."""
        run = pit_mlir.compile(
            """
func.func @main(%x: tensor<?xf64>) -> tensor<?xbf16> {
  %y = arith.truncf %x : tensor<?xf64> to tensor<?xbf16>
  return %y : tensor<?xbf16>
}""",
            target="cpu",
        )
        tie, little = 1 + 2.0**-8, 2.0**-40
        values = [tie + little, tie, tie - little, -tie - little, tie + 2.0**-7 - little, 1e300, -1e300, 1e-300, 0.1, 3.3895313892515355e38, np.inf, np.nan]
        bits = np.asarray(run(np.array(values))).view(np.uint16)
        expected = [0x3F81, 0x3F80, 0x3F80, 0xBF81, 0x3F81, 0x7F80, 0xFF80, 0, 0x3DCD, 0x7F7F, 0x7F80]
        self.assertEqual([hex(n) for n in bits[:-1]], [hex(n) for n in expected])
        self.assertTrue((bits[-1] & 0x7FFF) > 0x7F80)


if __name__ == "__main__":
    unittest.main()
