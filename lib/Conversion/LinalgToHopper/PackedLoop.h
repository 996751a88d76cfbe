//===- PackedLoop.h - The main loop over packed micro-tiles -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_PACKEDLOOP_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_PACKEDLOOP_H

#include "ContractionKernel.h"

namespace mlir::pit::hopper {

/// How many blocks a multiprocessor runs side by side: two of clusters, if they
/// have so few columns and so little shared memory. Clusters of many blocks
/// do not fill all multiprocessors (of 132 of an H200, fifteen clusters of
/// eight have 120), and one more would take a round of its own.
int64_t getBlocksAtOnce(const ContractionKernel &kernel);

/// What each of two such blocks can have: half of a multiprocessor's, which
/// keeps 1 KiB per block for itself.
inline constexpr int64_t kMostSharedOfTwo = 113 << 10;
/// Columns of a tile that leave registers for two.
inline constexpr int64_t kMostColumnsOfTwo = 128;

/// Emits the whole body of a kernel with packed micro-tiles.
void emitPackedLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                    const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_PACKEDLOOP_H
