#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what --approximate-math-for-gpu makes of functions of f64, and of some of f32, on the CPU, and compares with the math library.

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


def narrow(x):
    """Rounded to f32."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def guarded(function):
    """NaN where there is no value, infinity where it is too large."""
    def value(*arguments):
        try:
            return narrow(function(*arguments))
        except ValueError:
            return NAN
        except OverflowError:
            return INF
    return value


def power(x, y):
    if x == 0 and y < 0:
        return math.copysign(INF, x) if y % 2 == 1 else INF
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0 and y % 2 == 1 else INF


def odd(function):
    return lambda x: math.copysign(function(abs(x)), x)


def singles(dice, spread):
    some = [dice.choice((-1, 1)) * math.ldexp(dice.uniform(1, 2), dice.randrange(-40, 120)) for _ in range(500)]
    some += [dice.uniform(-spread, spread) for _ in range(1500)]
    return [(narrow(x),) for x in some + [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 1e-45, 3.4e38, -3.4e38]]


def pairs(dice):
    special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, -8.0, INF, -INF, NAN]
    some = [(dice.uniform(-9, 9), float(dice.randrange(-20, 20))) for _ in range(500)]
    some += [(dice.uniform(0, 9), dice.uniform(-30, 30)) for _ in range(1000)]
    return [(narrow(x), narrow(y)) for x, y in some + [(x, y) for x in special for y in special]]


# Of f32, through f64: the result is the nearest f32, or the one beside it.
WIDENED = {
    "sinh": (guarded(odd(lambda x: INF if x > 100 else math.sinh(x))), lambda dice: singles(dice, 95)),
    "cosh": (guarded(lambda x: INF if abs(x) > 100 else math.cosh(x)), lambda dice: singles(dice, 95)),
    "asinh": (guarded(math.asinh), lambda dice: singles(dice, 5)),
    "acosh": (guarded(math.acosh), lambda dice: singles(dice, 5)),
    "atanh": (guarded(lambda x: math.copysign(INF, x) if abs(x) == 1 else math.atanh(x)), lambda dice: singles(dice, 1)),
    "exp2": (guarded(lambda x: 0.0 if x <= -1000 else 2.0 ** x), lambda dice: singles(dice, 140)),
    "powf": (guarded(power), pairs),
}


def constant(name, values, width):
    data = struct.pack(f"<{len(values)}{'d' if width == 64 else 'f'}", *values).hex()
    return f'memref.global "private" constant @{name} : memref<{len(values)}xf{width}> = dense<"0x{data}">\n'


def execute(source, result, passes=()):
    """What `main` returns on the CPU, as text; `passes` lower what is neither arith nor scf, memref or func."""
    lowered = subprocess.run(
        ["mlir-opt", "-", *passes, "--convert-scf-to-cf", "--convert-arith-to-llvm", "--finalize-memref-to-llvm",
         "--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts"],
        input=source, capture_output=True, text=True, check=True).stdout
    return subprocess.run(["mlir-runner", "-e", "main", f"-entry-point-result={result}", "-"], input=lowered,
                          capture_output=True, text=True, check=True).stdout.strip()


def program(pit_opt, name, width, inputs, expected):
    """`inputs` has a tuple of arguments for each value."""
    count, arity = len(inputs), len(inputs[0])
    numbers = range(arity)
    parameters = ", ".join(f"%x{i}: f{width}" for i in numbers)
    arguments = ", ".join(f"%x{i}" for i in numbers)
    source = (f"gpu.module @m {{\nfunc.func @f({parameters}) -> f{width} {{\n%r = math.{name} {arguments} : f{width}\n"
              f"return %r : f{width}\n}}\n}}\n")
    made = subprocess.run([pit_opt, "-", "--approximate-math-for-gpu"], input=source, capture_output=True, text=True, check=True).stdout
    function = made[made.index("func.func"): made.rindex("}", 0, made.rindex("}"))].rstrip() + "\n"
    assert "math." not in function, function
    globals_ = "".join(constant(f"inputs{i}", [value[i] for value in inputs], width) for i in numbers)
    memref = f"memref<{count}xf{width}>"
    get = "".join(f"  %inputs{i} = memref.get_global @inputs{i} : {memref}\n" for i in numbers)
    load = "".join(f"    %x{i} = memref.load %inputs{i}[%i] : {memref}\n" for i in numbers)
    return globals_ + constant("expected", expected, width) + function + f"""
func.func @main() -> i64 {{
{get}  %expected = memref.get_global @expected : {memref}
  %begin = arith.constant 0 : index
  %end = arith.constant {count} : index
  %step = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %far = arith.constant 1000000 : i64
  %most = scf.for %i = %begin to %end step %step iter_args(%so_far = %none) -> (i64) {{
{load}    %want = memref.load %expected[%i] : {memref}
    %have = func.call @f({arguments}) : ({", ".join([f"f{width}"] * arity)}) -> f{width}
    %wants_nan = arith.cmpf uno, %want, %want : f{width}
    %has_nan = arith.cmpf uno, %have, %have : f{width}
    %one_is = arith.xori %wants_nan, %has_nan : i1
    %want_bits = arith.bitcast %want : f{width} to i{width}
    %have_bits = arith.bitcast %have : f{width} to i{width}
    %want_wide = arith.{"extsi" if width == 32 else "addi"} %want_bits{" : i32 to i64" if width == 32 else ", %none : i64"}
    %have_wide = arith.{"extsi" if width == 32 else "addi"} %have_bits{" : i32 to i64" if width == 32 else ", %none : i64"}
    %difference = arith.subi %want_wide, %have_wide : i64
    %opposite = arith.subi %none, %difference : i64
    %distance = arith.maxsi %difference, %opposite : i64
    %equal = arith.cmpf oeq, %want, %have : f{width}
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
    cases = [(name, 64, function, lambda dice, make=make: [(x,) for x in make(dice)]) for name, (function, make) in FUNCTIONS.items()]
    cases += [(name, 32, function, make) for name, (function, make) in WIDENED.items()]
    for name, width, function, make in cases:
        inputs = make(random.Random(1))
        expected = [function(*x) for x in inputs]
        if options.fault:
            at = next(i for i, value in enumerate(expected) if math.isfinite(value) and abs(value) < 100)
            expected[at] += 1
        most = execute(program(options.pit_opt, name, width, inputs, expected), "i64")
        print(f"{name}: {len(inputs)} values, at most {most} units in the last place", flush=True)


if __name__ == "__main__":
    main()
