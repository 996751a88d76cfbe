//===- StepListKernels.cpp - Kernels that make lists of steps -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel reads the mask, at the speed of memory: a block has a query, whose
// keys become bits, and counts them. In the other, a block has a tile of 128
// queries: it joins their bits into unions and intersections, with and without
// the queries that may leave. What follows are counts of steps. The last block
// of a mask packs the queries that leave, and sorts the tiles.
//
//===----------------------------------------------------------------------===//

#include "ListEmitter.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;
using Predicate = arith::CmpIPredicate;

/// How many live keys the thread's query has, of the first 128 threads; 0 of
/// the others, and of queries that are not there.
Value ListEmitter::loadNumKeys(Value point, Value first) {
  Value query = b.add(first, b.threadId());
  Value exists = b.bitAnd(b.isLess(b.threadId(), b.i32(lists.queries)),
                          b.isLess(query, getNumQueries()));
  return b.loadIf(exists, lists.getNumKeys(b, point, clampQuery(query)));
}

/// Joins the words of 128 queries; `leaving`, in shared memory, has a bit for
/// each that is left out of the last two of the arrays.
void ListEmitter::unite(Value point, Value first, Value leaving, Value unions) {
  constexpr int64_t kColumns = 64, kGroups = kListThreads / kColumns,
                    kArrays = 4;
  const int64_t perGroup = lists.queries / kGroups;
  Value parts = b.sharedWords(kArrays * kListThreads);
  Value column = b.bitAnd(b.threadId(), kColumns - 1),
        group = b.shiftRight(b.threadId(), llvm::Log2_64(kColumns));
  Value firstRow = b.mul(group, perGroup);
  Value out = b.shiftRight(loadWord(leaving, b.shiftRight(firstRow, 5)),
                           b.bitAnd(firstRow, 31));
  b.forLoop(b.i32(0), words, b.i32(kColumns), {}, [&](Value start, ValueRange) {
    Value place = b.add(start, column);
    Value clamped = b.minimum(place, b.sub(words, 1));
    SmallVector<Value> loaded;
    for (int64_t row = 0; row < perGroup; ++row) {
      Value query = clampQuery(b.add(b.add(first, firstRow), row));
      loaded.push_back(
          asLive(loadWord(lists.getBits(b, point, query), clamped)));
    }
    SmallVector<Value> sums{b.i32(0), b.i32(-1), b.i32(0), b.i32(-1)};
    for (auto [row, word] : llvm::enumerate(loaded)) {
      Value none = b.sub(b.i32(0), b.bitAnd(b.shiftRight(out, row), 1));
      sums[AnyOfAll] = b.bitOr(sums[AnyOfAll], word);
      sums[EachOfAll] = b.bitAnd(sums[EachOfAll], word);
      sums[AnyOfStaying] =
          b.bitOr(sums[AnyOfStaying], b.bitAnd(word, b.bitXor(none, -1)));
      sums[EachOfStaying] = b.bitAnd(sums[EachOfStaying], b.bitOr(word, none));
    }
    for (int64_t array = 0; array < kArrays; ++array)
      storeWord(sums[array], parts, b.add(b.threadId(), array * kListThreads));
    b.syncBlock();
    // A group joins the parts of one array.
    Value joins =
        b.bitAnd(b.isLess(group, b.i32(kArrays)), b.isLess(place, words));
    b.ifThen(joins, [&] {
      Value any, each;
      for (int64_t part = 0; part < kGroups; ++part) {
        Value word =
            loadWord(parts, b.add(b.add(b.mul(group, kListThreads), column),
                                  part * kColumns));
        any = any ? b.bitOr(any, word) : word;
        each = each ? b.bitAnd(each, word) : word;
      }
      Value isUnion = b.isEqual(b.bitAnd(group, 1), 0);
      storeWord(b.select(isUnion, any, each), unions,
                b.add(b.mul(group, words), place));
    });
    b.syncBlock();
    return SmallVector<Value>();
  });
}

/// How many bits the words of a step have.
Value ListEmitter::countStep(Value ofArray, Value step) {
  Value count;
  for (int64_t word = 0; word < wordsOfStep; ++word) {
    Value bits =
        b.popcount(loadWord(ofArray, b.add(b.mul(step, wordsOfStep), word)));
    count = count ? b.add(count, bits) : bits;
  }
  return count;
}

