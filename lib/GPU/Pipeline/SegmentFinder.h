//===- SegmentFinder.h - Grouped GEMM: the segment of a tile ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H
#define PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H

#include "ArrivingPieces.h"
#include "SegmentTiles.h"

namespace mlir::pit::hopper {

/// 32 visits of segments, one per lane: where the segment's rows start, how
/// many there are, and the tiles along m up to the visit's end. All lanes know
/// the number of the first one, and of tiles before and up to the end of
/// the 32.
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

/// Finds tiles, which are numbered visit after visit, without a table: a warp
/// that wants them in ascending order walks through the visits, 32 at a time
/// and one per lane, and never back.
struct SegmentFinder : SegmentTiles {
  /// i64, one more than there are segments; and the number of segments, i32.
  Value offsets, numSegments;
  /// i32: no row lies behind.
  Value numRows;
  /// i32: of the output, in tiles.
  Value tilesN;
  Value lane;
  int64_t tileN;
  /// Tiles along m that are computed side by side.
  int64_t groupM;
  /// Which tiles of a segment come when.
  SegmentVisits visits = {};

  SegmentCursor begin(KernelBuilder &builder) const {
    return readSegments(builder, builder.i32(0), builder.i32(0));
  }
  /// The tile of a number and where the walk stands then. Behind the last tile,
  /// there is none.
  std::pair<TilePosition, SegmentCursor>
  find(KernelBuilder &builder, Value number, SegmentCursor cursor) const;
  /// Whether `find` found one.
  static Value isTile(KernelBuilder &builder, TilePosition tile);

private:
  Value readOffset(KernelBuilder &builder, Value segment) const;
  SegmentCursor readSegments(KernelBuilder &builder, Value first,
                             Value before) const;
};

/// The position of a tile of a segment as four words.
SmallVector<Value> getWords(TilePosition tile);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_SEGMENTFINDER_H
