//===- MMATileLoop.h - Tile scheduler of mma.sync kernels -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILELOOP_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILELOOP_H

#include "MMAState.h"

namespace mlir::pit::mma {

/// Tiles of all batches, of a kernel without segments.
Value countTiles(MMABuilder &builder, const MMAKernel &kernel,
                 const MMAState &state);

/// Emits the loop over a block's tiles: those numbered `blockIdx`, `blockIdx +
/// gridDim`, ... Tiles of segments are numbered segment after segment; each
/// warp finds them by itself, from offsets that it reads on the device.
void forEachTile(MMABuilder &builder, const MMAKernel &kernel,
                 const MMAState &state,
                 function_ref<void(TilePosition tile)> body);

} // namespace mlir::pit::mma

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILELOOP_H
