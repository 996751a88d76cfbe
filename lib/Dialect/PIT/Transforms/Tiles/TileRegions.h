//===- TileRegions.h - What the regions of tiled ops do ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEREGIONS_H
#define PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEREGIONS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether the region sets the whole tile before it reads any of it. On tensors
/// and on buffers.
bool isOverwritten(BlockArgument tile);

/// The dimension of an operand's tile that lies along a dimension of the index;
/// -1 if none does.
int64_t getDimOfTile(TiledOp op, unsigned operand, int64_t indexDim);

/// The dimension of an operand's tile that lies along the coordinate, or -1.
int64_t getCoordinateDimOfTile(TiledOp op, unsigned operand);

/// Whether the op computes each row of packed or scattered results from the
/// same row of what it reads.
bool computesRows(TiledOp op);

/// Bytes of a row of an operand's tile: 0 if it has no columns, or no rows;
/// none where they are not known.
std::optional<int64_t> getBytesOfRow(TiledOp op, unsigned operand);

/// Whether both run over the same tiles of one list. Those that end with their
/// segments are tiles of a flat domain as well.
bool haveSameDomain(TiledOp a, TiledOp b);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEREGIONS_H
