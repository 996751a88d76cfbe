#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs conversions of 8-bit floats on a device and on the CPU, and compares with their definition.

    small_floats.py --pit-run PROGRAM OUT [--fault]

Extends all codes, and rounds all values of 16 bits and what lies at and beside each midpoint in f32 and f64. Prints how many
results of each conversion are wrong; with --fault one expected value of each is.
"""
import argparse
import os
import subprocess

import numpy as np

# Bits of the mantissa, the exponent of the smallest normal number, and the code of infinity, if there is one.
FORMATS = {"f8E4M3FN": (3, -6, None), "f8E5M2": (2, -14, 0x7C)}
WIDE = {"f16": (np.float16, np.uint16), "bf16": (None, np.uint16), "f32": (np.float32, np.uint32), "f64": (np.float64, np.uint64)}

# Bits are passed as i64, which pit-run reads and writes.
CONVERSION = """
  %e{n} = tensor.empty() : tensor<{size}xi64>
  %r{n} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%a{n} : tensor<{size}xi64>) outs(%e{n} : tensor<{size}xi64>) {{
  ^bb0(%x: i64, %o: i64):
    {narrow}
    %f = arith.bitcast %n : {argument_bits} to {source}
    %g = arith.{op} %f : {source} to {target}
    %b = arith.bitcast %g : {target} to {result_bits}
    {widen}
    linalg.yield %w : i64
  }} -> tensor<{size}xi64>"""


def spell_conversion(op, n, size, source, target):
    """Of types and their widths."""
    narrow = "arith.trunci %x : i64 to" if source[1] < 64 else "arith.bitcast %x : i64 to"
    widen = "arith.extui %b : i{} to i64" if target[1] < 64 else "arith.bitcast %b : i64 to i64"
    return CONVERSION.format(op=op, n=n, size=size, source=source[0], target=target[0], argument_bits=f"i{source[1]}",
                             result_bits=f"i{target[1]}", narrow=f"%n = {narrow} i{source[1]}",
                             widen=f"%w = {widen.format(target[1])}")


def codes_to_values(name):
    """The magnitude of each code without a sign, NaN for NaNs."""
    mantissa_bits, smallest, infinity = FORMATS[name]
    values = []
    for code in range(128):
        exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
        if infinity is None:
            special = np.nan if code == 0x7F else None
        else:
            special = None if code < infinity else np.inf if code == infinity else np.nan
        if special is None:
            one = 1 << mantissa_bits if exponent else 0
            special = (one + mantissa) * 2.0 ** (smallest - mantissa_bits + max(exponent, 1) - 1)
        values.append(special)
    return np.array(values)


def to_values(bits, wide):
    """f64 of numbers by their bits."""
    if wide == "bf16":
        bits, kind = bits.astype(np.uint32) << 16, np.float32
    else:
        kind = WIDE[wide][0]
    with np.errstate(invalid="ignore"):
        return bits.view(kind).astype(np.float64)


def midpoints(name):
    """Where the rounding changes; the last one is half a step above the largest number."""
    values = codes_to_values(name)
    finite = values[np.isfinite(values)]
    beyond = np.append(finite, 2 * finite[-1] - finite[-2])
    return (beyond[1:] + beyond[:-1]) / 2


def round_values(values, name):
    """Codes of f64, by counting the midpoints below; a tie goes to the even code."""
    between = midpoints(name)
    magnitudes = np.abs(values)
    below = np.searchsorted(between, magnitudes, side="left")
    reached = np.searchsorted(between, magnitudes, side="right")
    codes = np.where(below % 2 == 0, below, reached)
    infinity = FORMATS[name][2]
    codes = np.where(codes >= len(between), 0x7F if infinity is None else infinity, codes)
    codes = np.where(np.isnan(values), 0x7F, codes)
    return codes | np.where(np.signbit(values), 0x80, 0)


def points(name, wide):
    """Bits of numbers to round."""
    kind, bits = WIDE[wide]
    if np.dtype(bits).itemsize == 2:
        return np.arange(1 << 16, dtype=bits)
    values = codes_to_values(name)
    exact = np.concatenate([values[np.isfinite(values)], midpoints(name), [np.inf, np.nan, np.finfo(kind).max, np.finfo(kind).tiny]])
    with np.errstate(all="ignore"):
        near = [exact.astype(kind), np.nextafter(exact.astype(kind), kind(np.inf)), np.nextafter(exact.astype(kind), kind(-np.inf))]
    near = np.concatenate(near)
    return np.concatenate([near, -near]).view(bits)


def is_nan(codes, name):
    return np.isnan(codes_to_values(name)[codes & 0x7F])


def count_wrong(results, expected, kind):
    """Results are bits. Any NaN will do where one is expected; among those of 8 bits, one of the same sign."""
    if kind in FORMATS:
        same = (results == expected) | (is_nan(results, kind) & is_nan(expected, kind) & ((results ^ expected) & 0x80 == 0))
    else:
        values = to_values(results, kind)
        same = np.where(np.isnan(expected), np.isnan(values), (values == expected) & (np.signbit(values) == np.signbit(expected)))
    return int(np.count_nonzero(~same))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pit-run", required=True)
    parser.add_argument("out")
    parser.add_argument("--fault", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for name in FORMATS:
        body, signature, types, inputs, wanted = "", [], [], [], []
        for wide, (_, bits) in WIDE.items():
            codes = np.arange(256, dtype=np.uint8)
            values = codes_to_values(name)[codes & 0x7F]
            values = np.where(codes & 0x80, -values, values)
            numbers = points(name, wide)
            for op, data, source, target, kind, expected in (
                    ("extf", codes, name, wide, bits, values),
                    ("truncf", numbers, wide, name, np.uint8, round_values(to_values(numbers, wide), name))):
                n, size = len(inputs), len(data)
                body += spell_conversion(op, n, size, (source, 8 * data.itemsize), (target, 8 * np.dtype(kind).itemsize))
                signature.append(f"%a{n}: tensor<{size}xi64>")
                types.append(f"tensor<{size}xi64>")
                path = os.path.join(options.out, f"{name}.{n}.npy")
                np.save(path, data.astype(np.uint64).view(np.int64))
                inputs.append(f"--input={path}")
                if options.fault:
                    expected = expected.copy()
                    expected[0] = expected[len(data) // 4]
                wanted.append((f"{op} {source} to {target}", target, kind, expected))
        returned = ", ".join(f"%r{n}" for n in range(len(types)))
        program = os.path.join(options.out, name + ".mlir")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#id = affine_map<(i) -> (i)>\n"
                       f"func.func @main({', '.join(signature)}) -> ({', '.join(types)}) {{{body}\n"
                       f"  return {returned} : {', '.join(types)}\n}}\n")
        for target in ("cpu", "cuda"):
            prefix = os.path.join(options.out, f"{name}.{target}")
            chip = ["--chip=sm_90a"] if target == "cuda" else []
            subprocess.run([options.pit_run, program, "--opt-level=0", "--target", target, *chip, "--quiet", f"--output={prefix}", *inputs],
                           check=True, stdout=subprocess.DEVNULL)
            for n, (label, kind, bits, expected) in enumerate(wanted):
                results = np.load(f"{prefix}.{n}.npy").astype(bits)
                wrong = count_wrong(results, expected, kind)
                print(f"{target}, {label}: {len(results)} values, {wrong} wrong")


if __name__ == "__main__":
    main()
