//===- StructuredOps.h - Structured ops distributed over threads ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_STRUCTUREDOPS_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_STRUCTUREDOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Which loops of a structured op are spread over threads. The others run in
/// order inside a thread: reductions, and parallel loops that the outputs do
/// not tell apart by a plain dimension.
struct ThreadLoops {
  /// The last one runs fastest along neighbouring threads.
  SmallVector<unsigned> distributed;
  SmallVector<unsigned> sequential;
  /// Outputs do not move with the sequential loops, so that they may be
  /// accumulated in registers.
  bool accumulates = false;
};

ThreadLoops chooseThreadLoops(linalg::LinalgOp op);

/// Elements that one thread combines for each point of its output; 1 if there
/// is no reduction, and dynamic if only the host or the device knows.
int64_t countElementsOfPoint(linalg::LinalgOp op);

/// The extents of the op's loops, as index values before the op.
SmallVector<Value> createLoopExtents(OpBuilder &builder, linalg::LinalgOp op);

/// The number of points that are spread over threads.
Value createThreadPoints(OpBuilder &builder, Location loc,
                         const ThreadLoops &loops, ArrayRef<Value> extents);

/// Clones the op's body at the point that the loops' variables `ivs` say, for
/// these values of its arguments, null where it does not use one. Returns what
/// it yields.
SmallVector<Value> clonePayload(OpBuilder &builder, linalg::LinalgOp op,
                                ArrayRef<Value> arguments, ArrayRef<Value> ivs);

/// Replaces the op by a loop over the points `first`, `first + stride`, ...,
/// of which every thread has its own.
void distributeStructuredOp(linalg::LinalgOp op, Value first, Value stride);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_STRUCTUREDOPS_H
