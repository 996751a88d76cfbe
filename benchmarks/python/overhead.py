#!/usr/bin/env python3
# ===- overhead.py - What a call and a compilation from Python cost ---------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What a call from Python costs over the C call, and how long the first one takes.

    overhead.py            with NumPy: a call of a program with 18 arguments of 8 x 8
    overhead.py --torch    also a compiled graph of as many tensors, and a BERT layer: compiled, and from the cache

Needs the package as docs/Python.md says. Times of calls are the least of 300 rounds of 100.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import pit_mlir

COUNT = 18


def least(call, calls=100, rounds=300):
    """Microseconds of a call."""
    found = []
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(calls):
            call()
        found.append((time.perf_counter() - began) / calls)
    return min(found) * 1e6


def program():
    arguments = ", ".join(f"%a{n}: tensor<8x8xf32>" for n in range(COUNT))
    return pit_mlir.compile(
        f"func.func @main({arguments}) -> tensor<8x8xf32> {{\n"
        "  %r = linalg.add ins(%a0, %a1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a2 : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
        "  return %r : tensor<8x8xf32>\n}",
        "cpu",
    )["main"]


def c_call(entry, arrays):
    """The call alone, with arguments and results in their places; through ctypes, as Python has no other way."""
    frame = entry._new_frame()
    entry._read(frame, arrays)
    result = np.empty((8, 8), "f")
    frame.words[4 * len(arrays)] = result.ctypes.data
    handle, arguments, results, call = frame.context.handle, frame.arguments, frame.results, entry._call
    return lambda: call(handle, None, arguments, results, None, 0), (frame, arrays, result)


def of_numpy():
    entry, arrays = program(), [np.ones((8, 8), "f") for _ in range(COUNT)]
    bare, kept = c_call(entry, arrays)
    whole, alone = least(lambda: entry(*arrays)), least(bare)
    print(f"NumPy: {whole:.1f} us, the C call {alone:.1f} us, {whole - alone:.1f} us over it")
    del kept


def of_torch():
    import torch

    from pit_mlir.torch import dynamo

    def function(*a):
        return a[0] @ a[1] + sum(a[2:])

    tensors = [torch.ones(8, 8) for _ in range(COUNT)]
    with torch.no_grad(), dynamo.recording() as records:
        compiled = torch.compile(function, backend="pit", options={"fallback": "error"})
        compiled(*tensors)
        graph = records[0].parts[0]
        bare, kept = c_call(graph.call.entry, [t.numpy() for t in tensors])
        whole, alone = least(lambda: graph(*tensors)), least(bare)
        print(f"a graph: {whole:.1f} us, the C call {alone:.1f} us, {whole - alone:.1f} us over it")
        eager = torch.compile(function, backend="aot_eager")
        eager(*tensors)
        print(f"torch.compile: {least(lambda: compiled(*tensors)):.1f} us, eager {least(lambda: function(*tensors)):.1f} us")
    del kept


LAYER = """
import sys, time, torch, pit_mlir.torch
sys.path.insert(0, {here!r})
from models import Encoder
model, x = Encoder().eval(), torch.randn(8, 128, 768)
keep = torch.arange(128) < torch.full((8, 1), 40)
with torch.no_grad():
    for backend in sys.argv[1:]:
        torch._dynamo.reset()
        began = time.perf_counter()
        torch.compile(model, backend=backend)(x, keep)
        print(f"{{backend}}: {{time.perf_counter() - began:.2f}} s")
"""


def of_a_layer():
    """A layer as BERT-base's in processes of their own: the first has an empty cache. torch's own part is what the
    backend aot_eager takes before."""
    with tempfile.TemporaryDirectory() as folder:
        script = LAYER.format(here=os.path.dirname(os.path.abspath(__file__)))
        for what in ("empty cache", "from the cache"):
            done = subprocess.run(
                [sys.executable, "-c", script, "aot_eager", "pit"], env={**os.environ, "PIT_MLIR_CACHE": folder}, capture_output=True, text=True
            )
            print(f"a BERT layer, {what}: {done.stdout.strip().replace(chr(10), ', ')}{done.stderr if done.returncode else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", action="store_true")
    options = parser.parse_args()
    of_numpy()
    if options.torch:
        of_torch()
        of_a_layer()


if __name__ == "__main__":
    main()
