//===- ListSearch.h - Where a position of a list belongs --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_LISTS_LISTSEARCH_H
#define PIT_LIB_GPU_LISTS_LISTSEARCH_H

#include "GPU/Host/Kernel.h"

namespace mlir::pit::sums {

using detect::HostMath;
using detect::Kernel;

/// The lists of an index in memory: buffers of rank 0, and what the host knows
/// of them.
struct SourceLists {
  Value offsets, coords, numSegments;
  /// Bits of a coordinate.
  int64_t width = 32;
};

/// Whether `index` was put together by `pit.assemble` from contiguous buffers.
bool hasPlainLists(Value index);
/// The lists of `index`; fails where it has no plain ones.
FailureOr<SourceLists> getLists(Value index, HostMath &host);
/// How a remark says that.
inline constexpr StringLiteral kNoPlainLists =
    "its lists were not put together by 'pit.assemble' from contiguous buffers";

/// The number of an index value's element with this extent in its type, or the
/// host value that says it.
Value getExtent(HostMath &host, Value buffer, int64_t dim);

/// The base of a buffer that starts there.
Value getBase(HostMath &host, Value buffer);

/// The offset number `i`, i64.
Value loadOffset(Kernel &b, Value offsets, Value i);
/// The coordinate at a position, i64.
Value loadCoordinate(Kernel &b, const SourceLists &lists, Value position);
/// The segment, i32, that a listed position (i64) is in: a binary search.
Value findSegment(Kernel &b, const SourceLists &lists, Value position);

/// The first position that a segment has, and the one behind the last, i64.
/// Only lists of several segments may be a part of longer ones.
std::pair<Value, Value> loadPositions(Kernel &b, const SourceLists &lists);

/// Runs `body` for the numbers from `begin` to below `end`, i64, each in one
/// thread.
void forAll(Kernel &b, Value begin, Value end, function_ref<void(Value)> body);

} // namespace mlir::pit::sums

#endif // PIT_LIB_GPU_LISTS_LISTSEARCH_H
