# ===- test_calls.py - Calls of compiled programs with NumPy alone ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Calls of compiled programs with NumPy alone: values, types, and what is refused."""

import threading
import unittest

import numpy as np

import pit_mlir
import programs


def rows(n, m=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, m)).astype("f")


class Values(unittest.TestCase):
    def test_dynamic_extents(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        for n in (3, 0, 1, 7, 3):
            a, b = rows(n), rows(n, seed=1)
            np.testing.assert_array_equal(add(a, b), a + b)

    def test_a_mask(self):
        x, w = rows(50, 16), rows(16, 8)
        live = np.arange(50) % 3 == 0
        y = pit_mlir.compile(programs.MASKED, "cpu")(x, live, w)
        np.testing.assert_allclose(y, np.where(live[:, None], x, 0) @ w, rtol=1e-5, atol=1e-5)
        self.assertFalse(y[~live].any())

    def test_types(self):
        for type_, name, op in (("f64", "f8", "mul"), ("f16", "f2", "mul"), ("i32", "i4", "add"), ("i64", "i8", "add"), ("i8", "i1", "add")):
            program = pit_mlir.compile(programs.SCALED.replace("TYPE", type_).replace("OP", op), "cpu")
            x = np.array([1, 2, 3], name)
            y = program(x, 5)
            self.assertEqual(y.dtype, x.dtype, type_)
            np.testing.assert_array_equal(y, x * 5 if op == "mul" else x + 5)

    def test_bf16_as_bits(self):
        program = pit_mlir.compile(programs.SCALED.replace("TYPE", "bf16").replace("OP", "mul"), "cpu")
        bits = (np.array([1, -2, 0.5], "f").view("u4") >> 16).astype("u2")
        y = program(bits, 1.5)
        back = (np.asarray(y).view("u2").astype("u4") << 16).view("f")
        np.testing.assert_array_equal(back, [1.5, -3, 0.75])

    def test_entries(self):
        program = pit_mlir.compile(programs.TWO, "cpu")
        x = rows(2, 3)
        doubled, same = program["double"](x)
        np.testing.assert_array_equal(doubled, 2 * x)
        np.testing.assert_array_equal(same, x)
        np.testing.assert_array_equal(program["square"](x), x * x)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "several entry points"):
            program(x)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "no entry point 'cube'"):
            program["cube"]
        only = pit_mlir.compile(programs.TWO, "cpu", entry="square")
        np.testing.assert_array_equal(only(x), x * x)

    def test_results_are_new_memory(self):
        program = pit_mlir.compile(programs.TWO, "cpu")["double"]
        x = rows(2, 3)
        before = x.copy()
        _, same = program(x)
        same += 1
        np.testing.assert_array_equal(x, before)

    def test_prepared(self):
        add = pit_mlir.compile(programs.ADD, "cpu")["main"]
        a, b = rows(5), rows(5, seed=1)
        run, sum_ = add.prepare(a, b)
        np.testing.assert_array_equal(sum_, a + b)
        a += 1
        run()
        np.testing.assert_array_equal(sum_, a + b)
        # A copy would not see what is written later.
        wide = rows(5, 8)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "argument 0: prepare takes arrays that lie row-major"):
            add.prepare(wide[:, ::2], b)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "takes 2 arguments, not 1"):
            add.prepare(a)

    def test_out(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        a, b, y = rows(3), rows(3, seed=1), np.zeros((3, 4), "f")
        self.assertIs(add(a, b, out=[y]), y)
        np.testing.assert_array_equal(y, a + b)
        for bad, word in (
            (a, "shares memory with argument 0"),
            (np.zeros((2, 4), "f"), "expected"),
            (np.zeros((3, 8), "f")[:, ::2], "without gaps"),
            (np.zeros((3, 4)), "expected f32"),
        ):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, word):
                add(a, b, out=[bad])
        y.flags.writeable = False
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "read-only"):
            add(a, b, out=[y])

    def test_threads(self):
        add, wrong = pit_mlir.compile(programs.ADD, "cpu"), []

        def work(seed):
            for n in range(200):
                a, b = rows(n % 9, seed=seed), rows(n % 9, seed=seed + 100)
                if not np.array_equal(add(a, b), a + b):
                    wrong.append(seed)
                try:
                    add(a, rows(n % 9 + 1))
                    wrong.append("accepted")
                except pit_mlir.ArgumentError as error:
                    if str(n % 9 + 1) not in str(error):
                        wrong.append(str(error))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Threads(unittest.TestCase):
    def tearDown(self):
        pit_mlir.set_num_threads(None)

    def test_same_bits_with_any_number(self):
        rng = np.random.default_rng(3)
        x, w = rng.normal(size=(700, 16)).astype("f"), rng.normal(size=(16, 8)).astype("f")
        a, b = rng.normal(size=(2, 301, 205)).astype("f"), rng.normal(size=(2, 205, 333)).astype("f")
        live = rng.random(700) < 0.5
        masked, products = pit_mlir.compile(programs.MASKED, "cpu"), pit_mlir.compile(programs.SOFTMAX_OF_PRODUCTS, "cpu")
        pit_mlir.set_num_threads(1)
        y, z = masked(x, live, w), products(a, b)
        for threads in (2, 3, 7):
            pit_mlir.set_num_threads(threads)
            self.assertEqual(pit_mlir.get_num_threads(), threads)
            np.testing.assert_array_equal(masked(x, live, w), y)
            np.testing.assert_array_equal(products(a, b), z)
        scores = a.astype("f8") @ b.astype("f8")
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        np.testing.assert_allclose(z, scores / scores.sum(-1, keepdims=True), rtol=1e-3, atol=1e-5)

    def test_wrong_numbers(self):
        for threads in (0, -1, 1025, 2.0, "2", True):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, "threads are a number from 1 to 1024"):
                pit_mlir.set_num_threads(threads)
        pit_mlir.set_num_threads(None)
        self.assertGreaterEqual(pit_mlir.get_num_threads(), 1)