/// Whether a step of so many live keys is computed as it lies, and whether its
/// keys may be packed.
std::pair<Value, Value> ListEmitter::classify(Value count) {
  // Rows that are gathered take longer to load than those that lie in a box.
  Value isDense = b.isLess(b.i32(lists.keys / 4), count);
  Value isSparse = b.bitAnd(b.compare(Predicate::ne, count, b.i32(0)),
                            b.isEqual(asMask(isDense), 0));
  return {isDense, isSparse};
}

/// Counts of all threads, of both arrays: sums of integers, in any order.
std::array<ListEmitter::Counts, 2> ListEmitter::countSteps(Value ofAll,
                                                           Value ofStaying) {
  constexpr int64_t kCounts = 6;
  Value shared = b.sharedWords(kCounts);
  b.clearShared(shared, kCounts);
  b.syncBlock();
  SmallVector<Value> sums = b.forLoop(
      b.threadId(), steps, b.i32(kListThreads),
      SmallVector<Value>(kCounts, b.i32(0)),
      [&](Value step, ValueRange carried) {
        SmallVector<Value> result(carried);
        for (auto [i, array] : llvm::enumerate(ArrayRef({ofAll, ofStaying}))) {
          Value count = countStep(array, step);
          auto [isDense, isSparse] = classify(count);
          Value terms[] = {b.bitAnd(asMask(isDense), 1),
                           b.bitAnd(asMask(isSparse), 1),
                           b.bitAnd(asMask(isSparse), count)};
          for (auto [k, term] : llvm::enumerate(terms))
            result[3 * i + k] = b.add(result[3 * i + k], term);
        }
        return result;
      });
  for (int64_t i = 0; i < kCounts; ++i) {
    Value ofWarp = b.sumLanes(sums[i]);
    b.ifThen(b.bitAnd(b.isEqual(b.lane(), 0),
                      b.compare(Predicate::ne, ofWarp, b.i32(0))),
             [&] { b.atomicAdd(b.advance(shared, 4 * i), ofWarp); });
  }
  b.syncBlock();
  SmallVector<Value> total;
  for (int64_t i = 0; i < kCounts; ++i)
    total.push_back(loadWord(shared, b.i32(i)));
  return {Counts{total[0], total[1], total[2]},
          Counts{total[3], total[4], total[5]}};
}

/// Of a tile of such steps: the keys that are packed, 0 if it is better to pack
/// none; and how many steps it then has.
std::pair<Value, Value> ListEmitter::price(const Counts &counts) {
  Value packed = b.ceilDivide(counts.columns, lists.keys);
  Value isLess = b.bitAnd(
      b.isLess(packed, counts.sparse),
      b.compare(Predicate::ule, packed, b.i32(StepLists::kPackedSteps)));
  isLess = unlessOthers(isLess);
  return {b.select(isLess, counts.columns, b.i32(0)),
          b.add(counts.dense, b.select(isLess, packed, counts.sparse))};
}

/// Writes bits of live and of full steps, and of `numPacked` packed ones. With
/// `withoutSparse`, those with few live keys are left out.
void ListEmitter::writeSteps(Value point, Value tile, Value any, Value each,
                             Value withoutSparse, Value numPacked) {
  Value live = lists.getLive(b, point, tile),
        full = lists.getFull(b, point, tile);
  Value numWords = b.number(lists.getWordsOfSteps());
  b.forLoop(b.warp(), numWords, b.i32(kWarps), {}, [&](Value word, ValueRange) {
    Value step = b.add(b.mul(word, 32), b.lane());
    Value exists = b.isLess(step, steps);
    Value place = b.minimum(step, b.sub(steps, 1));
    auto [isDense, isSparse] = classify(countStep(any, place));
    Value isLive = b.bitOr(
        isDense, b.bitAnd(isSparse, b.isEqual(asMask(withoutSparse), 0)));
    Value all;
    for (int64_t i = 0; i < wordsOfStep; ++i) {
      Value bits = loadWord(each, b.add(b.mul(place, wordsOfStep), i));
      all = all ? b.bitAnd(all, bits) : bits;
    }
    Value ofLive = ballot(b.bitAnd(isLive, exists));
    Value ofFull = ballot(
        unlessOthers(b.bitAnd(b.bitAnd(b.isEqual(all, -1), isLive), exists)));
    b.ifThen(b.isEqual(b.lane(), 0), [&] {
      storeWord(ofLive, live, word);
      storeWord(ofFull, full, word);
    });
    return SmallVector<Value>();
  });
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    Value bits = b.sub(b.shiftLeft(b.i32(1), b.bitAnd(numPacked, 31)), 1);
    storeWord(b.select(b.isEqual(numPacked, 32), b.i32(-1), bits), live,
              numWords);
    storeWord(b.i32(0), full, numWords);
  });
}

