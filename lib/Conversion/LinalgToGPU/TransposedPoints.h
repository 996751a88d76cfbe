//===- TransposedPoints.h - Transpositions through shared memory -*- C++ -*-
//===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEDPOINTS_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEDPOINTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// An elementwise op of which some inputs lie along another loop than the
/// outputs.
struct TransposedLoops {
  /// Along which outputs lie, and these inputs.
  unsigned along, across;
  SmallVector<unsigned> inputs;
  /// All others.
  SmallVector<unsigned> outer;
};

/// Nothing for ops of other kinds, and where tiles would be empty for the most
/// part.
std::optional<TransposedLoops> matchTransposedLoops(linalg::LinalgOp op);

/// How many tiles there are, as an index value in front of the op.
Value createNumTiles(linalg::LinalgOp op, const TransposedLoops &loops);

/// Replaces the op, in a launch of blocks of `numThreads`, by a loop over tiles
/// of both loops: inputs go through shared memory, so that neighbouring threads
/// read neighbouring elements, and write such.
void distributeTransposedTiles(linalg::LinalgOp op,
                               const TransposedLoops &loops,
                               gpu::LaunchOp launch, int64_t numThreads);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEDPOINTS_H
