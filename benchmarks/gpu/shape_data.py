# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of small shapes and what comes out of them, in the elements of programs, for small_shapes.py."""
import dataclasses
import math

import numpy as np

import run_manifest

TOLERANCE = {"bf16": 3e-3, "f16": 4e-4, "f32": 2e-5}
# What f8E4M3FN has of numbers that are not negative, by their bits.
F8_VALUES = np.array([math.ldexp(code % 8 + 8 * (code >= 8), max(code // 8, 1) - 10) for code in range(127)])
BEHIND = 37  # entries behind the end of a list, whose contents must not matter


@dataclasses.dataclass
class Shape:
    """One call of a compiled program."""

    name: str
    inputs: list  # bf16 as its bits in uint16
    expected: list  # f64 or integers; NaN and -1 where nobody may write
    written: list = dataclasses.field(default_factory=list)  # arguments that hold what is expected; else the results
    poisoned: list = None  # those of them that hold nothing before, all without
    relative: float = 0.0  # error of the norm that is allowed
    each: float = 0.0  # or of each element, of its size or of 1
    wanted: np.ndarray = None  # which rows of the results are compared; null for all

    def __post_init__(self):
        if self.poisoned is None:
            self.poisoned = self.written


def to_type(values, dtype):
    """An array of a type of elements, rounded to the nearest; to f8E4M3FN, of what it holds exactly."""
    if dtype == "f8E4M3FN":
        code = np.searchsorted(F8_VALUES, np.abs(values)).astype(np.uint8)
        assert np.array_equal(F8_VALUES[code], np.abs(values))
        return code | np.where(np.signbit(values), np.uint8(0x80), np.uint8(0))
    if dtype != "bf16":
        return np.asarray(values).astype(run_manifest.DTYPES[dtype])
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(np.asarray(values, np.float32)), np.uint16(0xffff), rounded)


def rounded(values, dtype):
    return run_manifest.as_doubles(to_type(values, dtype))


def compare(shape, outputs, dtypes):
    """Raises where outputs, arrays of these element types, are not what they must be."""
    if len(outputs) != len(shape.expected):
        raise RuntimeError(f"{len(outputs)} results, not {len(shape.expected)}")
    for number, (got, want, dtype) in enumerate(zip(outputs, shape.expected, dtypes)):
        if got.shape != want.shape:
            raise RuntimeError(f"result {number} is {got.shape}, not {want.shape}")
        if shape.wanted is not None:
            got, want = got[shape.wanted], want[shape.wanted]
        exact = not shape.relative and not shape.each
        if want.dtype.kind in "iub":
            if not np.array_equal(got, want):
                raise RuntimeError(f"result {number} differs")
            continue
        got, want = run_manifest.as_doubles(got), np.asarray(want, np.float64)
        if not np.array_equal(np.isnan(got), np.isnan(want)):
            raise RuntimeError(f"result {number}: {np.isnan(got).sum()} NaN, not {np.isnan(want).sum()}")
        if exact:
            if not np.array_equal(got, rounded(want, dtype), equal_nan=True):
                raise RuntimeError(f"result {number} is not exact")
            continue
        with np.errstate(invalid="ignore"):
            off = np.where(np.isnan(want) | (got == want), 0, got - want)
        error = np.linalg.norm(off) / max(np.linalg.norm(np.nan_to_num(want, posinf=0, neginf=0)), 1e-30)
        if shape.each:
            error = np.max(np.abs(off) / np.maximum(1, np.abs(np.nan_to_num(want))), initial=0)
        if not error <= (shape.each or shape.relative):
            raise RuntimeError(f"result {number}: relative error {error}")


def integers(random, *shape):
    return random.integers(-2, 3, shape).astype(np.float64)


def nothing(*shape):
    return np.full(shape, np.nan)


def make_list(entries, behind=BEHIND, dtype=np.int32):
    """Entries, and behind them what is out of bounds."""
    return np.concatenate([entries, np.full(behind, 1 << 30)]).astype(dtype)


def poisoned(array, behind=BEHIND):
    return np.concatenate([array, nothing(behind, *array.shape[1:])])


def to_factor(values, case):
    """Small integers as an input of a product. Of tf32, they are what is stored rounded to nearest, but not cut off."""
    return to_type(values * (1 - 2 ** -13) if case.get("products") == "tf32" else values, case.get("dtype", "bf16"))


def factors(random, case, *shape):
    """Small integers. Of 8 bits, none is negative, so that sums have more bits than `wgmma` keeps, but those of a stage."""
    return random.integers(0, 9, shape).astype(np.float64) if case.get("dtype") == "f8E4M3FN" else integers(random, *shape)
