//===- StepListKernels.cpp - Kernels that make lists of steps -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has one tile of 128 queries. It reads the tile's bits twice: to count
// those of each query, and to join queries into unions and intersections, with
// and without the queries that may leave. What follows are counts of steps.
//
//===----------------------------------------------------------------------===//

#include "StepLists.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;
using Predicate = arith::CmpIPredicate;

namespace {

constexpr int64_t kWarps = kListThreads / 32;

class ListEmitter {
public:
  ListEmitter(StepLists &lists, Kernel &b)
      : lists(lists), b(b), words(b.number(lists.getWordsOfRow())),
        steps(b.number(lists.getSteps())), wordsOfStep(lists.keys / 32) {}

  void emitTile(Value point, Value tile);
  void emitPacked(Value point, Value packedTile);

private:
  /// Arrays that `unite` leaves, by word.
  enum Union { AnyOfAll, EachOfAll, AnyOfStaying, EachOfStaying };
  /// Steps of a tile by what they are made of.
  struct Counts {
    Value dense, sparse, columns;
  };

  Value getFirstQuery(Value tile) { return b.mul(tile, lists.queries); }
  Value clampQuery(Value query) {
    auto &problem = lists.problem;
    return b.minimum(query, b.number(problem.getLast(problem.getQueryAxis())));
  }
  Value loadWord(Value pointer, Value place) {
    return b.load(b.element(pointer, place, 4), b.getI32Type(), 4);
  }
  void storeWord(Value word, Value pointer, Value place) {
    b.store(word, b.element(pointer, place, 4), 4);
  }
  /// Bits of live keys, of which those behind the last one are none.
  Value asLive(Value word) {
    return lists.liveIf() ? word : b.bitXor(word, -1);
  }
  Value asMask(Value condition) {
    return b.select(condition, b.i32(-1), b.i32(0));
  }
  Value ballot(Value condition) {
    return NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), condition,
                                    NVVM::VoteSyncKind::ballot);
  }

  Value countKeys(Value point, Value first);
  void unite(Value point, function_ref<Value(Value)> getQuery, Value leaving,
             Value unions);
  Value countStep(Value ofArray, Value step);
  std::pair<Value, Value> classify(Value count);
  Counts countSteps(Value ofArray);
  std::pair<Value, Value> price(const Counts &counts);
  void writeSteps(Value point, Value tile, Value any, Value each,
                  Value withoutSparse, Value numPacked);
  void writeColumns(Value point, Value tile, Value any, Value count);
  void writeBitsOfColumns(Value point, Value tile, Value count, Value padded);

  StepLists &lists;
  Kernel &b;
  Value words, steps;
  int64_t wordsOfStep;
};

} // namespace

/// How many live keys the thread's query has, of the first 128 threads; 0 of
/// the others, and of queries that are not there.
Value ListEmitter::countKeys(Value point, Value first) {
  Value counts = b.sharedWords(lists.queries);
  int64_t perWarp = lists.queries / kWarps;
  Value firstOfWarp = b.mul(b.warp(), perWarp);
  SmallVector<Value> rows, zeros(perWarp, b.i32(0));
  for (int64_t row = 0; row < perWarp; ++row)
    rows.push_back(lists.getBits(
        b, point, clampQuery(b.add(b.add(first, firstOfWarp), row))));
  SmallVector<Value> sums = b.forLoop(
      b.lane(), words, b.i32(32), zeros, [&](Value word, ValueRange carried) {
        SmallVector<Value> result;
        for (auto [row, sum] : llvm::zip(rows, carried))
          result.push_back(b.add(sum, b.popcount(asLive(loadWord(row, word)))));
        return result;
      });
  for (auto [row, sum] : llvm::enumerate(sums)) {
    Value total = b.sumLanes(sum);
    b.ifThen(b.isEqual(b.lane(), 0),
             [&] { storeWord(total, counts, b.add(firstOfWarp, row)); });
  }
  b.syncBlock();
  auto &problem = lists.problem;
  Value exists =
      b.bitAnd(b.isLess(b.threadId(), b.i32(lists.queries)),
               b.isLess(b.add(first, b.threadId()),
                        b.number(problem.getExtent(problem.getQueryAxis()))));
  return b.choose(
      exists,
      [&] { return SmallVector<Value>{loadWord(counts, b.threadId())}; },
      [&] { return SmallVector<Value>{b.i32(0)}; })[0];
}

