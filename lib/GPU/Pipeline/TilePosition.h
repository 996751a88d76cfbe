//===- TilePosition.h - Where a tile of the output lies ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_TILEPOSITION_H
#define PIT_LIB_GPU_PIPELINE_TILEPOSITION_H

#include "mlir/IR/Value.h"

namespace mlir::pit::hopper {

/// First row and column of a tile, i32.
struct TilePosition {
  Value row, column;
  /// Where the rows of the tile's segment end, and its number; null without
  /// segments.
  Value end, segment;
  /// The part to which the column belongs, i32; null if there is only one.
  Value part = {};
  /// Where the tile's k lie in a list, and how many steps they take, i32; null
  /// where all tiles have the same.
  Value firstK = {}, endK = {}, numSteps = {};
  /// How many tiles the block had before, i32; null if nothing hangs on it.
  Value number = {};
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_TILEPOSITION_H
