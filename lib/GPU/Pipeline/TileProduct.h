//===- TileProduct.h - How a tile is multiplied -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_TILEPRODUCT_H
#define PIT_LIB_GPU_PIPELINE_TILEPRODUCT_H

#include "Ring.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// Multiplies and writes tiles in the warpgroups that do.
class TileProduct {
public:
  virtual ~TileProduct() = default;

  /// Emits, in one thread and before the block's first barrier, what sets up
  /// its part of shared memory.
  virtual void initShared(KernelBuilder &builder) {}
  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  virtual void prepare(Ring &ring, Value warp) = 0;
  /// Emits a tile's products and what writes them, from this place in the ring
  /// on; returns the place after it.
  virtual SmallVector<Value> compute(Ring &ring, TilePosition tile,
                                     ValueRange position) = 0;
  /// Emits what follows the last tile.
  virtual void finish(Ring &ring) {}
  /// Whether a warpgroup's rows of a tile are 64 of its own, so that it has
  /// nothing to do where a segment ends before them.
  virtual bool hasRowsOfItsOwn() const { return false; }
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_TILEPRODUCT_H