/// Joins the words of 128 queries; `leaving`, in shared memory if given, has a
/// bit for each that is left out of the last two of the arrays.
void ListEmitter::unite(Value point, function_ref<Value(Value)> getQuery,
                        Value leaving, Value unions) {
  constexpr int64_t kColumns = 64, kGroups = kListThreads / kColumns,
                    kUnroll = 8;
  const int64_t perGroup = lists.queries / kGroups, numArrays = leaving ? 4 : 2;
  Value parts = b.sharedWords(4 * kListThreads);
  Value column = b.bitAnd(b.threadId(), kColumns - 1),
        group = b.shiftRight(b.threadId(), llvm::Log2_64(kColumns));
  b.forLoop(b.i32(0), words, b.i32(kColumns), {}, [&](Value first, ValueRange) {
    Value place = b.minimum(b.add(first, column), b.sub(words, 1));
    Value out = leaving ? loadWord(leaving, group) : b.i32(0);
    SmallVector<Value> start{b.i32(0), b.i32(-1), b.i32(0), b.i32(-1)};
    SmallVector<Value> joined = b.forLoop(
        b.i32(0), b.i32(perGroup), b.i32(kUnroll), start,
        [&](Value row, ValueRange carried) {
          SmallVector<Value> sums(carried), loaded;
          for (int64_t u = 0; u < kUnroll; ++u) {
            Value query =
                getQuery(b.add(b.mul(group, perGroup), b.add(row, u)));
            loaded.push_back(
                asLive(loadWord(lists.getBits(b, point, query), place)));
          }
          for (int64_t u = 0; u < kUnroll; ++u) {
            Value bit = b.bitAnd(b.shiftRight(out, b.add(row, u)), 1);
            Value none = b.sub(b.i32(0), bit);
            sums[0] = b.bitOr(sums[0], loaded[u]);
            sums[1] = b.bitAnd(sums[1], loaded[u]);
            sums[2] = b.bitOr(sums[2], b.bitAnd(loaded[u], b.bitXor(none, -1)));
            sums[3] = b.bitAnd(sums[3], b.bitOr(loaded[u], none));
          }
          return sums;
        });
    for (int64_t array = 0; array < numArrays; ++array)
      storeWord(joined[array], parts,
                b.add(b.threadId(), array * kListThreads));
    b.syncBlock();
    // A group joins the parts of one array.
    Value wanted = b.bitAnd(b.isLess(group, b.i32(numArrays)),
                            b.isLess(b.add(first, column), words));
    b.ifThen(wanted, [&] {
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
                b.add(b.mul(group, words), b.add(first, column)));
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

ListEmitter::Counts ListEmitter::countSteps(Value ofArray) {
  Value zero = b.i32(0);
  SmallVector<Value> sums =
      b.forLoop(b.threadId(), steps, b.i32(kListThreads), {zero, zero, zero},
                [&](Value step, ValueRange carried) {
                  Value count = countStep(ofArray, step);
                  auto [isDense, isSparse] = classify(count);
                  return SmallVector<Value>{
                      b.add(carried[0], b.bitAnd(asMask(isDense), 1)),
                      b.add(carried[1], b.bitAnd(asMask(isSparse), 1)),
                      b.add(carried[2], b.bitAnd(asMask(isSparse), count))};
                });
  return {b.sumBlock(sums[0]), b.sumBlock(sums[1]), b.sumBlock(sums[2])};
}

/// Of a tile of such steps: the keys that are packed, 0 if it is better to pack
/// none; and how many steps it then has.
std::pair<Value, Value> ListEmitter::price(const Counts &counts) {
  Value packed = b.ceilDivide(counts.columns, lists.keys);
  Value isLess = b.bitAnd(
      b.isLess(packed, counts.sparse),
      b.compare(Predicate::ule, packed, b.i32(StepLists::kPackedSteps)));
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
    Value ofFull =
        ballot(b.bitAnd(b.bitAnd(b.isEqual(all, -1), isLive), exists));
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
          b.whileLoop(
              {bits, first},
              [&](ValueRange inner) {
                return std::pair(b.compare(Predicate::ne, inner[0], b.i32(0)),
                                 SmallVector<Value>(inner));
              },
              [&](ValueRange inner) {
                Value bit = LLVM::CountTrailingZerosOp::create(
                    b, b.getI32Type(), inner[0], /*is_zero_poison=*/false);
                storeWord(b.add(b.mul(place, 32), bit), columns, inner[1]);
                return SmallVector<Value>{
                    b.bitAnd(inner[0], b.sub(inner[0], 1)), b.add(inner[1], 1)};
              });
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

void ListEmitter::emitTile(Value point, Value tile) {
  Value first = getFirstQuery(tile);
  Value keys = countKeys(point, first);
  // Queries of more than twice the mean of those that have a live key.
  Value has = b.compare(Predicate::ne, keys, b.i32(0));
  Value sum = b.sumBlock(keys), number = b.countThreads(has);
  Value isHeavy = b.isLess(b.mul(sum, 2), b.mul(keys, number));
  Value numHeavy = b.countThreads(isHeavy);
  Value heavy = ballot(isHeavy);
  auto &problem = lists.problem;
  Value isMissing =
      b.compare(Predicate::uge, b.add(first, b.threadId()),
                b.number(problem.getExtent(problem.getQueryAxis())));
  Value missing = ballot(isMissing);
  Value leaving = b.sharedWords(kWarps);
  b.ifThen(b.isEqual(b.lane(), 0),
           [&] { storeWord(b.bitOr(heavy, missing), leaving, b.warp()); });
  b.syncBlock();
  Value unions = lists.getUnions(b, point, tile);
  unite(
      point, [&](Value row) { return clampQuery(b.add(first, row)); }, leaving,
      unions);
  auto getArray = [&](Union which) {
    return b.element(unions, b.mul(words, int64_t(which)), 4);
  };
  auto [columnsOfAll, stepsOfAll] = price(countSteps(getArray(AnyOfAll)));
  auto [columnsOfRest, stepsOfRest] = price(countSteps(getArray(AnyOfStaying)));
  // A packed query takes its share of a tile that meets all keys.
  Value before = b.mul(stepsOfAll, lists.queries);
  Value after =
      b.add(b.mul(stepsOfRest, lists.queries), b.mul(steps, numHeavy));
  Value leave = b.bitAnd(
      b.bitAnd(b.compare(Predicate::ne, numHeavy, b.i32(0)),
               b.isLess(after, before)),
      b.compare(Predicate::ule, numHeavy, b.i32(lists.getMostPacked())));
  b.ifThen(b.bitAnd(b.isEqual(b.lane(), 0),
                    b.isLess(b.warp(), b.i32(lists.queries / 32))),
           [&] {
             storeWord(b.bitAnd(heavy, asMask(leave)),
                       lists.getMoved(b, point, tile), b.warp());
           });
  Value any = b.select(leave, getArray(AnyOfStaying), getArray(AnyOfAll));
  Value each = b.select(leave, getArray(EachOfStaying), getArray(EachOfAll));
  Value columns = b.select(leave, columnsOfRest, columnsOfAll);
  Value packs = b.compare(Predicate::ne, columns, b.i32(0));
  writeSteps(point, tile, any, each, packs, b.ceilDivide(columns, lists.keys));
  b.ifThen(packs, [&] { writeColumns(point, tile, any, columns); });
}

void ListEmitter::emitPacked(Value point, Value packedTile) {
  auto &problem = lists.problem;
  Value tile = b.add(packedTile, b.number(lists.getTiles()));
  Value rows = lists.getRows(b, point, tile);
  Value firstRank = b.mul(packedTile, lists.queries);
  int64_t wordsOfTile = lists.queries / 32;
  Value numWords = b.number(problem.host.mul(lists.getTiles(), wordsOfTile));
  Value moved = lists.getMoved(b, point, b.i32(0));
  Value shared = b.sharedWords(2);
  b.ifThen(b.isEqual(b.warp(), 0), [&] {
    SmallVector<Value> found = b.whileLoop(
        {b.i32(0), b.i32(0)},
        [&](ValueRange carried) {
          return std::pair(b.isLess(carried[0], numWords),
                           SmallVector<Value>(carried));
        },
        [&](ValueRange carried) {
          Value word = b.add(carried[0], b.lane());
          Value exists = b.isLess(word, numWords);
          Value bits =
              b.bitAnd(loadWord(moved, b.minimum(word, b.sub(numWords, 1))),
                       asMask(exists));
          Value number = b.popcount(bits), upTo = b.scanLanes(number);
          Value rank = b.add(carried[1], b.sub(upTo, number));
          b.whileLoop(
              {bits, rank},
              [&](ValueRange inner) {
                return std::pair(b.compare(Predicate::ne, inner[0], b.i32(0)),
                                 SmallVector<Value>(inner));
              },
              [&](ValueRange inner) {
                Value bit = LLVM::CountTrailingZerosOp::create(
                    b, b.getI32Type(), inner[0], /*is_zero_poison=*/false);
                // Below the tile's first, the difference is large.
                Value place = b.sub(inner[1], firstRank);
                b.ifThen(b.isLess(place, b.i32(lists.queries)), [&] {
                  storeWord(b.add(b.mul(word, 32), bit), rows, place);
                });
                return SmallVector<Value>{
                    b.bitAnd(inner[0], b.sub(inner[0], 1)), b.add(inner[1], 1)};
              });
          return SmallVector<Value>{b.add(carried[0], 32),
                                    b.add(carried[1], b.sumLanes(number))};
        });
    b.ifThen(b.isEqual(b.lane(), 0),
             [&] { storeWord(found[1], shared, b.i32(0)); });
  });
  b.syncBlock();
  Value total = loadWord(shared, b.i32(0));
  b.ifThen(b.bitAnd(b.isEqual(b.threadId(), 0), b.isEqual(packedTile, 0)),
           [&] { b.store(total, lists.getNumPacked(b, point), 4); });
  b.ifThen(b.isLess(firstRank, total), [&] {
    Value count = b.minimum(b.sub(total, firstRank), lists.queries);
    // The last query stands for those that fill the tile.
    b.ifThen(b.bitAnd(b.compare(Predicate::uge, b.threadId(), count),
                      b.isLess(b.threadId(), b.i32(lists.queries))),
             [&] {
               storeWord(loadWord(rows, b.sub(count, 1)), rows, b.threadId());
             });
    b.syncBlock();
    Value unions = lists.getUnions(b, point, tile);
    unite(
        point, [&](Value row) { return loadWord(rows, row); }, Value(), unions);
    Value none = arith::ConstantOp::create(b, b.getBoolAttr(false));
    writeSteps(point, tile, unions, b.element(unions, words, 4), none,
               b.i32(0));
  });
}

/// A block for each of `each` tiles of all points of the mask's batch.
static Value forEachBlock(StepLists &lists, Kernel &b, Value each,
                          void (ListEmitter::*emit)(Value, Value)) {
  Value blocks = lists.problem.host.mul(lists.getPoints(), each);
  b.ifThen(b.isLess(b.blockId(), b.number(blocks)), [&] {
    Value perPoint = b.number(each);
    (ListEmitter(lists, b).*emit)(b.divide(b.blockId(), perPoint),
                                  b.remainder(b.blockId(), perPoint));
  });
  return blocks;
}

Value mlir::pit::attention::emitListsOfTiles(StepLists &lists, Kernel &b) {
  return forEachBlock(lists, b, lists.getTiles(), &ListEmitter::emitTile);
}

Value mlir::pit::attention::emitPackedTiles(StepLists &lists, Kernel &b) {
  return forEachBlock(lists, b, lists.getPackedTiles(),
                      &ListEmitter::emitPacked);
}
