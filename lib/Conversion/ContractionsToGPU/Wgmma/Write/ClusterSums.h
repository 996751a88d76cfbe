//===- ClusterSums.h - Sums over the blocks of a cluster --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERSUMS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERSUMS_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"

namespace mlir::pit::hopper {

/// The block's number in its cluster.
Value getRankInCluster(KernelBuilder &builder);

/// Waits for the threads of a cluster, but those that returned; what they did
/// to memory before is seen behind.
void syncCluster(KernelBuilder &builder);
/// The two halves of it: what threads do in between is seen by nobody yet.
void arriveAtCluster(KernelBuilder &builder);
void waitForCluster(KernelBuilder &builder);
/// The same for threads that share nothing with other blocks: memory is not
/// waited for.
void meetCluster(KernelBuilder &builder);

/// Adds what a thread of all blocks of a cluster holds. Blocks put their
/// values into their own shared memory, and read them from each other's. The
/// cluster has to wait for all its threads in between, and again before memory
/// is written anew or a block returns.
class ClusterSums {
public:
  /// Rows of a swapped accumulator that are added at a time, and the values a
  /// thread has of them.
  static constexpr int64_t kGroupRows = 16, kGroupValues = 8;

  explicit ClusterSums(const ContractionKernel &kernel) : kernel(kernel) {}

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  void prepare(KernelBuilder &builder, const KernelState &state, Value warp);
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
  int64_t getChunkBytes() const { return kernel.consumers * 128 * 16; }

  const ContractionKernel &kernel;
  Value own;
  SmallVector<Value> blocks;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERSUMS_H