/// Writes the numbers of a lane's bits, of which the lowest is `first`, one
/// behind the other from `place` on.
void ListEmitter::writeNumbers(Value bits, Value first, Value numbers,
                               Value place) {
  b.whileLoop(
      {bits, place},
      [&](ValueRange carried) {
        return std::pair(b.compare(Predicate::ne, carried[0], b.i32(0)),
                         SmallVector<Value>(carried));
      },
      [&](ValueRange carried) {
        Value rest = carried[0];
        Value bit = LLVM::CountTrailingZerosOp::create(
            b, b.getI32Type(), rest, /*is_zero_poison=*/false);
        storeWord(b.add(first, bit), numbers, carried[1]);
        return SmallVector<Value>{b.bitAnd(rest, b.sub(rest, 1)),
                                  b.add(carried[1], 1)};
      });
}

/// Writes the keys of steps with few live ones, ascending, by one warp, and
/// fills the last packed step with the last of them.
void ListEmitter::writeColumns(Value point, Value tile, Value any,
                               Value count) {
  Value columns = lists.getColumns(b, point, tile);
  b.ifThen(b.isEqual(b.warp(), 0), [&] {
    b.whileLoop(
        {b.i32(0), b.i32(0)},
        [&](ValueRange carried) {
          return std::pair(b.isLess(carried[0], words),
                           SmallVector<Value>(carried));
        },
        [&](ValueRange carried) {
          Value word = b.add(carried[0], b.lane());
          Value place = b.minimum(word, b.sub(words, 1));
          Value step = b.divide(place, wordsOfStep);
          auto [isDense, isSparse] = classify(countStep(any, step));
          Value bits =
              b.bitAnd(loadWord(any, place),
                       asMask(b.bitAnd(isSparse, b.isLess(word, words))));
          Value number = b.popcount(bits), upTo = b.scanLanes(number);
          Value first = b.add(carried[1], b.sub(upTo, number));
          writeNumbers(bits, b.mul(place, 32), columns, first);
          return SmallVector<Value>{b.add(carried[0], 32),
                                    b.add(carried[1], b.sumLanes(number))};
        });
  });
  b.syncBlock();
  Value padded = b.mul(b.ceilDivide(count, lists.keys), lists.keys);
  Value place = b.add(count, b.threadId());
  // A step has fewer keys than the block threads.
  b.ifThen(b.isLess(place, padded), [&] {
    storeWord(loadWord(columns, b.sub(count, 1)), columns, place);
  });
  b.syncBlock();
  writeBitsOfColumns(point, tile, count, padded);
}

/// The mask's bits of packed keys; those that fill the last step are dead.
void ListEmitter::writeBitsOfColumns(Value point, Value tile, Value count,
                                     Value padded) {
  constexpr int64_t kUnroll = 4;
  int64_t perWarp = lists.queries / kWarps;
  Value columns = lists.getColumns(b, point, tile);
  Value first = b.mul(b.warp(), perWarp);
  b.forLoop(b.i32(0), padded, b.i32(32), {}, [&](Value chunk, ValueRange) {
    Value place = b.add(chunk, b.lane());
    Value column = loadWord(columns, place);
    Value exists = b.isLess(place, count);
    b.forLoop(
        b.i32(0), b.i32(perWarp), b.i32(kUnroll), {},
        [&](Value row, ValueRange) {
          SmallVector<Value> loaded;
          for (int64_t u = 0; u < kUnroll; ++u) {
            Value query = b.add(b.add(first, row), u);
            Value bits = lists.getBits(
                b, point, clampQuery(b.add(getFirstQuery(tile), query)));
            loaded.push_back(asLive(loadWord(bits, b.shiftRight(column, 5))));
          }
          for (int64_t u = 0; u < kUnroll; ++u) {
            Value query = b.add(b.add(first, row), u);
            Value bit =
                b.bitAnd(b.shiftRight(loaded[u], b.bitAnd(column, 31)), 1);
            // As the mask has it.
            Value word = asLive(ballot(
                b.bitAnd(b.compare(Predicate::ne, bit, b.i32(0)), exists)));
            b.ifThen(b.isEqual(b.lane(), 0), [&] {
              storeWord(word, lists.getBitsOfColumns(b, point, tile, query),
                        b.shiftRight(chunk, 5));
            });
          }
          return SmallVector<Value>();
        });
    return SmallVector<Value>();
  });
}

