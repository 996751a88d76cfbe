//===- SegmentTiles.h - Grouped GEMM: how a segment is tiled ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_SEGMENTTILES_H
#define PIT_LIB_GPU_PIPELINE_SEGMENTTILES_H

#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// Rows of a segment's tiles. Nothing here depends on other segments.
struct SegmentTiles {
  int64_t tileM;
  /// Rows that a segment's last tiles may have beyond `tileM`. Such a tile's
  /// end is where its own rows end, as is that of a tile with fewer.
  int64_t extraRows = 0;
  /// All tiles of a segment get the same height, a multiple of 8.
  bool evenHeights = false;

  /// Tiles along m of a segment of so many rows.
  Value countTiles(KernelBuilder &builder, Value rows) const;
  /// Makes the rows of a segment those of the tile of a number: `tile.row` is
  /// the segment's first, and `tile.end` behind its last.
  void setRows(KernelBuilder &builder, TilePosition &tile, Value number,
               Value rows, Value tiles) const;
};

/// Whether a tile of a segment has neither fewer rows than `tileM`, nor more.
/// Where others may have `extraRows` more, one that lacks less than a quarter
/// of its rows counts as whole: with operands swapped, shared memory is read
/// more often, which takes longer than to multiply what it lacks.
Value isWholeTile(KernelBuilder &builder, int64_t tileM, int64_t extraRows,
                  TilePosition tile);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_SEGMENTTILES_H
