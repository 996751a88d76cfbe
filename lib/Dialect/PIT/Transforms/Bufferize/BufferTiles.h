//===- BufferTiles.h - Tiled ops on buffers to loops ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERTILES_H
#define PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERTILES_H

#include "Dialect/PIT/Transforms/Tiles/TileDomain.h"

namespace mlir::pit {

/// Replaces a tiled op on buffers by loops over its tiles. Packed operands and
/// segments become views; listed micro-tiles are copied into a buffer of the
/// tile and back. These buffers are left to the deallocation pipeline to free.
///
/// With `numBlocks` other than 0, an op of a function's top level whose tiles,
/// or at least segments, write apart becomes an `scf.forall` over at most that
/// many blocks, mapped to `#gpu.block<linear_dim_0>`.
void expandTilesOnBuffers(TiledOp op, int64_t numBlocks);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_BUFFERTILES_H