/// Looks up, and tells the kernel of attention, whether the tile has numbers
/// that are neither 0 nor dead; returns the live keys of the thread's query.
Value ListEmitter::findOthers(Value point, Value tile, Value keys) {
  Value has = b.isEqual(keys, StepLists::kOthers);
  hasOthers = b.compare(Predicate::ne, b.countThreads(has), b.i32(0));
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    b.store(b.bitAnd(asMask(hasOthers), 1), lists.getOthers(b, point, tile), 4);
  });
  return b.select(has, b.i32(0), keys);
}

void ListEmitter::emit(Value point, Value tile) {
  Value first = getFirstQuery(tile);
  Value keys = loadNumKeys(point, first);
  if (lists.isAdded)
    keys = findOthers(point, tile, keys);
  // Queries of more than twice the mean of those that have a live key.
  Value has = b.compare(Predicate::ne, keys, b.i32(0));
  Value sum = b.sumBlock(keys), number = b.countThreads(has);
  Value isHeavy = b.isLess(b.mul(sum, 2), b.mul(keys, number));
  Value numHeavy = b.countThreads(isHeavy);
  Value heavy = ballot(isHeavy);
  Value missing = ballot(
      b.compare(Predicate::uge, b.add(first, b.threadId()), getNumQueries()));
  Value leaving = b.sharedWords(kWarps);
  b.ifThen(b.isEqual(b.lane(), 0),
           [&] { storeWord(b.bitOr(heavy, missing), leaving, b.warp()); });
  b.syncBlock();
  Value unions = lists.getUnions(b, point, tile);
  unite(point, first, leaving, unions);
  auto getArray = [&](Union which) {
    return b.element(unions, b.mul(words, int64_t(which)), 4);
  };
  auto [ofAll, ofStaying] =
      countSteps(getArray(AnyOfAll), getArray(AnyOfStaying));
  auto [columnsOfAll, stepsOfAll] = price(ofAll);
  auto [columnsOfStaying, stepsOfStaying] = price(ofStaying);
  // A packed query takes its share of a tile that meets all keys.
  Value before = b.mul(stepsOfAll, lists.queries);
  Value after =
      b.add(b.mul(stepsOfStaying, lists.queries), b.mul(steps, numHeavy));
  Value leave = b.bitAnd(
      b.bitAnd(b.compare(Predicate::ne, numHeavy, b.i32(0)),
               b.isLess(after, before)),
      b.compare(Predicate::ule, numHeavy, b.i32(lists.getMostPacked())));
  leave = unlessOthers(leave);
  b.ifThen(b.bitAnd(b.isEqual(b.lane(), 0),
                    b.isLess(b.warp(), b.i32(lists.queries / 32))),
           [&] {
             storeWord(b.bitAnd(heavy, asMask(leave)),
                       lists.getMoved(b, point, tile), b.warp());
           });
  Value any = b.select(leave, getArray(AnyOfStaying), getArray(AnyOfAll));
  Value each = b.select(leave, getArray(EachOfStaying), getArray(EachOfAll));
  Value columns = b.select(leave, columnsOfStaying, columnsOfAll);
  Value packs = b.compare(Predicate::ne, columns, b.i32(0));
  writeSteps(point, tile, any, each, packs, b.ceilDivide(columns, lists.keys));
  Value numSteps = b.select(leave, stepsOfStaying, stepsOfAll);
  b.ifThen(b.isEqual(b.threadId(), 0),
           [&] { b.store(numSteps, lists.getNumSteps(b, point, tile), 4); });
  b.ifThen(packs, [&] { writeColumns(point, tile, any, columns); });
  // The last block that is done sees what all have stored.
  Value shared = b.sharedWords(1);
  b.syncBlock();
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
    Value before = b.fetchAdd(lists.getListed(b, point), b.i32(1));
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
    storeWord(before, shared, b.i32(0));
  });
  b.syncBlock();
  Value last = b.sub(b.number(lists.getTiles()), 1);
  b.ifThen(b.compare(Predicate::eq, loadWord(shared, b.i32(0)), last), [&] {
    packQueries(point);
    sortTiles(point);
  });
}

Value mlir::pit::attention::emitLists(StepLists &lists, Kernel &b) {
  Value tiles = lists.getTiles();
  Value blocks = lists.problem.host.mul(lists.getPoints(), tiles);
  b.ifThen(b.isLess(b.blockId(), b.number(blocks)), [&] {
    Value perPoint = b.number(tiles);
    ListEmitter(lists, b).emit(b.divide(b.blockId(), perPoint),
                               b.remainder(b.blockId(), perPoint));
  });
  return blocks;
}
