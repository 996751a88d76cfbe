//===- Ring.h - The ring of stages, as kernels walk it ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_RING_H
#define PIT_LIB_GPU_PIPELINE_RING_H

#include "BlockState.h"
#include "GPU/Kernel/KernelBuilder.h"
#include "Loader.h"
#include "PipelineShape.h"

#include <functional>

namespace mlir::pit::hopper {

class RowSignals;

/// A place in the ring of stages. The phase flips with every turn.
struct RingPosition {
  Value stage, phase;
};

/// The ring as the warpgroups that multiply see it.
class Ring {
public:
  Ring(KernelBuilder &builder, const PipelineShape &shape,
       const BlockState &state, bool needsFence)
      : b(builder), shape(shape), state(state), needsFence(needsFence) {}

  Value getFullBarrier(Value stage);
  Value getEmptyBarrier(Value stage);
  /// Completes when those who multiply may take a stage: when it is filled,
  /// unless dead rows of it have to be cleared first.
  Value getReadyBarrier(Value stage);
  RingPosition next(RingPosition position);
  /// The position so many steps later, fewer than there are stages.
  RingPosition advance(RingPosition position, Value steps);
  /// Initializes the barriers, in one thread, for a loader's arrivals.
  void initBarriers(int64_t arrivals);
  void waitUntilEmpty(RingPosition position);
  /// Fills a stage that is empty with the step from `k` on.
  void load(Loader &loader, RingPosition position, Value k);
  /// Waits until the stage of a tile's step is ready; returns its distance in a
  /// descriptor.
  Value begin(RingPosition position, Value step);
  /// Gives a stage back, in one thread of the warpgroup.
  void release(Value stage);
  /// The same in every lane, where lanes have read the stage by themselves.
  void releaseFromLanes(Value stage);
  /// Emits what else stands between a tile's products and what writes them.
  void afterProducts();

  KernelBuilder &b;
  const PipelineShape shape;
  const BlockState &state;
  /// Steps of a tile along k, unless the tile has a number of its own.
  Value numSteps;
  Value getNumSteps(const TilePosition &tile) const {
    return tile.numSteps ? tile.numSteps : numSteps;
  }
  /// Number of the warpgroup among those that multiply, and whether the thread
  /// is its first.
  Value consumer, isLeader;
  /// What signals rows to another kernel; null if nothing does.
  RowSignals *signals = nullptr;
  /// Emits loads of later steps, given the one that begins, where no warpgroup
  /// does nothing but load.
  std::function<void(RingPosition, Value step)> loadAhead;

private:
  bool needsFence;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_RING_H
