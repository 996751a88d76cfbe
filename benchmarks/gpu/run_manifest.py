#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiled program on a GPU from its manifest, PTX and .npy inputs.

Needs numpy and the CUDA driver, nothing else. A directory made by
build_case.sh holds all it reads:

    run_manifest.py DIRECTORY...

Everything about the launches comes from manifest.json, so that this is also
the shortest complete reader of the schema (docs/RuntimeABI.md).
"""
import argparse
import base64
import ctypes
import glob
import json
import os
import sys

import numpy as np

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8,
          "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
# CUtensorMapDataType of the driver.
TENSOR_MAP_DTYPES = {"i8": 0, "f8E4M3FN": 0, "f8E5M2": 0, "i16": 1, "i32": 3, "i64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9, "tf32": 11}
BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b, "ceildiv": lambda a, b: -(-a // b), "mod": lambda a, b: a % b,
    "truncdiv": lambda a, b: int(a / b) if abs(a) < 2**52 else abs(a) // abs(b) * (1 if a * b >= 0 else -1),
    "min": min, "max": max, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}


class LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint64), ("value", ctypes.c_uint * 16)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("sizes", ctypes.c_uint * 7), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(LaunchAttribute)), ("num_attributes", ctypes.c_uint)]


class Driver:
    """The few driver functions that launching needs."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.lib, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()} ({code})")

    def load(self, ptx):
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # error log buffer, its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx + b"\0"), 2, options, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{log.value.decode()}") from None
        return module

    def load_kernels(self, directory):
        """Assembled before if a file is there and the driver takes it, which saves seconds per case."""
        for name in ("kernels.cubin", "kernels.ptx"):
            try:
                with open(os.path.join(directory, name), "rb") as file:
                    return self.load(file.read())
            except (OSError, RuntimeError):
                if name == "kernels.ptx":
                    raise

    def function(self, module, name, shared):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        if shared > 48 << 10:  # more than that must be asked for: attribute 8
            self.call("cuFuncSetAttribute", function, 8, shared)
        return function

    def tensor_map(self, dtype, address, sizes, strides, box, codes):
        """128 bytes that describe a tensor to the copy engine."""
        storage = ctypes.create_string_buffer(128 + 64)  # must be aligned to 64
        tensor_map = (ctypes.c_char * 128).from_buffer(storage, -ctypes.addressof(storage) % 64)
        rank = len(sizes)
        self.call("cuTensorMapEncodeTiled", ctypes.byref(tensor_map), TENSOR_MAP_DTYPES[dtype], rank,
                  ctypes.c_void_p(address), (ctypes.c_uint64 * rank)(*[max(size, 1) for size in sizes]),
                  (ctypes.c_uint64 * max(rank - 1, 1))(*strides), (ctypes.c_uint32 * rank)(*box),
                  (ctypes.c_uint32 * rank)(*[1] * rank), *codes)
        return tensor_map

    def window_map(self, dtype, address, sizes, strides, box, corners, steps, codes):
        """The same of windows (im2col), of which a copy has `box`: channels and windows."""
        storage = ctypes.create_string_buffer(128 + 64)
        tensor_map = (ctypes.c_char * 128).from_buffer(storage, -ctypes.addressof(storage) % 64)
        rank = len(sizes)
        lower, upper = ((ctypes.c_int * (rank - 2))(*corner) for corner in corners)
        self.call("cuTensorMapEncodeIm2col", ctypes.byref(tensor_map), TENSOR_MAP_DTYPES[dtype], rank,
                  ctypes.c_void_p(address), (ctypes.c_uint64 * rank)(*[max(size, 1) for size in sizes]),
                  (ctypes.c_uint64 * (rank - 1))(*strides), lower, upper, *map(ctypes.c_uint32, box),
                  (ctypes.c_uint32 * rank)(1, *steps, 1), *codes)
        return tensor_map

    def upload(self, array):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(array.nbytes, 16)))
        if array.nbytes:
            self.call("cuMemcpyHtoD_v2", pointer, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        return pointer.value

    def download(self, pointer, array):
        if array.nbytes:
            self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(pointer),
                      ctypes.c_size_t(array.nbytes))
        return array

    def launch(self, function, grid, block, shared, arguments, early=False, stream=None):
        """`early`: the kernel may start before the one before has ended, for which it waits itself."""
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        attribute = LaunchAttribute(6, (ctypes.c_uint * 16)(1))  # programmatic stream serialization
        config = LaunchConfig((ctypes.c_uint * 7)(*grid, *block, shared), stream, ctypes.pointer(attribute), int(early))
        self.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)

    def synchronize(self):
        self.call("cuCtxSynchronize")


