//===- SegmentFinder.h - The segment of a tile ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H
#define PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H

#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// 32 segments, one per lane: where its rows start, how many there are, and the
/// tiles along m up to its end. All lanes know the number of the first one, and
/// of tiles before and up to the end of the 32.
struct SegmentCursor {
  Value first, before, after;
  Value start, rows, tilesUpTo;

  static constexpr unsigned kNumValues = 6;
  static SegmentCursor fromValues(ValueRange v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5]};
  }
  SmallVector<Value> getValues() const {
    return {first, before, after, start, rows, tilesUpTo};
  }
};

/// Finds tiles, which are numbered segment after segment, without a table: a
/// warp that wants them in ascending order walks through the segments, 32 at a
/// time and one per lane, and never back.
struct SegmentFinder {
  /// i64, one more than there are segments; and the number of segments, i32.
  Value offsets, numSegments;
  /// i32: no row lies behind.
  Value numRows;
  /// i32: of the output, in tiles.
  Value tilesN;
  Value lane;
  int64_t tileM, tileN;
  /// Rows that a segment's last tiles may have beyond `tileM`. Such a tile's
  /// end is where its own rows end, as is that of a tile with fewer.
  int64_t extraRows = 0;
  /// Tiles along m that are computed side by side.
  int64_t groupM;
  /// All tiles of a segment get the same height, a multiple of 8.
  bool evenHeights = false;

  SegmentCursor begin(KernelBuilder &builder) const {
    return readSegments(builder, builder.i32(0), builder.i32(0));
  }
  /// The tile of a number and where the walk stands then. Behind the last tile,
  /// there is none.
  std::pair<TilePosition, SegmentCursor>
  find(KernelBuilder &builder, Value number, SegmentCursor cursor) const;
  /// Whether `find` found one.
  static Value isTile(KernelBuilder &builder, TilePosition tile);

  /// Tiles along m of a segment of so many rows.
  Value countTiles(KernelBuilder &builder, Value rows) const;
  /// Makes the rows of a segment those of the tile of a number: `tile.row` is
  /// the segment's first, and `tile.end` behind its last.
  void setRows(KernelBuilder &builder, TilePosition &tile, Value number,
               Value rows, Value tiles) const;

private:
  Value readOffset(KernelBuilder &builder, Value segment) const;
  SegmentCursor readSegments(KernelBuilder &builder, Value first,
                             Value before) const;
};

/// Whether a tile of a segment has neither fewer rows than `tileM`, nor more.
/// Where others may have `extraRows` more, one that lacks less than a quarter
/// of its rows counts as whole: with operands swapped, shared memory is read
/// more often, which takes longer than to multiply what it lacks.
Value isWholeTile(KernelBuilder &builder, int64_t tileM, int64_t extraRows,
                  TilePosition tile);

/// The position of a tile of a segment as four words.
SmallVector<Value> getWords(TilePosition tile);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H
