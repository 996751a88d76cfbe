//===- Threads.h - What is worth several threads ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is counted in the units of `pit.parallel_range`: a simple operation on
// an element, about .15 ns.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_THREADS_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_THREADS_H

#include "PIT/Dialect/PIT/IR/PITThreads.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Multiply-adds of a matrix product in a unit.
inline constexpr int64_t kProductsPerUnit = 8;

/// Work as far as it is known at compile time.
class KnownWork {
public:
  /// An iteration takes one of `parts` of a unit.
  explicit KnownWork(int64_t parts = 1) : parts(parts) {}
  /// Work that is done so many times; ShapedType::kDynamic may be any number.
  void multiply(int64_t times);
  /// Whether there may be that much; never for a negative number.
  bool mayReach(int64_t units) const;

private:
  int64_t parts;
  int64_t iterations = 1;
  bool isKnown = true;
};

/// Units that a point of the iteration space of an op on buffers takes.
int64_t estimatePoint(linalg::LinalgOp op);

/// Whether the body of the op only computes, and accesses no memory but that of
/// its operands: points of parallel loops then are independent.
bool hasIndependentPoints(linalg::LinalgOp op);

/// Where temporary memory on the stack lies for code at the builder's place:
/// allocated once for a call, or for a thread's part of a range.
Block *getStackBlock(OpBuilder &builder);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_THREADS_H
