# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program on arrays of numpy: starts fast, and launches nothing but the program's own kernels."""
import ctypes
import json
import os

import numpy as np

import run_manifest

POISON = 0xff  # every byte; NaN in all types of floats, -1 in integers


class NumpyProgram:
    """The first function of a directory with manifest.json and kernels.ptx, or kernels.cubin."""

    def __init__(self, driver, directory):
        self.driver, self.directory = driver, directory
        with open(os.path.join(directory, "manifest.json"), encoding="utf-8") as file:
            self.function = json.load(file)["functions"][0]
        self.module = driver.load_kernels(directory)

    def prepare(self, inputs, written=(), poison=True):
        """Buffers for a call. `written` are arguments that it writes; these, results and workspaces hold poison, or,
        where it must be found out who reads what nobody wrote, nothing."""
        self.inputs, self.pointers, self.sizes, self.filled = inputs, [], [], []
        results = {result["buffer"] for result in self.function["results"] if result["kind"] == "tensor"}
        for number, buffer in enumerate(self.function["buffers"]):
            shape = [run_manifest.evaluate(e, inputs) for e in buffer["shape"]]
            kind = buffer["kind"]
            contents = run_manifest.host_contents(buffer, shape, inputs)
            output = number in results or (kind == "argument" and buffer["argument"] in written)
            if kind in ("constant", "status") or (kind == "argument" and not output):
                self.pointers.append(self.driver.upload(contents))
            else:
                self.pointers.append(self.allocate(contents.nbytes))
                if poison:
                    self.filled.append(number)
            self.sizes.append(contents.nbytes)
        self.calls = run_manifest.prepare_launches(self.driver, self.module, self.function, self.pointers, inputs)
        self.poison()

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.driver.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 16)))
        return pointer.value

    def poison(self):
        for number in self.filled:
            self.driver.call("cuMemsetD8_v2", ctypes.c_uint64(self.pointers[number]), ctypes.c_ubyte(POISON),
                             ctypes.c_size_t(max(self.sizes[number], 16)))

    def launch(self):
        for call in self.calls:
            self.driver.launch(*call)
        self.driver.synchronize()

    def check_status(self):
        number = self.function["status_buffer"]
        if number is not None:
            status = self.driver.download(self.pointers[number], np.zeros(4, np.int64))
            if status[0]:
                raise RuntimeError(f"the program reports {status.tolist()}")

    def read(self, written=()):
        """Arguments of these numbers, or else the results."""
        arrays = []
        for number, buffer in enumerate(self.function["buffers"]):
            if buffer["kind"] == "argument" and buffer["argument"] in written:
                arrays.append((written.index(buffer["argument"]), self.download(number, buffer)))
        for order, result in enumerate(self.function["results"]):
            if result["kind"] != "tensor":
                continue
            flat = self.download(result["buffer"], self.function["buffers"][result["buffer"]]).reshape(-1)
            sizes, strides = ([run_manifest.evaluate(e, self.inputs) for e in result[key]]
                              for key in ("sizes", "strides"))
            start = run_manifest.evaluate(result["offset"], self.inputs)
            arrays.append((len(written) + order, np.lib.stride_tricks.as_strided(
                flat[start:], sizes, [stride * flat.itemsize for stride in strides]).copy()))
        return [array for _, array in sorted(arrays, key=lambda pair: pair[0])]

    def download(self, number, buffer):
        shape = [run_manifest.evaluate(e, self.inputs) for e in buffer["shape"]]
        return self.driver.download(self.pointers[number], np.empty(shape, run_manifest.DTYPES[buffer["dtype"]]))

    def free(self):
        for pointer in self.pointers:
            self.driver.call("cuMemFree_v2", ctypes.c_uint64(pointer))
        self.pointers = []

    def kernels(self):
        return [launch["kernel"] for launch in self.function["launches"]]
