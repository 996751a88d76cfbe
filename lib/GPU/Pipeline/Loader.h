//===- Loader.h - How operands come into shared memory ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_LOADER_H
#define PIT_LIB_GPU_PIPELINE_LOADER_H

#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// Fills the stages of a ring in shared memory. The main loop waits until a
/// stage is empty, asks the loader to fill it, and goes on to the next; the
/// loader sees to it that the stage's full barrier completes once the stage is
/// filled.
class Loader {
public:
  virtual ~Loader() = default;

  /// How many arrivals complete a full barrier, besides bytes.
  virtual unsigned getNumArrivals() const = 0;
  /// Whether one thread does all of it, or the whole warpgroup takes part.
  virtual bool isSingleThreaded() const = 0;
  /// Whether consumers need a fence before they multiply what was loaded.
  virtual bool needsConsumerFence() const = 0;
  /// Registers per thread that the loading warpgroup keeps.
  virtual unsigned getNumRegisters() const = 0;

  /// Emits, once, what does not depend on the tile.
  virtual void prepare(KernelBuilder &builder) = 0;
  /// Values of a tile that are better read one tile ahead.
  virtual SmallVector<Value> prefetch(KernelBuilder &builder,
                                      TilePosition tile) {
    return {};
  }
  /// Emits what the stages of a tile share, given its prefetched values.
  virtual void beginTile(KernelBuilder &builder, TilePosition tile,
                         ValueRange prefetched) = 0;
  /// Values of the step from `k` on that are better read one step ahead. What
  /// is read for the step behind a tile's last one is not used.
  virtual SmallVector<Value> prefetchStep(KernelBuilder &builder, Value k) {
    return {};
  }
  /// Takes the prefetched values of the step that is loaded next.
  virtual void beginStep(ValueRange prefetched) {}
  /// Fills the stage at `stage`, which holds A and then B, with the operands
  /// from `k` on.
  virtual void load(KernelBuilder &builder, Value k, Value stage,
                    Value fullBarrier) = 0;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_LOADER_H
