//===- Writer.h - From accumulators to the output ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_WRITER_H
#define PIT_LIB_GPU_PIPELINE_WRITER_H

#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

#include <memory>

namespace mlir::pit::hopper {

/// Writes the 64 rows that a warpgroup computed.
class Writer {
public:
  virtual ~Writer() = default;

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  virtual void prepare(KernelBuilder &builder, Value warp) = 0;
  /// `row` is the first of the warp's 16 rows of the tile.
  virtual void write(KernelBuilder &builder, ArrayRef<Value> values, Value row,
                     TilePosition tile) = 0;
  /// Has the next write use 2 KB of the warp's beside those of its own.
  virtual void lend(Value buffer) {}
  /// Emits what waits, in the warp's first thread, until what was lent is free
  /// again.
  virtual void returnLent(KernelBuilder &builder) {}
  /// Emits what follows the last tile.
  virtual void finish(KernelBuilder &builder) {}
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_WRITER_H