class Layouts(unittest.TestCase):
    """Arrays that do not lie row-major without gaps are copied; the result is that of the values."""

    def check(self, a, b):
        np.testing.assert_array_equal(pit_mlir.compile(programs.ADD, "cpu")(a, b), np.asarray(a) + np.asarray(b))

    def test_strides(self):
        wide = rows(6, 8)
        self.check(wide[:, ::2], wide[:, 1::2])
        self.check(wide[::-1, :4], wide[:, 3::-1])
        self.check(rows(4, 6).T, rows(6))
        self.check(np.broadcast_to(np.float32(3), (5, 4)), np.broadcast_to(rows(1), (5, 4)))

    def test_aliases(self):
        a = rows(4)
        self.check(a, a)
        b = np.lib.stride_tricks.as_strided(rows(1, 16)[0], (3, 4), (4, 4))
        self.check(b, b)

    def test_unaligned_and_read_only(self):
        raw = np.zeros(4 * 4 * 3 + 1, "u1")
        a = raw[1:].view("f").reshape(3, 4)
        a[:] = rows(3)
        self.assertFalse(a.flags.aligned)
        b = rows(3)
        b.flags.writeable = False
        self.check(a, b)

    def test_other_packages(self):
        class Interface:
            def __init__(self, array):
                self.__array_interface__, self.array = array.__array_interface__, array

        class Exported:
            """DLPack, as any package has it."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        add = pit_mlir.compile(programs.ADD, "cpu")
        a, b = rows(3), rows(3, seed=1)
        for kind in (Interface, Exported):
            np.testing.assert_array_equal(add(kind(a), b), a + b)
            np.testing.assert_array_equal(add(kind(rows(6)[::2]), b), rows(6)[::2] + b)
            with self.assertRaisesRegex(pit_mlir.ArgumentError, "argument 0: expected f32"):
                add(kind(a.astype("f8")), b)
        np.testing.assert_array_equal(add(Exported(rows(6)[::-2]), b), rows(6)[::-2] + b)


class Refused(unittest.TestCase):
    def refuse(self, program, args, words):
        with self.assertRaisesRegex(pit_mlir.ArgumentError, words):
            program(*args)

    def test_arguments(self):
        add = pit_mlir.compile(programs.ADD, "cpu")
        a = rows(3)
        self.refuse(add, (a,), "takes 2 arguments, not 1")
        self.refuse(pit_mlir.compile(programs.TWO, "cpu", entry="square"), (), "takes 1 argument, not 0")
        self.refuse(add, (a, a.astype("f8")), r"argument 1: expected f32 \[\?, 4\], got float64 \[3, 4\]")
        self.refuse(add, (a, a.astype(">f4")), "argument 1: expected")
        self.refuse(add, (a, a[0]), r"argument 1: .*\[4\]")
        self.refuse(add, (a, rows(3, 5)), r"\[3, 5\]")
        self.refuse(add, (a, rows(2)), "linalg.add.*2.*3|linalg.add.*3.*2")
        self.refuse(add, (a, a.tolist()), "list, which is no array")
        self.refuse(add, (a, None), "NoneType")
        self.refuse(add, (a, 1.0), "the number 1.0")
        self.refuse(add, (a, a.astype("c8")), "complex64")
        self.refuse(add, (a, np.array([["a"] * 4] * 3)), "argument 1")

    def test_scalars(self):
        program = pit_mlir.compile(programs.SCALED.replace("TYPE", "i8").replace("OP", "add"), "cpu")
        x = np.array([1, 2, 3], "i1")
        self.refuse(program, (x, 300), "argument 1: expected a scalar i8, got 300")
        self.refuse(program, (x, 1.5), "argument 1")
        self.refuse(program, (x, "one"), "argument 1")

    def test_numbers_of_other_types(self):
        pick, x = pit_mlir.compile(programs.PICK, "cpu"), rows(5)
        np.testing.assert_array_equal(pick(x, np.int32(2)), x[2])
        self.refuse(pick, (x, 1.5), "the number 1.5")
        self.refuse(pick, (x, "1"), "str")
        program = pit_mlir.compile(programs.SCALED.replace("TYPE", "i32").replace("OP", "add"), "cpu")
        x = np.array([1, 2, 3], "i4")
        # Each call has its own scalar, also as an array without axes.
        for scalar in (7, np.array(9, "i4"), np.int64(11), np.array(13)):
            np.testing.assert_array_equal(program(x, scalar), x + int(scalar))

    def test_an_index_out_of_range(self):
        pick, x = pit_mlir.compile(programs.PICK, "cpu"), rows(5)
        np.testing.assert_array_equal(pick(x, 4), x[4])
        for wrong in (5, -1, 1 << 40):
            with self.assertRaises(pit_mlir.ExecutionError) as caught:
                pick(x, wrong)
            self.assertEqual(caught.exception.status, 4)
        np.testing.assert_array_equal(pick(x, 0), x[0])

    def test_no_device(self):
        with self.assertRaisesRegex(pit_mlir.DeviceError, "no CUDA device; name a chip"):
            pit_mlir.compile(programs.ADD, "cuda")
        program = pit_mlir.compile(programs.ADD, "cuda:sm_80")
        with self.assertRaises(pit_mlir.DeviceError):
            program(rows(3), rows(3))
        self.assertEqual(pit_mlir.compile(programs.ADD, "auto").target, "cpu")

    def test_sources_and_options(self):
        for source, target, options, words in (
            (programs.ADD, "gpu", {}, "unknown target 'gpu'"),
            (programs.ADD, 3, {}, "target: expected a string"),
            (3, "cpu", {}, "expected MLIR"),
            (programs.ADD, "cpu", {"strikt": True}, "no option 'strikt'"),
        ):
            with self.assertRaisesRegex(pit_mlir.ArgumentError, words):
                pit_mlir.compile(source, target, **options)
        with self.assertRaisesRegex(pit_mlir.Error, "no such file|No such file"):
            pit_mlir.compile("nothing-there.mlir", "cpu")

    def test_programs(self):
        with self.assertRaises(pit_mlir.CompileError) as caught:
            pit_mlir.compile(programs.WRONG_EXTENTS, "cpu")
        error = caught.exception
        self.assertEqual((error.op, error.line), ("linalg.matmul", 3))
        self.assertIn("linalg.matmul ins(%a, %b", error.source_line)
        for bad in ("func.func @main(", "", "module {}", "\0\1\2"):
            with self.assertRaises(pit_mlir.CompileError):
                pit_mlir.compile(bad, "cpu")
        with self.assertRaises(pit_mlir.CompileError):
            pit_mlir.compile(programs.ADD, "cuda:sm_1234")
        with self.assertRaises(pit_mlir.CompileError):
            pit_mlir.compile(programs.ADD, "cpu", entry="other")

    def test_one_hierarchy(self):
        for name in ("ArgumentError", "CompileError", "DeviceError", "ExecutionError", "ImporterError", "OutOfMemoryError"):
            self.assertTrue(issubclass(getattr(pit_mlir, name), pit_mlir.Error))


class Explanations(unittest.TestCase):
    def test_ops(self):
        report = pit_mlir.explain(programs.MASKED, target="cpu")
        self.assertIn("linalg.matmul", str(report["ops"]))
        self.assertIn("visits only what is live", str(report["ops"]))


if __name__ == "__main__":
    unittest.main()