def evaluate(expression, inputs):
    """Value of an expression tree, given the arguments as arrays."""
    if not isinstance(expression, dict):
        return int(expression)
    op = expression["op"]
    if op == "dim":
        return inputs[expression["argument"]].shape[expression["axis"]]
    if op == "argument":
        return inputs[expression["argument"]].item()
    if op == "bits":
        return expression["value"]
    values = [evaluate(a, inputs) for a in expression["args"]]
    if op == "select":
        return values[1] if values[0] else values[2]
    return int(BINARY[op](*values))


def load_array(path):
    """numpy has no bf16: its bits are two bytes of no type."""
    array = np.load(path)
    return array.view(np.uint16) if array.dtype.kind == "V" else array


def host_contents(buffer, shape, inputs):
    dtype = DTYPES[buffer["dtype"]]
    if buffer["kind"] == "argument":
        return np.ascontiguousarray(inputs[buffer["argument"]], dtype=dtype)
    if buffer["kind"] == "constant":
        data = np.frombuffer(base64.b64decode(buffer["base64"]), dtype=dtype)
        return np.ascontiguousarray(np.broadcast_to(data, shape) if buffer["splat"] else data.reshape(shape))
    if buffer["kind"] == "status":
        return np.zeros(shape, dtype)
    # All ones is NaN and -1: a kernel that reads what nobody wrote is found out.
    return np.frombuffer(b"\xff" * (int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize),
                         dtype=dtype).reshape(shape).copy() if dtype != np.bool_ else np.zeros(shape, dtype)


def as_doubles(array):
    """Values as f64; arrays of uint16 hold the bits of bf16."""
    if array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64)


def read_message(driver, function, pointers, address, first, second):
    """What a kernel says of extents that are data: the text lies in one of the constants."""
    for buffer, pointer in zip(function["buffers"], pointers):
        if buffer["kind"] != "constant" or buffer["dtype"] != "i8":
            continue
        data = base64.b64decode(buffer["base64"])
        if 0 <= address - pointer < len(data):
            text = data[address - pointer:].split(b"\0")[0].decode()
            return text.replace("{0}", str(first)).replace("{1}", str(second))
    return f"status 1: {first}, {second}"


def refuse_wrong_extents(function, inputs):
    """What must hold of the arguments before anything is launched."""
    for check in function.get("checks", []):
        if not evaluate(check["condition"], inputs):
            numbers = [evaluate(number, inputs) for number in check["numbers"]]
            raise RuntimeError(check["message"].replace("{0}", str(numbers[0])).replace("{1}", str(numbers[1])))


def pack_scalar(argument, value):
    width = np.dtype(DTYPES[argument["dtype"]]).itemsize
    if isinstance(value, float):
        return ctypes.create_string_buffer(np.array(value, DTYPES[argument["dtype"]]).tobytes(), width)
    return ctypes.create_string_buffer((int(value) % (1 << 8 * width)).to_bytes(width, "little"), width)


def prepare_tensor_map(driver, function, spec, pointers, inputs):
    size = np.dtype(DTYPES[function["buffers"][spec["buffer"]]["dtype"]]).itemsize
    address = pointers[spec["buffer"]] + evaluate(spec["offset"], inputs) * size
    numbers = [[evaluate(e, inputs) for e in spec[key]] for key in ("sizes", "strides", "box")]
    codes = [spec[key] for key in ("interleave", "swizzle", "l2_promotion", "out_of_bounds")]
    if "window" in spec:
        window = spec["window"]  # innermost axis first
        upper = [(count - 1) * step - low - (size - 1) for count, step, low, size in
                 zip(window["positions"], window["strides"], window["low"], numbers[0][1:])]
        corners = [-low for low in window["low"]], upper
        return driver.window_map(spec["dtype"], address, *numbers, corners, window["strides"], codes)
    return driver.tensor_map(spec["dtype"], address, *numbers, codes)


def prepare_launches(driver, module, function, pointers, inputs):
    """Arguments of Driver.launch for every launch of a function that has something to do: the driver refuses empty grids.
    What is left out has not waited for what came before it, so that the next one does, unless it was compiled to know
    that this may happen: the grid then has neither rows nor columns."""
    calls, waits = [], True
    for launch in function["launches"]:
        arguments = []
        for argument in launch["arguments"]:
            if "tensor_map" in argument:
                arguments.append(prepare_tensor_map(driver, function, argument["tensor_map"], pointers, inputs))
            elif "buffer" in argument:
                size = np.dtype(DTYPES[function["buffers"][argument["buffer"]]["dtype"]]).itemsize
                offset = evaluate(argument["offset"], inputs) * size
                arguments.append(ctypes.c_uint64(pointers[argument["buffer"]] + offset))
            else:
                arguments.append(pack_scalar(argument, evaluate(argument["value"], inputs)))
        shared, grid = evaluate(launch["shared_dynamic"], inputs), [evaluate(e, inputs) for e in launch["grid"]]
        if not all(grid):
            waits |= any(grid[:2])
            continue
        calls.append((driver.function(module, launch["kernel"], shared), grid,
                      [evaluate(e, inputs) for e in launch["block"]], shared, arguments,
                      launch.get("early", False) and not waits))
        waits = False
    return calls


