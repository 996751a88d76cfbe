//===- SegmentTiles.cpp - Grouped GEMM: how a segment is tiled ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SegmentTiles.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static constexpr int64_t kWidthStep = 8;

/// Tiles of a segment that may get more rows to save a last one of few: loading
/// B for it costs as much as half a tile, and swapped tiles take a little
/// longer than their share of rows.
static constexpr int64_t kMostWide = 2;

Value SegmentTiles::countTiles(KernelBuilder &b, Value rows) const {
  if (extraRows == 0)
    return b.ceilDivide(rows, tileM);
  Value whole = b.divide(rows, tileM);
  Value rest = b.sub(rows, b.mul(whole, tileM));
  Value room = b.mul(b.minimum(whole, kMostWide), extraRows);
  return b.add(whole, b.select(b.isLess(room, rest), b.i32(1), b.i32(0)));
}

void SegmentTiles::setRows(KernelBuilder &b, TilePosition &tile, Value number,
                           Value rows, Value tiles) const {
  if (evenHeights) {
    // Tiles of any height are equally good: all of a segment's get the same, so
    // that none is left with few rows, for which to load B does not pay.
    Value even = b.ceilDivide(rows, tiles);
    Value height = b.mul(b.ceilDivide(even, kWidthStep), kWidthStep);
    tile.row = b.add(tile.row, b.mul(number, height));
    tile.end = b.minimum(tile.end, b.add(tile.row, height));
    return;
  }
  tile.row = b.add(tile.row, b.mul(number, tileM));
  if (extraRows == 0)
    return;
  // What whole tiles leave is spread over the last ones, or is the last one.
  Value whole = b.divide(rows, tileM);
  Value rest = b.sub(rows, b.mul(whole, tileM));
  Value wide =
      b.select(b.isLess(whole, tiles), b.i32(1), b.ceilDivide(rest, extraRows));
  Value narrow = b.sub(tiles, wide);
  Value isNarrow = b.isLess(number, narrow);
  Value extra = b.mul(b.sub(number, narrow), extraRows);
  tile.row = b.add(tile.row, b.select(isNarrow, b.i32(0), extra));
  Value height = b.select(isNarrow, b.i32(tileM), b.i32(tileM + extraRows));
  tile.end = b.minimum(tile.end, b.add(tile.row, height));
}

Value mlir::pit::hopper::isWholeTile(KernelBuilder &b, int64_t tileM,
                                     int64_t extraRows, TilePosition tile) {
  Value rows = b.sub(tile.end, tile.row);
  if (!extraRows)
    return b.compare(arith::CmpIPredicate::uge, rows, b.i32(tileM));
  int64_t least = tileM - tileM / 4 + 1;
  return b.compare(arith::CmpIPredicate::ule, b.sub(rows, least),
                   b.i32(tileM - least));
}
