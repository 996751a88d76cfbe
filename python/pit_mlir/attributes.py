# ===- attributes.py - Marks of values as attributes of MLIR ----------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Marks of values as the attribute `pit.sparse` of MLIR, for torch and JAX."""

import math

from .errors import ArgumentError

ABSENT = {"zero": 0.0, "neg_inf": -math.inf}


def check_axes(rank, axes):
    """Different axes of an array of this rank, counted from the front. Raises ArgumentError."""
    found = []
    for axis in axes:
        if not isinstance(axis, int) or not -rank <= axis < rank:
            raise ArgumentError(f"axes: a tensor of rank {rank} has no axis {axis!r}")
        found.append(axis % rank)
    if len(set(found)) != len(found) or not found:
        raise ArgumentError(f"axes: expected different axes, got {list(axes)}")
    return found


def check_values(axes, by, granularity, at_most):
    """Raises ArgumentError for what a mark of values does not take."""
    if by is not None:
        raise ArgumentError("by: values say themselves what is live")
    if granularity is not None and (len(granularity) != len(axes) or any(g < 1 for g in granularity)):
        raise ArgumentError(f"granularity: expected {len(axes)} positive extents, got {granularity!r}")
    if at_most is not None and at_most < 1:
        raise ArgumentError(f"at_most: expected a positive number, got {at_most!r}")


def values_attribute(axes, absent, granularity, at_most):
    """The attribute as text."""
    text = f'{{source = "values", axes = array<i64: {", ".join(map(str, axes))}>, absent = "{absent}"'
    if granularity is not None:
        text += f", granularity = array<i64: {', '.join(map(str, granularity))}>"
    if at_most is not None:
        text += f", at_most = {at_most} : i64"
    return text + "}"
