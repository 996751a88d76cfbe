//===- Cluster.h - Blocks of a cluster wait for each other ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_CLUSTER_H
#define PIT_LIB_GPU_PIPELINE_CLUSTER_H

#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// How often, per tile, the threads that multiply wait for their cluster if a
/// cluster shares a tile.
inline constexpr int kClusterSyncs = 2;

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

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_CLUSTER_H
