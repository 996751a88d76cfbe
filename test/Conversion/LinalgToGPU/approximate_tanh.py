#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what --approximate-math-for-gpu makes of tanh, where approximations are allowed, on the CPU.

    approximate_tanh.py --pit-opt PROGRAM [--fault]

Prints the largest relative error in millionths; with --fault one expected value is wrong. Instructions that a CPU lacks are computed
exactly.
"""
import argparse
import math

from double_precision_math import execute
from gaussian_units import program

SOURCE = """
gpu.module @m {
func.func @f(%x: f32) -> f32 {
  %0 = math.tanh %x fastmath<afn> : f32
  return %0 : f32
}
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pit-opt", required=True)
    parser.add_argument("--fault", action="store_true")
    options = parser.parse_args()
    inputs = [sign * (i + 0.5) / 512 for i in range(10000) for sign in (1, -1)]
    inputs += [sign * 2.0**i for i in range(-120, 100) for sign in (1, -1)]
    expected = [math.tanh(x) for x in inputs]
    if options.fault:
        expected[7000] *= 1.01
    inputs += [0.0, math.inf, -math.inf, math.nan]
    expected += [0.0, 1.0, -1.0, math.nan]
    source = program(options.pit_opt, SOURCE, inputs, expected, [("ex2.approx.ftz.f", "exp2")])
    most = execute(source, "f32", ["--convert-math-to-llvm"])
    print(f"{len(inputs)} values, at most {float(most):.2f} millionths", flush=True)


if __name__ == "__main__":
    main()
