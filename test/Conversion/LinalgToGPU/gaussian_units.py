#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what --approximate-math-for-gpu makes of Gaussian error linear units, rounded to some type, on the CPU.

    gaussian_units.py --pit-opt PROGRAM [--fault]

Prints the largest relative error of x / 2 (1 + erf(x / sqrt(2))) in millionths; with --fault one expected value is
wrong. The instruction for a power of two, which a CPU lacks, is computed by its math library.
"""
import argparse
import math
import re
import subprocess

from double_precision_math import constant, execute

UNIT = """
gpu.module @m {{
func.func @f(%x: f32) -> f32 {{
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.707106781 : f32
  %0 = arith.mulf %x, %root : f32
  %1 = math.erf %0 fastmath<afn> : f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.mulf %2, %half : f32
  %4 = arith.mulf %x, %3 : f32
  {round}
}}
}}
"""
ROUND = "%5 = arith.truncf %4 : f32 to {type}\n  %6 = arith.extf %5 : {type} to f32\n  return %6 : f32"
# Where results are normal numbers of all types, and absolute errors of 3e-7 relative ones of a thousandth.
LEAST = -3.8


def gelu(x):
    return x / 2 * math.erfc(-x / math.sqrt(2))


INSTRUCTIONS = (("ex2.approx.ftz.f", "exp2"), ("fmin.f", "minnum"), ("fmax.nan.f", "maximum"))


def program(pit_opt, source, inputs, expected, instructions=INSTRUCTIONS):
    """Prints what `f` of the source is off by at most, with functions of libm in the place of instructions."""
    made = subprocess.run([pit_opt, "-", "--approximate-math-for-gpu"], input=source,
                          capture_output=True, text=True, check=True).stdout
    function = made[made.index("func.func"): made.rindex("}", 0, made.rindex("}"))].rstrip() + "\n"
    for nvvm, portable in instructions:
        assert f"llvm.nvvm.{nvvm}" in function, function
        function = function.replace(f"llvm.nvvm.{nvvm}", f"llvm.{portable}.f32")
    function = re.sub(r'llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"\((%\w+)\) : \(f32\) -> f32', r"arith.divf %cst_unit, \1 : f32", function)
    function = function.replace("{\n", "{\n    %cst_unit = arith.constant 1.0 : f32\n", 1)
    memref = f"memref<{len(inputs)}xf32>"
    return constant("inputs", inputs, 32) + constant("expected", expected, 32) + function + f"""
func.func @main() -> f32 {{
  %inputs = memref.get_global @inputs : {memref}
  %expected = memref.get_global @expected : {memref}
  %begin = arith.constant 0 : index
  %end = arith.constant {len(inputs)} : index
  %step = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %far = arith.constant 1.0e9 : f32
  %scale = arith.constant 1.0e6 : f32
  %most = scf.for %i = %begin to %end step %step iter_args(%so_far = %none) -> (f32) {{
    %x = memref.load %inputs[%i] : {memref}
    %want = memref.load %expected[%i] : {memref}
    %have = func.call @f(%x) : (f32) -> f32
    %wants_nan = arith.cmpf uno, %want, %want : f32
    %has_nan = arith.cmpf uno, %have, %have : f32
    %one_is = arith.xori %wants_nan, %has_nan : i1
    %difference = arith.subf %have, %want : f32
    %quotient = arith.divf %difference, %want : f32
    %size = math.absf %quotient : f32
    %error = arith.mulf %size, %scale : f32
    %equal = arith.cmpf oeq, %want, %have : f32
    %or_nan = arith.ori %equal, %wants_nan : i1
    %counted = arith.select %or_nan, %none, %error : f32
    %result = arith.select %one_is, %far, %counted : f32
    %more = arith.maximumf %so_far, %result : f32
    scf.yield %more : f32
  }}
  return %most : f32
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pit-opt", required=True)
    parser.add_argument("--fault", action="store_true")
    options = parser.parse_args()
    inputs = [LEAST + i / 512 for i in range(20000)] + [2.0 ** i for i in range(7, 16)]
    expected = [gelu(x) for x in inputs]
    if options.fault:
        expected[7000] *= 1.01
    inputs += [0.0, -1e9, math.inf, -math.inf, math.nan]
    expected += [0.0, 0.0, math.inf, 0.0, math.nan]
    for name in ("f32", "f16", "bf16"):
        rounding = "return %4 : f32" if name == "f32" else ROUND.format(type=name)
        most = execute(program(options.pit_opt, UNIT.format(round=rounding), inputs, expected), "f32",
                       ["--arith-expand=include-bf16", "--convert-math-to-llvm"])
        print(f"{name}: {len(inputs)} values, at most {int(float(most))} millionths", flush=True)


if __name__ == "__main__":
    main()
