//===- ClusterSums.h - Split-K: sums over a cluster's blocks ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_CLUSTERSUMS_H
#define PIT_LIB_GPU_PIPELINE_CLUSTERSUMS_H

#include "BlockState.h"
#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// Blocks of a cluster, threads of each that multiply, and where in shared
/// memory a block has its part of the sums.
struct ClusterShape {
  int64_t blocks, threads, offset;
};

/// Adds what a thread of all blocks of a cluster holds. Blocks put their
/// values into their own shared memory, and read them from each other's. The
/// cluster has to wait for all its threads in between, and again before memory
/// is written anew or a block returns.
class ClusterSums {
public:
  /// Rows of a swapped accumulator that are added at a time, and the values a
  /// thread has of them.
  static constexpr int64_t kGroupRows = 16, kGroupValues = 8;

  explicit ClusterSums(ClusterShape shape) : shape(shape) {}

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  void prepare(KernelBuilder &builder, const BlockState &state, Value warp);
  /// Stores the thread's values for others, as groups from number `first` on.
  void publish(KernelBuilder &builder, ArrayRef<Value> values, int64_t first);
  /// The values of a group, added up in the order of the blocks; those that the
  /// same lane of another warp has, if it is `distance` behind this one.
  SmallVector<Value> add(KernelBuilder &builder, Value group,
                         Value distance = Value());

private:
  /// A thread stores and loads four values at a time, next to its neighbours'.
  static constexpr int64_t kChunkValues = 4;
  static constexpr int64_t kChunks = kGroupValues / kChunkValues;
  int64_t getChunkBytes() const { return shape.threads * 16; }

  const ClusterShape shape;
  Value own;
  SmallVector<Value> blocks;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_CLUSTERSUMS_H
