//===- TileOrder.h - Rasterisation: the order of tiles ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_TILEORDER_H
#define PIT_LIB_GPU_PIPELINE_TILEORDER_H

#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// Row and column numbers, in tiles.
struct TileNumbers {
  Value m, n;
};

/// Where the tile of a number lies among `tilesM` x `tilesN`: in groups that
/// are `groupM` tiles high and as wide as the output, column by column within a
/// group, so that what runs at the same time shares B in the L2 cache.
TileNumbers getTileInGroups(KernelBuilder &builder, Value number, Value tilesM,
                            Value tilesN, int64_t groupM);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_TILEORDER_H
