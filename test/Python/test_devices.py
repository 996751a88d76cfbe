# ===- test_devices.py - Programs for CUDA on the emulated device -----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Programs for CUDA, on the emulated device: PIT_CUDA_DRIVER names it."""

import gc
import unittest

import numpy as np

import pit_mlir
import programs
from pit_mlir import cuda_entry, runtime


def rows(n, m=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, m)).astype("f")


class OnDevice:
    """An array as another package has it on the device."""

    def __init__(self, array, strides=None):
        spec = pit_mlir.compile(programs.ADD, "cuda")["main"].inputs[0]
        self.result = cuda_entry.DeviceResult(spec, array.shape, 0)
        context = runtime.shared_context()
        address = self.result.__cuda_array_interface__["data"][0]
        runtime.library().pit_cuda_copy_in(context.handle, None, address, array.ctypes.data, array.nbytes)
        self.__cuda_array_interface__ = dict(self.result.__cuda_array_interface__, strides=strides)


class Devices(unittest.TestCase):
    def test_target(self):
        self.assertEqual(pit_mlir.compile(programs.ADD, "auto").target, "cuda")
        self.assertTrue(pit_mlir.compile(programs.ADD, "cuda").chip.startswith("sm_"))

    def test_arrays_of_the_host(self):
        program = pit_mlir.compile(programs.MASKED, "cuda")
        for n in (50, 1, 0, 33):
            x, w, live = rows(n, 16), rows(16, 8), np.arange(n) % 3 == 0
            y = program(x, live, w)
            np.testing.assert_allclose(y, np.where(live[:, None], x, 0) @ w, rtol=1e-5, atol=1e-5)
        program.check()

    def test_arrays_of_the_device(self):
        add = pit_mlir.compile(programs.ADD, "cuda")
        a, b = rows(5), rows(5, seed=1)
        y = add(OnDevice(a), OnDevice(b))
        self.assertEqual(y.shape, (5, 4))
        np.testing.assert_array_equal(y.numpy(), a + b)
        # A result is an argument of the next call.
        np.testing.assert_array_equal(add(y, y).numpy(), 2 * (a + b))
        del y
        gc.collect()

    def test_refused(self):
        add = pit_mlir.compile(programs.ADD, "cuda")
        a = rows(5)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "argument 1: .*the host next to"):
            add(OnDevice(a), a)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "not contiguous"):
            add(OnDevice(a, strides=(32, 8)), OnDevice(a))
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "device's memory"):
            pit_mlir.compile(programs.ADD, "cpu")(OnDevice(a), a)
        with self.assertRaisesRegex(pit_mlir.ArgumentError, "linalg.add"):
            add(a, rows(4))
        np.testing.assert_array_equal(add(a, a), 2 * a)

    def test_an_index_out_of_range(self):
        pick, x = pit_mlir.compile(programs.PICK, "cuda"), rows(5)
        np.testing.assert_array_equal(pick(x, 3), x[3])
        with self.assertRaises(pit_mlir.ExecutionError) as caught:
            pick(x, 7)
        self.assertEqual(caught.exception.status, 4)
        np.testing.assert_array_equal(pick(x, 2), x[2])


if __name__ == "__main__":
    unittest.main()