def run(driver, directory, entry, repeat):
    with open(os.path.join(directory, "manifest.json")) as file:
        manifest = json.load(file)
    # Before version 2, entry points had a schema of their own.
    if manifest["schema"] != "pit-manifest" or manifest["version"] not in (1, 2):
        raise RuntimeError("not a manifest of version 1 or 2")
    if "kernels" not in manifest:
        raise RuntimeError("a manifest of entry points, not of kernels")
    with open(os.path.join(directory, "kernels.ptx"), "rb") as file:
        module = driver.load(file.read())
    function = next(f for f in manifest["functions"] if f["name"] == entry)
    inputs = [load_array(os.path.join(directory, f"input.{i}.npy")) for i in range(len(function["arguments"]))]

    refuse_wrong_extents(function, inputs)
    pointers = []
    for buffer in function["buffers"]:
        shape = [evaluate(e, inputs) for e in buffer["shape"]]
        pointers.append(driver.upload(host_contents(buffer, shape, inputs)))
    calls = prepare_launches(driver, module, function, pointers, inputs)
    for _ in range(repeat):
        for call in calls:
            driver.launch(*call)
    driver.synchronize()

    if function["status_buffer"] is not None:
        status = driver.download(pointers[function["status_buffer"]], np.zeros(4, np.int64))
        if status[0] == 1:
            raise RuntimeError(read_message(driver, function, pointers, *(int(word) for word in status[1:])))
        if status[0]:
            raise RuntimeError(f"status {status[0]} from rule {status[1]}: value {status[2]}, bound {status[3]}")
    outputs = []
    for result in function["results"]:
        if result["kind"] == "scalar":
            outputs.append(np.array(evaluate(result["value"], inputs), DTYPES[result["dtype"]]))
            continue
        buffer = function["buffers"][result["buffer"]]
        shape = [evaluate(e, inputs) for e in buffer["shape"]]
        dtype = DTYPES[buffer["dtype"]]
        flat = driver.download(pointers[result["buffer"]], np.zeros(int(np.prod(shape, dtype=np.int64)), dtype))
        sizes = [evaluate(e, inputs) for e in result["sizes"]]
        strides = [evaluate(e, inputs) * flat.itemsize for e in result["strides"]]
        start = evaluate(result["offset"], inputs)
        outputs.append(np.lib.stride_tricks.as_strided(flat[start:], sizes, strides).copy())
    return outputs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+")
    parser.add_argument("--entry", default="main")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="|gpu - expected| / max(1, |expected|)")
    parser.add_argument("--repeat", type=int, default=2, help="runs in a row on the same buffers")
    parser.add_argument("--output", help="write result N to PREFIX.N.npy")
    options = parser.parse_args()
    driver, failures = Driver(), 0
    for directory in options.directories:
        try:
            outputs = run(driver, directory, options.entry, options.repeat)
            worst = 0.0
            for i, output in enumerate(outputs):
                if options.output:
                    np.save(f"{options.output}.{i}.npy", output)
                expected = load_array(os.path.join(directory, f"expected.{i}.npy"))
                if output.shape != expected.shape:
                    raise RuntimeError(f"result {i} has shape {output.shape}, expected {expected.shape}")
                a, b = as_doubles(output), as_doubles(expected)
                if not np.array_equal(np.isnan(a), np.isnan(b)):
                    raise RuntimeError(f"result {i}: {np.isnan(a).sum()} NaN, expected {np.isnan(b).sum()}")
                with np.errstate(invalid="ignore"):
                    error = np.where(a == b, 0, np.abs(a - b) / np.maximum(1, np.abs(b)))
                worst = max(worst, float(np.nanmax(error, initial=0)))
            unread = len(glob.glob(os.path.join(directory, "expected.*.npy"))) - len(outputs)
            if unread or not worst <= options.tolerance:
                raise RuntimeError(f"largest error {worst:.3g}, results missing: {unread}")
            print(f"{directory}: ok, largest error {worst:.3g}")
        except (RuntimeError, OSError, KeyError, ValueError, StopIteration) as error:
            failures += 1
            print(f"{directory}: FAILED: {error}")
            if "cuCtxSynchronize" in str(error):
                break  # the context is lost
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
