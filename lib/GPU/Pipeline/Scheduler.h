//===- Scheduler.h - Which block computes which tiles -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_SCHEDULER_H
#define PIT_LIB_GPU_PIPELINE_SCHEDULER_H

#include "Loader.h"

namespace mlir::pit::hopper {

/// Decides which tiles a block computes, and emits the loops over them: one for
/// the threads that load, one for those that multiply. Both see the same tiles
/// in the same order.
class Scheduler {
public:
  virtual ~Scheduler() = default;

  /// Emits, in one thread and before the block's first barrier, what sets up
  /// the scheduler's part of shared memory.
  virtual void initBarriers(KernelBuilder &builder) {}
  /// Emits, once, what does not depend on the tile.
  virtual void prepare(KernelBuilder &builder) = 0;

  /// Whether whole warps go through the loop of the loading threads, although
  /// one thread alone may load.
  virtual bool loadsInWarps() const { return false; }
  /// Emits the loop over the tiles in the loading warpgroup, together with the
  /// loader's `numSteps` steps per tile. `loadSteps` emits some of them; it
  /// takes and returns the place in the ring.
  using LoadSteps =
      function_ref<SmallVector<Value>(ValueRange ring, Value from, Value to)>;
  virtual void forEachTileToLoad(KernelBuilder &builder, Loader &loader,
                                 Value numSteps, LoadSteps loadSteps) = 0;
  /// Emits the loop over the tiles in the warpgroups that multiply; `body`
  /// takes and returns what is carried from tile to tile.
  using TileBody =
      function_ref<SmallVector<Value>(TilePosition tile, ValueRange carried)>;
  virtual void forEachTile(KernelBuilder &builder, ArrayRef<Value> carried,
                           TileBody body) = 0;
  /// How many tiles the loop over them had, if tiles are numbered.
  virtual Value getNumTiles() const { return Value(); }
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_SCHEDULER_H
