//===- Elements.h - Element types and values as doubles ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_ELEMENTS_H
#define PIT_TOOLS_PIT_RUN_ELEMENTS_H

#include "pit_runtime.h"

#include <cstddef>
#include <cstdint>

namespace pit::run {

bool isFloat(pit_dtype dtype);

/// Reads element `i`. Integers beyond 2^53 are rounded.
double load(pit_dtype dtype, const void *data, int64_t i);

/// Stores `value` as element `i`, rounded to nearest even for floats.
void store(pit_dtype dtype, void *data, int64_t i, double value);

/// Compares element `i` of both for --check: integers bit by bit, floats with
/// -0 == +0 and NaN == NaN.
bool sameElement(pit_dtype dtype, const void *a, const void *b, int64_t i);

/// The distance from |value| to the next larger value of a float type.
double ulp(pit_dtype dtype, double value);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_ELEMENTS_H
