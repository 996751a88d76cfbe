#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what --approximate-math-for-gpu makes of functions of f64, on the CPU, and compares with the math library.

    double_precision_math.py --pit-opt PROGRAM [--fault]

Prints the largest difference of each function in units in the last place; with --fault one expected value is wrong.
"""
import argparse
import math
import random
import struct
import subprocess

INF, NAN = math.inf, math.nan


def log(x):
    return -INF if x == 0 else NAN if x < 0 else math.log(x)


def exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def points(dice, spread):
    """Values of all magnitudes, values as they occur, and what is special."""
    some = [dice.choice((-1, 1)) * math.ldexp(dice.uniform(1, 2), dice.randrange(-60, 12)) for _ in range(1000)]
    some += [dice.uniform(-spread, spread) for _ in range(3000)]
    return some + [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, INF, -INF, NAN, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]


FUNCTIONS = {
    # Where the result is denormal or overflows, too.
    "exp": (exp, lambda dice: points(dice, 750) + [dice.uniform(-2, 2) for _ in range(1000)] + [709.78, 709.79, -745.1, -745.2, -708.5]),
    "log": (log, lambda dice: [abs(x) for x in points(dice, 100)] + [dice.uniform(0.5, 1.5) for _ in range(2000)]
            + [math.ldexp(dice.random(), dice.randrange(-1074, 1020)) for _ in range(1000)] + [-1.0, -INF]),
    "tanh": (math.tanh, lambda dice: points(dice, 2)),
    "erf": (math.erf, lambda dice: points(dice, 7)),
}


def constant(name, values):
    data = struct.pack(f"<{len(values)}d", *values).hex()
    return f'memref.global "private" constant @{name} : memref<{len(values)}xf64> = dense<"0x{data}">\n'


def program(pit_opt, name, inputs, expected):
    source = f"gpu.module @m {{\nfunc.func @f(%x: f64) -> f64 {{\n%r = math.{name} %x : f64\nreturn %r : f64\n}}\n}}\n"
    made = subprocess.run([pit_opt, "-", "--approximate-math-for-gpu"], input=source, capture_output=True, text=True, check=True).stdout
    function = made[made.index("func.func"): made.rindex("}", 0, made.rindex("}"))].rstrip() + "\n"
    assert "math." not in function, function
    count = len(inputs)
    return constant("inputs", inputs) + constant("expected", expected) + function + f"""
func.func @main() -> i64 {{
  %inputs = memref.get_global @inputs : memref<{count}xf64>
  %expected = memref.get_global @expected : memref<{count}xf64>
  %begin = arith.constant 0 : index
  %end = arith.constant {count} : index
  %step = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %far = arith.constant 1000000 : i64
  %most = scf.for %i = %begin to %end step %step iter_args(%so_far = %none) -> (i64) {{
    %x = memref.load %inputs[%i] : memref<{count}xf64>
    %want = memref.load %expected[%i] : memref<{count}xf64>
    %have = func.call @f(%x) : (f64) -> f64
    %wants_nan = arith.cmpf uno, %want, %want : f64
    %has_nan = arith.cmpf uno, %have, %have : f64
    %one_is = arith.xori %wants_nan, %has_nan : i1
    %want_bits = arith.bitcast %want : f64 to i64
    %have_bits = arith.bitcast %have : f64 to i64
    %difference = arith.subi %want_bits, %have_bits : i64
    %opposite = arith.subi %none, %difference : i64
    %distance = arith.maxsi %difference, %opposite : i64
    %equal = arith.cmpf oeq, %want, %have : f64
    %or_nan = arith.ori %equal, %wants_nan : i1
    %counted = arith.select %or_nan, %none, %distance : i64
    %result = arith.select %one_is, %far, %counted : i64
    %more = arith.maxsi %so_far, %result : i64
    scf.yield %more : i64
  }}
  return %most : i64
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pit-opt", required=True)
    parser.add_argument("--fault", action="store_true")
    options = parser.parse_args()
    for name, (function, make) in FUNCTIONS.items():
        inputs = make(random.Random(1))
        expected = [function(x) for x in inputs]
        if options.fault:
            at = next(i for i, value in enumerate(expected) if math.isfinite(value) and abs(value) < 100)
            expected[at] += 1
        lowered = subprocess.run(
            ["mlir-opt", "-", "--convert-scf-to-cf", "--convert-arith-to-llvm", "--finalize-memref-to-llvm", "--convert-func-to-llvm",
             "--convert-cf-to-llvm", "--reconcile-unrealized-casts"],
            input=program(options.pit_opt, name, inputs, expected), capture_output=True, text=True, check=True).stdout
        ran = subprocess.run(["mlir-runner", "-e", "main", "-entry-point-result=i64", "-"], input=lowered, capture_output=True, text=True, check=True)
        print(f"{name}: {len(inputs)} values, at most {ran.stdout.strip()} units in the last place", flush=True)


if __name__ == "__main__":
    main()
