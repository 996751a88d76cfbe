# ===- test_jax.py - pit_mlir.jax.jit against jax.jit -----------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""pit_mlir.jax.jit against jax.jit: values, gradients, and what falls back."""

import concurrent.futures
import functools
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


def top_k_experts(x, router, up, down):
    """Each token at the two experts of its largest gates, whose weights add up to 1."""
    values, places = jax.lax.top_k(jax.nn.softmax(x @ router), 2)
    values /= values.sum(-1, keepdims=True)
    gate = (jax.nn.one_hot(places, router.shape[1]) * values[..., None]).sum(-2)
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

    def test_calls_are_xlas(self):
        """Inside jax.jit a program is one call of XLA, and no callback of the host."""
        compiled = pit_mlir.jax.jit(experts, fallback="error")
        text = jax.jit(lambda *args: compiled(*args) + 1).lower(*EXPERTS).as_text()
        self.assertEqual(text.count("stablehlo.custom_call @pit_"), 1)
        self.assertNotIn("callback", text)
        self.assertNotIn("dot_general", text)
        text = jax.jit(jax.grad(lambda x: compiled(x, *EXPERTS[1:]).sum())).lower(EXPERTS[0]).as_text()
        # The derivative computes the forward again; XLA leaves out the call whose result nobody reads.
        self.assertIn("stablehlo.custom_call @pit_", text)
        self.assertNotIn("dot_general", text)

    def test_vmap_and_scan(self):
        compiled = pit_mlir.jax.jit(experts, fallback="error")
        x = normal(3, 20, 8)
        found = jax.vmap(compiled, in_axes=(0, None, None, None))(x, *EXPERTS[1:])
        expected = jax.vmap(experts, in_axes=(0, None, None, None))(x, *EXPERTS[1:])
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
        found, _ = jax.lax.scan(lambda x, _: (compiled(x, *EXPERTS[1:]), None), EXPERTS[0], None, length=3)
        expected, _ = jax.lax.scan(lambda x, _: (experts(x, *EXPERTS[1:]), None), EXPERTS[0], None, length=3)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)

    def test_calls_of_threads(self):
        """Calls of several threads at once, on XLA's threads."""
        compiled = jax.jit(pit_mlir.jax.jit(attention, fallback="error"))
        mask = np.tri(64, dtype=bool)
        inputs = [tuple(normal(2, 64, 8, seed=3 * n + k) for k in range(3)) for n in range(8)]
        compiled(*inputs[0], mask)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda each: [compiled(*each, mask) for _ in range(20)][-1], inputs))
        for each, of in zip(inputs, found):
            np.testing.assert_allclose(of, attention(*each, mask), rtol=1e-4, atol=1e-5)

    def test_types(self):
        values = np.arange(-3, 5)
        for kind in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "bool", "float16", "bfloat16", "float32"):
            x = jnp.asarray(values).astype(kind)
            found = pit_mlir.jax.jit(lambda m, x, y: jnp.where(m, x, y), fallback="error")(values > 2, x, x[::-1])
            self.assertEqual(found.dtype, x.dtype)
            np.testing.assert_array_equal(found, jnp.where(values > 2, x, x[::-1]), kind)

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


class Gates(unittest.TestCase):
    """Choices of experts, as programs of JAX have them, are found without a mark."""

    def visits(self, function, *shapes):
        text = importer.to_mlir(function, [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes])
        report = pit_mlir.explain(text, target="cpu", pipeline="dense-variants=false")
        return str(report["ops"]).count("visits only what is live")

    def test_argmax(self):
        self.assertGreaterEqual(self.visits(experts, *(x.shape for x in EXPERTS)), 2)

    def test_top_k(self):
        self.assertGreaterEqual(self.visits(top_k_experts, *(x.shape for x in EXPERTS)), 2)
        found = pit_mlir.jax.jit(top_k_experts, fallback="error")(*EXPERTS)
        np.testing.assert_allclose(found, top_k_experts(*EXPERTS), rtol=1e-4, atol=1e-5)

    def test_top_k_orders(self):
        """NaN is the largest, equal ones are in the order of their places, and infinities are numbers."""
        rows = [[1, 3, 3, -0.0, 3, 0.0], [np.nan, 1, np.inf, np.nan, 2, 3], [-np.inf] * 6, [-np.inf, 1, -np.inf, -2, -np.inf, -np.inf]]
        for kind in ("float32", "bfloat16", "float16"):
            x = jnp.asarray(rows, kind)
            for k in (1, 3, 6):
                values, places = pit_mlir.jax.jit(lambda x, k=k: jax.lax.top_k(x, k), fallback="error")(x)
                expected = jax.lax.top_k(x, k)
                np.testing.assert_array_equal(values.astype("f"), expected[0].astype("f"))
                np.testing.assert_array_equal(places, expected[1])
        x = np.array([[3, -7, 3, 9], [-1, -(2**31), 4, 4]], "i")
        found = pit_mlir.jax.jit(lambda x: jax.lax.top_k(x, 3), fallback="error")(x)
        np.testing.assert_array_equal(found[1], jax.lax.top_k(x, 3)[1])


