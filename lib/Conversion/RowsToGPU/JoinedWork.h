//===- JoinedWork.h - Work done where its input is made ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_JOINEDWORK_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_JOINEDWORK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::rows {

/// Elementwise work that alone reads what an op computes, so that a kernel does
/// it for each element and stores nothing else. It may read the result with
/// more axes, of one element.
struct JoinedWork {
  /// Null if there is none.
  linalg::LinalgOp op;
  /// What it reads: the other op's result, or a view of it.
  Value result;

  /// Which loop of `producer` each of the work's is; none where it has one
  /// step.
  SmallVector<std::optional<unsigned>>
  getLoops(linalg::LinalgOp producer) const;
};

/// Finds the work behind `producer`, whose one result starts from `start` (null
/// if it starts from what is there: then there is no such work). `reads` are
/// buffers that the kernel reads. With `keepsOrder`, all that the work writes
/// has its axes in the result's order.
JoinedWork findJoinedWork(linalg::LinalgOp producer, linalg::FillOp start,
                          ArrayRef<Value> reads, bool keepsOrder);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_JOINEDWORK_H
