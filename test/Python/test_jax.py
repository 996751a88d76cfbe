# ===- test_jax.py - pit_mlir.jax.jit against jax.jit -----------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""pit_mlir.jax.jit against jax.jit: values, gradients, and what falls back."""

import logging
import unittest
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np

import pit_mlir
import pit_mlir.jax
from pit_mlir.jax import importer


def experts(x, router, up, down):
    """Each token at the expert of its largest gate; written for all of them."""
    p = jax.nn.softmax(x @ router)
    gate = jax.nn.one_hot(p.argmax(-1), router.shape[1]) * p
    hidden = jax.nn.relu(jnp.einsum("td,edf->tef", x, up))
    return jnp.einsum("te,tef,efd->td", gate, hidden, down)


def attention(q, k, v, mask):
    scores = jnp.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype("f")


EXPERTS = (normal(20, 8), normal(8, 4, seed=1), normal(4, 8, 6, seed=2) * 0.5, normal(4, 6, 8, seed=3) * 0.5)


class Jit(unittest.TestCase):
    def check(self, function, *args, **options):
        found = pit_mlir.jax.jit(function, fallback="error", **options)(*args)
        expected = jax.jit(function)(*args)
        jax.tree_util.tree_map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), found, expected)
        self.assertTrue(all(isinstance(leaf, jax.Array) for leaf in jax.tree_util.tree_leaves(found)))

    def test_values(self):
        self.check(experts, *EXPERTS)
        q = normal(2, 12, 8)
        self.check(attention, q, normal(2, 12, 8, seed=1), normal(2, 12, 8, seed=2), np.tri(12, dtype=bool))
        self.check(lambda x: (x.sum(), {"y": x * 2, "n": x.astype(jnp.int32)}), normal(3, 4))
        self.check(lambda x, s: x * s, normal(3), 2.5)

    def test_bf16(self):
        x, w = jnp.asarray(normal(5, 8), jnp.bfloat16), jnp.asarray(normal(8, 4, seed=1), jnp.bfloat16)
        found = pit_mlir.jax.jit(lambda x, w: x @ w, fallback="error")(x, w)
        self.assertEqual(found.dtype, jnp.bfloat16)
        np.testing.assert_allclose(found.astype("f"), (x @ w).astype("f"), rtol=0.02, atol=0.02)

    def test_masks_are_found(self):
        q = jax.ShapeDtypeStruct((2, 64, 8), jnp.float32)
        text = importer.to_mlir(attention, [q, q, q, jax.ShapeDtypeStruct((64, 64), jnp.bool_)])
        report = pit_mlir.explain(text, target="cpu", pipeline="dense-variants=false")
        self.assertIn("visits only what is live", str(report["ops"]))

    def test_gradients(self):
        def loss(f):
            return lambda *args: (f(*args) ** 2).sum()

        compiled = pit_mlir.jax.jit(experts, fallback="error")
        found = jax.grad(loss(compiled), argnums=(0, 1, 2, 3))(*EXPERTS)
        expected = jax.grad(loss(experts), argnums=(0, 1, 2, 3))(*EXPERTS)
        for a, b in zip(found, expected):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)

    def test_gradients_with_integers(self):
        def pick(x, mask, w):
            return jnp.where(mask[:, None] > 0, x, 0) @ w

        x, mask, w = normal(6, 4), np.array([1, 0, 1, 0, 0, 1]), normal(4, 3, seed=1)
        compiled = pit_mlir.jax.jit(pick, fallback="error")
        found = jax.grad(lambda x: compiled(x, mask, w).sum())(x)
        np.testing.assert_allclose(found, jax.grad(lambda x: pick(x, mask, w).sum())(x), rtol=1e-4, atol=1e-5)

    def test_second_derivatives(self):
        f = lambda x: jnp.tanh(x) ** 2  # noqa: E731
        compiled = pit_mlir.jax.jit(f, fallback="error")
        x = normal(3)
        found = jax.grad(lambda x: jax.grad(lambda x: compiled(x).sum())(x).sum())(x)
        expected = jax.grad(lambda x: jax.grad(lambda x: f(x).sum())(x).sum())(x)
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)

    def test_inside_jit(self):
        compiled = pit_mlir.jax.jit(experts, fallback="error")
        found = jax.jit(lambda *args: compiled(*args) + 1)(*EXPERTS)
        np.testing.assert_allclose(found, experts(*EXPERTS) + 1, rtol=1e-4, atol=1e-5)
        found = jax.jit(jax.grad(lambda x: compiled(x, *EXPERTS[1:]).sum()))(EXPERTS[0])
        expected = jax.grad(lambda x: experts(x, *EXPERTS[1:]).sum())(EXPERTS[0])
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)

    def test_shapes_and_constants(self):
        compiled = pit_mlir.jax.jit(lambda x, n: x * n, static_argnums=1, fallback="error")
        for shape in ((3,), (4, 2), (3,)):
            for n in (2, 3):
                x = normal(*shape)
                np.testing.assert_allclose(compiled(x, n), x * n, rtol=1e-6)

    def test_fallback(self):
        function = lambda x: jnp.fft.fft(x).real  # noqa: E731
        with self.assertLogs("pit_mlir", logging.WARNING) as logs:
            compiled = pit_mlir.jax.jit(function)
            for _ in range(2):
                np.testing.assert_allclose(compiled(normal(8)), function(normal(8)), rtol=1e-4, atol=1e-5)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("fft", logs.output[0])
        with self.assertRaises(pit_mlir.Error):
            pit_mlir.jax.jit(function, fallback="error")(normal(8))
        with mock.patch.object(importer.subprocess, "run", return_value=mock.Mock(returncode=-11, stderr="", stdout="")):
            with self.assertRaisesRegex(pit_mlir.ImporterError, "died of signal 11"):
                pit_mlir.jax.jit(lambda x: x * 3.25, fallback="error")(normal(7))

    def test_refused(self):
        for options in ({"fallback": "maybe"}, {"strikt": True}):
            with self.assertRaises(pit_mlir.ArgumentError):
                pit_mlir.jax.jit(experts, **options)


if __name__ == "__main__":
    unittest.main()
