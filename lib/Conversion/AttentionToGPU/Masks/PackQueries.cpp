//===- PackQueries.cpp - What the last block makes of all lists -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries that leave their tiles are packed, and tiles sorted by their steps.
//
//===----------------------------------------------------------------------===//

#include "ListEmitter.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using Predicate = arith::CmpIPredicate;

/// Bits of a word's queries that leave their tile; none behind the last word.
Value ListEmitter::getMoved(Value point, Value word) {
  Value numWords = b.mul(b.number(lists.getTiles()), lists.queries / 32);
  Value moved = lists.getMoved(b, point, b.i32(0));
  return b.loadIf(b.isLess(word, numWords), b.element(moved, word, 4));
}

/// Numbers of all queries that leave, ascending; the last one fills its tile.
/// Each warp has as many words.
void ListEmitter::packQueries(Value point) {
  Value numWords = b.mul(b.number(lists.getTiles()), lists.queries / 32);
  Value perWarp = b.mul(b.ceilDivide(b.ceilDivide(numWords, 32), kWarps), 32);
  Value firstWord = b.mul(b.warp(), perWarp), end = b.add(firstWord, perWarp);
  Value ofWarp =
      b.forLoop(b.add(firstWord, b.lane()), end, b.i32(32), {b.i32(0)},
                [&](Value word, ValueRange carried) {
                  return SmallVector<Value>{
                      b.add(carried[0], b.popcount(getMoved(point, word)))};
                })[0];
  ofWarp = b.sumLanes(ofWarp);
  Value counts = b.sharedWords(kWarps);
  b.ifThen(b.isEqual(b.lane(), 0),
           [&] { storeWord(ofWarp, counts, b.warp()); });
  b.syncBlock();
  Value upTo = b.scanLanes(loadWord(counts, b.lane()));
  Value before = b.sub(b.readLane(upTo, b.warp()), ofWarp);
  Value total = b.readLane(upTo, b.i32(kWarps - 1));
  Value rows = lists.getRows(b, point, b.i32(0));
  b.forLoop(firstWord, end, b.i32(32), {before},
            [&](Value chunk, ValueRange carried) {
              Value word = b.add(chunk, b.lane());
              Value bits = getMoved(point, word), number = b.popcount(bits);
              Value rank =
                  b.add(carried[0], b.sub(b.scanLanes(number), number));
              writeNumbers(bits, b.mul(word, 32), rows, rank);
              return SmallVector<Value>{b.add(carried[0], b.sumLanes(number))};
            });
  b.ifThen(b.isEqual(b.threadId(), 0),
           [&] { b.store(total, lists.getNumPacked(b, point), 4); });
  b.syncBlock();
  Value padded = b.mul(b.ceilDivide(total, lists.queries), lists.queries);
  Value place = b.add(total, b.threadId());
  b.ifThen(b.isLess(place, padded),
           [&] { storeWord(loadWord(rows, b.sub(total, 1)), rows, place); });
}

/// Longest first, see Problem::getTileOfBlock: a tile's place is the number of
/// those in front of it.
void ListEmitter::sortTiles(Value point) {
  Value tiles = b.number(lists.getTiles());
  Value counts = lists.getNumSteps(b, point, b.i32(0));
  b.forLoop(b.threadId(), tiles, b.i32(kListThreads), {},
            [&](Value tile, ValueRange) {
              Value own = loadWord(counts, tile);
              Value place = b.forLoop(
                  b.i32(0), tiles, b.i32(1), {b.i32(0)},
                  [&](Value other, ValueRange carried) {
                    Value count = loadWord(counts, other);
                    Value isBefore =
                        b.bitOr(b.isLess(own, count),
                                b.bitAnd(b.compare(Predicate::eq, own, count),
                                         b.isLess(other, tile)));
                    return SmallVector<Value>{
                        b.add(carried[0], b.bitAnd(asMask(isBefore), 1))};
                  })[0];
              b.store(tile, lists.getOrder(b, point, place), 4);
              return SmallVector<Value>();
            });
}
