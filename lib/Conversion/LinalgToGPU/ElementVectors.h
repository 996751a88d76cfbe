//===- ElementVectors.h - Elementwise ops, 16 bytes at a time ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_ELEMENTVECTORS_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_ELEMENTVECTORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// How many neighbouring points of an op whose loops are all spread over
/// threads a thread may compute together: as many as 16 bytes hold of the
/// narrowest operand, or fewer; 1 where operands do not lie so. All buffers are
/// taken to start at a multiple of 16 bytes (docs/RuntimeABI.md).
int64_t getPointsAtATime(linalg::LinalgOp op);

/// Replaces the op by a loop over the groups `first`, `first + stride`, ... of
/// `numPoints` neighbouring points, of which every thread has its own.
void distributePointsInGroups(linalg::LinalgOp op, int64_t numPoints,
                              Value first, Value stride);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_ELEMENTVECTORS_H
