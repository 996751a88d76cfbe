//===- SegmentFinder.cpp - The segment of a tile --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SegmentFinder.h"
#include "TileOrder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static constexpr int64_t kLanes = 32, kWidthStep = 8, kNoTile = -1;

/// Tiles of a segment that may get more rows to save a last one of few: loading
/// B for it costs as much as half a tile, and swapped tiles take a little
/// longer than their share of rows.
static constexpr int64_t kMostWide = 2;

SmallVector<Value> mlir::pit::hopper::getWords(TilePosition tile) {
  return {tile.row, tile.column, tile.end, tile.segment};
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

Value SegmentFinder::isTile(KernelBuilder &b, TilePosition tile) {
  return b.compare(arith::CmpIPredicate::sge, tile.segment, b.i32(0));
}

/// The first row of a segment, or the end of the last one.
Value SegmentFinder::readOffset(KernelBuilder &b, Value segment) const {
  Value bytes = b.mul(b.extend(b.minimum(segment, numSegments)), 8);
  Value offset = b.load(b.advance(offsets, bytes), b.getI64Type());
  return b.minimum(arith::TruncIOp::create(b, b.getI32Type(), offset), numRows);
}

SegmentCursor SegmentFinder::readSegments(KernelBuilder &b, Value first,
                                          Value before) const {
  SegmentCursor cursor;
  cursor.first = first;
  cursor.before = before;
  Value segment = b.add(first, lane);
  cursor.start = readOffset(b, segment);
  cursor.rows = b.sub(readOffset(b, b.add(segment, 1)), cursor.start);
  cursor.tilesUpTo = b.sumOfLanesBefore(countTiles(b, cursor.rows), lane);
  Value tiles = b.readLane(cursor.tilesUpTo, b.i32(kLanes - 1));
  cursor.after = b.add(before, b.mul(tiles, tilesN));
  return cursor;
}

Value SegmentFinder::countTiles(KernelBuilder &b, Value rows) const {
  if (extraRows == 0)
    return b.ceilDivide(rows, tileM);
  Value whole = b.divide(rows, tileM);
  Value rest = b.sub(rows, b.mul(whole, tileM));
  Value room = b.mul(b.minimum(whole, kMostWide), extraRows);
  return b.add(whole, b.select(b.isLess(room, rest), b.i32(1), b.i32(0)));
}

void SegmentFinder::setRows(KernelBuilder &b, TilePosition &tile, Value number,
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

std::pair<TilePosition, SegmentCursor>
SegmentFinder::find(KernelBuilder &b, Value number,
                    SegmentCursor cursor) const {
  auto isBehind = [&](const SegmentCursor &c) {
    return b.compare(arith::CmpIPredicate::uge, number, c.after);
  };
  SmallVector<Value> found = b.whileLoop(
      cursor.getValues(),
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        SegmentCursor here = SegmentCursor::fromValues(values);
        Value hasMore = b.isLess(b.add(here.first, kLanes), numSegments);
        return {b.bitAnd(isBehind(here), hasMore), llvm::to_vector(values)};
      },
      [&](ValueRange values) {
        SegmentCursor here = SegmentCursor::fromValues(values);
        return readSegments(b, b.add(here.first, kLanes), here.after)
            .getValues();
      });
  cursor = SegmentCursor::fromValues(found);

  // The first segment that ends behind the tile.
  Value none = isBehind(cursor);
  number = b.sub(number, cursor.before);
  Value segment = b.countLanes(b.compare(
      arith::CmpIPredicate::ule, b.mul(cursor.tilesUpTo, tilesN), number));
  Value tilesM = countTiles(b, cursor.rows);
  Value tilesBefore = b.readLane(b.sub(cursor.tilesUpTo, tilesM), segment);
  Value start = b.readLane(cursor.start, segment);
  Value rows = b.readLane(cursor.rows, segment);
  tilesM = b.readLane(tilesM, segment);
  // Without a tile, what is computed must only be defined.
  tilesM = b.select(none, b.i32(1), tilesM);
  number = b.select(none, b.i32(0), b.sub(number, b.mul(tilesBefore, tilesN)));
  TileNumbers numbers = getTileInGroups(b, number, tilesM, tilesN, groupM);
  TilePosition tile;
  tile.column = b.mul(numbers.n, tileN);
  tile.end = b.add(start, rows);
  tile.row = start;
  setRows(b, tile, numbers.m, rows, tilesM);
  tile.segment = b.select(none, b.i32(kNoTile), b.add(cursor.first, segment));
  return {tile, cursor};
}
