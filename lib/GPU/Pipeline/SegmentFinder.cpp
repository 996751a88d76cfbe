//===- SegmentFinder.cpp - Grouped GEMM: the segment of a tile ------------===//
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

static constexpr int64_t kLanes = 32, kNoTile = -1;

SmallVector<Value> mlir::pit::hopper::getWords(TilePosition tile) {
  return {tile.row, tile.column, tile.end, tile.segment};
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
  Value visit = b.add(first, lane);
  Value segment = visits.getSegment(b, visit);
  cursor.start = readOffset(b, segment);
  cursor.rows = b.sub(readOffset(b, b.add(segment, 1)), cursor.start);
  Value count = visits.countTiles(b, visit, countTiles(b, cursor.rows));
  cursor.tilesUpTo = b.sumOfLanesBefore(count, lane);
  Value tiles = b.readLane(cursor.tilesUpTo, b.i32(kLanes - 1));
  cursor.after = b.add(before, b.mul(tiles, tilesN));
  return cursor;
}

std::pair<TilePosition, SegmentCursor>
SegmentFinder::find(KernelBuilder &b, Value number,
                    SegmentCursor cursor) const {
  Value numVisits = visits.countVisits(b, numSegments);
  auto isBehind = [&](const SegmentCursor &c) {
    return b.compare(arith::CmpIPredicate::uge, number, c.after);
  };
  SmallVector<Value> values = b.whileLoop(
      cursor.getValues(),
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        SegmentCursor here = SegmentCursor::fromValues(values);
        Value hasMore = b.isLess(b.add(here.first, kLanes), numVisits);
        return {b.bitAnd(isBehind(here), hasMore), llvm::to_vector(values)};
      },
      [&](ValueRange values) {
        SegmentCursor here = SegmentCursor::fromValues(values);
        return readSegments(b, b.add(here.first, kLanes), here.after)
            .getValues();
      });
  cursor = SegmentCursor::fromValues(values);

  // The first visit that ends behind the tile.
  Value none = isBehind(cursor);
  number = b.sub(number, cursor.before);
  Value found = b.countLanes(b.compare(
      arith::CmpIPredicate::ule, b.mul(cursor.tilesUpTo, tilesN), number));
  Value visit = b.add(cursor.first, found);
  Value ofSegment = countTiles(b, cursor.rows);
  Value tilesM = visits.countTiles(b, b.add(cursor.first, lane), ofSegment);
  Value tilesBefore = b.readLane(b.sub(cursor.tilesUpTo, tilesM), found);
  Value start = b.readLane(cursor.start, found);
  Value rows = b.readLane(cursor.rows, found);
  ofSegment = b.readLane(ofSegment, found);
  tilesM = b.readLane(tilesM, found);
  // Without a tile, what is computed must only be defined.
  tilesM = b.select(none, b.i32(1), tilesM);
  ofSegment = b.select(none, b.i32(1), ofSegment);
  number = b.select(none, b.i32(0), b.sub(number, b.mul(tilesBefore, tilesN)));
  TileNumbers numbers = getTileInGroups(b, number, tilesM, tilesN, groupM);
  TilePosition tile;
  tile.column = b.mul(numbers.n, tileN);
  tile.end = b.add(start, rows);
  tile.row = start;
  setRows(b, tile, visits.getTile(b, visit, numbers.m, ofSegment), rows,
          ofSegment);
  tile.segment = b.select(none, b.i32(kNoTile), visits.getSegment(b, visit));
  return {tile, cursor};
}
