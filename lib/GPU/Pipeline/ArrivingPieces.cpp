//===- ArrivingPieces.cpp - Rows that other ranks push --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody waits for ever. Pieces come from other ranks' streams, which push them
// without waiting for this kernel. A rank that fails breaks its communicator,
// which sets all words.
//
//===----------------------------------------------------------------------===//

#include "ArrivingPieces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static constexpr int64_t kLanes = 32, kWordBytes = 4;

/// The smallest, or the largest, of all lanes' numbers.
static Value reduceLanes(KernelBuilder &b, Value number, NVVM::ReduxKind kind) {
  return NVVM::ReduxOp::create(b, b.getI32Type(), number, kind, b.i32(-1));
}

static Value getWord(KernelBuilder &b, const ArrivingPieces &pieces,
                     Value piece) {
  return b.advance(pieces.arrived, b.mul(b.extend(piece), kWordBytes));
}

/// Whether a word is not set.
static Value isClear(KernelBuilder &b, Value word) {
  return b.isEqual(b.loadAcquire(word, /*scope=*/""), 0);
}

void mlir::pit::hopper::awaitWord(KernelBuilder &b, Value word) {
  auto pass = [](ValueRange values) { return llvm::to_vector(values); };
  b.whileLoop(
      {b.i32(0)},
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {isClear(b, word), pass(values)};
      },
      pass);
}

static Value isOther(KernelBuilder &b, const ArrivingPieces &pieces,
                     Value piece) {
  return b.compare(arith::CmpIPredicate::ne, piece, pieces.own);
}

/// Of the tile's rows, the smallest and the largest number. Lists need not
/// ascend.
static std::pair<Value, Value> findRows(KernelBuilder &b,
                                        const ArrivingPieces &pieces,
                                        TilePosition tile, Value lane,
                                        int64_t mostRows) {
  // A tile has a row or more.
  Value last = b.sub(tile.end, 1);
  Value least, most;
  int64_t bytes = pieces.rowNumberType.getIntOrFloatBitWidth() / 8;
  for (int64_t i = 0; i < mostRows; i += kLanes) {
    Value at = b.minimum(b.add(b.add(tile.row, lane), i), last);
    Value row = b.load(b.advance(pieces.rowNumbers, b.mul(b.extend(at), bytes)),
                       pieces.rowNumberType);
    row = b.truncate(row);
    least = least ? b.minimum(least, row) : row;
    most = most ? b.select(b.isLess(most, row), row, most) : row;
  }
  return {reduceLanes(b, least, NVVM::ReduxKind::UMIN),
          reduceLanes(b, most, NVVM::ReduxKind::UMAX)};
}

Value mlir::pit::hopper::awaitPieces(KernelBuilder &b,
                                     const ArrivingPieces &pieces,
                                     TilePosition tile, Value lane,
                                     int64_t mostRows) {
  auto [least, most] = findRows(b, pieces, tile, lane, mostRows);
  // Numbers behind the last row are of no piece.
  auto getPiece = [&](Value row) {
    return b.minimum(b.divide(row, pieces.rowsOfPiece), pieces.count - 1);
  };
  Value behind = b.add(getPiece(most), 1);
  b.forLoop(getPiece(least), behind, b.i32(1), {},
            [&](Value piece, ValueRange) {
              b.ifThen(isOther(b, pieces, piece),
                       [&] { awaitWord(b, getWord(b, pieces, piece)); });
              return SmallVector<Value>();
            });
  // Each lane looks at a few of all words.
  Value areMissing;
  for (int64_t i = 0; i < pieces.count; i += kLanes) {
    Value piece = b.minimum(b.add(lane, i), pieces.count - 1);
    Value found = b.bitAnd(isOther(b, pieces, piece),
                           isClear(b, getWord(b, pieces, piece)));
    areMissing = areMissing ? b.bitOr(areMissing, found) : found;
  }
  Value areAll = b.isEqual(b.countLanes(areMissing), 0);
  return b.select(areAll, b.i32(1), b.i32(0));
}

//===----------------------------------------------------------------------===//
// The order of tiles
//===----------------------------------------------------------------------===//

/// Of as many ranks, all segments are visited twice; of fewer, so many of each
/// as ranks there are. The own tiles of these take an eighth of a product's
/// time, and a second visit reads B once more.
static constexpr int64_t kRanksOfAll = 8;
/// Rows of a segment are of all pieces alike, but for chance: tiles that are
/// nearer to another piece than this part of a tile are not its own.
static constexpr int64_t kPartsOfTile = 4;

SegmentVisits SegmentVisits::ofPieces(KernelBuilder &b, int64_t pieces,
                                      Value own, Value numSegments) {
  SegmentVisits visits;
  visits.pieces = pieces;
  visits.own = own;
  visits.twice = pieces >= kRanksOfAll
                     ? numSegments
                     : b.divide(b.mul(numSegments, pieces), kRanksOfAll);
  return visits;
}

Value SegmentVisits::countVisits(KernelBuilder &b, Value numSegments) const {
  return pieces ? b.add(numSegments, twice) : numSegments;
}

Value SegmentVisits::getSegment(KernelBuilder &b, Value visit) const {
  if (!pieces)
    return visit;
  return b.select(b.isLess(visit, twice), visit, b.sub(visit, twice));
}

/// The first of the own tiles, and how many there are.
std::pair<Value, Value> SegmentVisits::findOwn(KernelBuilder &b,
                                               Value tiles) const {
  int64_t unit = kPartsOfTile * pieces;
  Value parts = b.mul(tiles, kPartsOfTile);
  // What lies beside another piece keeps away from it.
  Value first = b.select(b.isEqual(own, 0), b.i32(0),
                         b.ceilDivide(b.add(b.mul(parts, own), pieces), unit));
  Value ends = b.mul(parts, b.add(own, 1));
  // Below 0 without tiles.
  Value end = b.select(b.isEqual(own, pieces - 1), tiles,
                       b.sub(b.divide(b.add(ends, unit - pieces), unit), 1));
  Value isSome = b.compare(arith::CmpIPredicate::slt, first, end);
  return {first, b.select(isSome, b.sub(end, first), b.i32(0))};
}

Value SegmentVisits::countTiles(KernelBuilder &b, Value visit,
                                Value tiles) const {
  if (!pieces)
    return tiles;
  Value owned = findOwn(b, tiles).second;
  Value ofSecond =
      b.select(b.isLess(visit, b.mul(twice, 2)), b.sub(tiles, owned), tiles);
  return b.select(b.isLess(visit, twice), owned, ofSecond);
}

Value SegmentVisits::getTile(KernelBuilder &b, Value visit, Value number,
                             Value tiles) const {
  if (!pieces)
    return number;
  auto [first, owned] = findOwn(b, tiles);
  Value ofSecond =
      b.select(b.isLess(number, first), number, b.add(number, owned));
  ofSecond = b.select(b.isLess(visit, b.mul(twice, 2)), ofSecond, number);
  return b.select(b.isLess(visit, twice), b.add(first, number), ofSecond);
}