class Marks(unittest.TestCase):
    def test_values(self):
        def f(x, w, v, **mark):
            return pit_mlir.jax.sparse(jax.nn.relu(x @ w), **mark) @ v

        x, w, v = normal(64, 32), normal(32, 64, seed=1), normal(64, 32, seed=2)
        shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (x, w, v)]
        text = importer.to_mlir(functools.partial(f, granularity=(1, 8), axes=(0, 1)), shapes)
        self.assertIn('granularity = array<i64: 1, 8>', text)
        report = pit_mlir.explain(text, target="cpu", pipeline="dense-variants=false")
        self.assertIn("visits only what is live", str(report["ops"]))
        compiled = pit_mlir.jax.jit(f, fallback="error")
        np.testing.assert_allclose(compiled(x, w, v), f(x, w, v), rtol=1e-3, atol=1e-3)
        for of in (f, compiled):
            found = jax.grad(lambda *args: (of(*args) ** 2).sum(), argnums=(0, 1, 2))(x, w, v)
            expected = jax.grad(lambda x, w, v: ((jax.nn.relu(x @ w) @ v) ** 2).sum(), argnums=(0, 1, 2))(x, w, v)
            for a, b in zip(found, expected):
                np.testing.assert_allclose(a, b, rtol=1e-3, atol=2e-2)

    def test_vmap(self):
        """Axes of a mark are those of the array as it is with the batch."""
        mark = lambda x: pit_mlir.jax.sparse(x, axes=(1,))  # noqa: E731
        x = jax.ShapeDtypeStruct((3, 4, 5), jnp.float32)
        self.assertIn("axes = array<i64: 2>", importer.to_mlir(jax.vmap(mark), [x]))
        self.assertIn("axes = array<i64: 1>", importer.to_mlir(jax.vmap(mark, in_axes=2, out_axes=2), [x]))

    def test_masks_and_lengths(self):
        x, mask, lengths = normal(4, 6, 5), np.arange(4) % 2 == 0, np.array([6, 0, 3, 1])
        found = pit_mlir.jax.sparse(x, "mask", mask, axes=[0])
        np.testing.assert_array_equal(found, np.where(mask[:, None, None], x, 0))
        found = pit_mlir.jax.sparse(x, "lengths", lengths, axes=[0, 1], absent="neg_inf")
        np.testing.assert_array_equal(found, np.where((np.arange(6) < lengths[:, None])[..., None], x, -np.inf))
        found = pit_mlir.jax.sparse(x, "mask", normal(5, 4) > 0, axes=[2, 0])
        np.testing.assert_array_equal(found, np.where((normal(5, 4) > 0).T[:, None, :], x, 0))

    def test_refused(self):
        x = normal(3, 4)
        for arguments in (
            {"absent": "one"},
            {"source": "rows"},
            {"axes": (0, 0)},
            {"axes": (2,)},
            {"by": x},
            {"granularity": (1,)},
            {"at_most": 0},
            {"source": "mask", "by": x},
            {"source": "mask", "axes": [0], "by": x},
            {"source": "mask", "axes": [0]},
            {"source": "lengths", "axes": [0, 1], "by": x},
            {"source": "mask", "axes": [0], "by": x[:, 0], "at_most": 1},
        ):
            with self.assertRaises(pit_mlir.ArgumentError, msg=str(arguments)):
                pit_mlir.jax.sparse(x, **arguments)


PICK = """
func.func @main(%x: tensor<?xf32>, %n: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %n, %c0 : tensor<?xi64>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%n : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%k: i64, %o: f32):
    %i = arith.index_cast %k : i64 to index
    %v = tensor.extract %x[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@jax.enable_x64(True)
class Calls(unittest.TestCase):
    """Programs of MLIR in functions of JAX."""

    def test_values(self):
        program = pit_mlir.compile(PICK, target="cpu")
        x, n = normal(5), np.array([4, 0, 4])
        found = jax.jit(lambda x, n: pit_mlir.jax.call(program, x, n) * 2)(x, n)
        np.testing.assert_array_equal(found, x[n] * 2)

    def test_scalars(self):
        text = "func.func @main(%x: tensor<3xf32>, %s: f32) -> (tensor<3xf32>, f32) {{ {} }}".format(
            "%t = tensor.splat %s : tensor<3xf32> %y = arith.addf %x, %t : tensor<3xf32> %u = arith.addf %s, %s : f32"
            " return %y, %u : tensor<3xf32>, f32"
        )
        program = pit_mlir.compile(text, target="cpu")
        y, u = jax.jit(lambda x: pit_mlir.jax.call(program, x, np.float32(1.5)))(normal(3))
        np.testing.assert_array_equal(y, normal(3) + np.float32(1.5))
        self.assertEqual(float(u), 3)

    def test_errors_are_xlas(self):
        program = pit_mlir.compile(PICK, target="cpu")
        call = jax.jit(lambda x, n: pit_mlir.jax.call(program, x, n))
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "OUT_OF_RANGE: main: .*reads index 7 of dimension 0, which is 5"):
            jax.block_until_ready(call(normal(5), np.array([7, 0])))
        # The error was that call's alone.
        np.testing.assert_array_equal(call(normal(5), np.array([1, 0])), normal(5)[[1, 0]])

    def test_refused(self):
        program = pit_mlir.compile(PICK, target="cpu")
        for arguments in ((normal(5),), (normal(5), normal(5)), (normal(5, 2), np.array([1]))):
            with self.assertRaises(pit_mlir.ArgumentError):
                pit_mlir.jax.call(program, *arguments)


if __name__ == "__main__":
    unittest.main()
