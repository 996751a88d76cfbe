//===- StepWalk.cpp - From one live step of a tile to the next ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepWalk.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;
using Predicate = arith::CmpIPredicate;

StepWalk::StepWalk(Kernel &b, Problem &problem, TileStates *states, Value tile,
                   int64_t rows, int64_t columns, Along along)
    : b(b), states(states), along(along), tile(tile), rows(rows),
      columns(columns) {
  unsigned ofColumns = problem.getKeyAxis(), ofRows = problem.getQueryAxis();
  if (along == Along::Queries)
    std::swap(ofColumns, ofRows);
  Value extent = problem.getExtent(ofColumns);
  int64_t known = problem.getKnownExtent(ofColumns);
  hasTail = ShapedType::isDynamic(known) || known % columns != 0;
  endOfSteps = b.number(problem.getTiles(ofColumns, columns));
  numColumns = b.number(extent);
  lastRow = b.number(problem.getLast(ofRows));
}

StepWalk::StepWalk(Kernel &b, const ListedSteps &listed, int64_t columns)
    : b(b), listed(listed), columns(columns) {}

StepWalk::State StepWalk::begin(Value all) {
  if (!states && !listed)
    return {firstStep ? firstStep : b.i32(0)};
  // The number of the next 32 steps, those that live of the last ones, those
  // of them that are full.
  if (listed)
    all = b.bitOr(all, listed->all);
  Value word = firstStep ? b.shiftRight(firstStep, 5) : b.i32(0);
  return {word, b.i32(0), b.i32(0), all};
}

/// Bits of 32 steps, for all lanes: those that are not dead, and full ones.
std::pair<Value, Value> StepWalk::evaluate(Value word, Value all) {
  auto vote = [&](Value condition) -> Value {
    return NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), condition,
                                    NVVM::VoteSyncKind::ballot);
  };
  Value step = b.add(b.mul(word, 32), b.lane());
  Value exists = b.isLess(step, endOfSteps);
  if (firstStep)
    exists = b.bitAnd(exists, b.compare(Predicate::uge, step, firstStep));
  // What is read of lanes behind the last step is that of the last one.
  Value place = b.minimum(step, b.sub(endOfSteps, 1));
  TileStates::Tile where;
  where.i = tile;
  where.j = place;
  where.firstI = b.mul(tile, rows);
  where.lastI = b.minimum(b.add(where.firstI, rows - 1), lastRow);
  where.firstJ = b.mul(place, columns);
  where.lastJ =
      b.minimum(b.add(where.firstJ, columns - 1), b.sub(numColumns, 1));
  Value isWhole =
      b.compare(Predicate::ule, b.add(where.firstJ, columns), numColumns);
  if (along == Along::Queries) {
    std::swap(where.i, where.j);
    std::swap(where.firstI, where.firstJ);
    std::swap(where.lastI, where.lastJ);
  }
  TileStates::State state = states->evaluate(where);
  Value one = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value isAlive = b.bitOr(b.bitXor(state.isDead, one), all);
  Value isFull = b.bitAnd(state.isLive, isWhole);
  return {vote(b.bitAnd(isAlive, exists)), vote(b.bitAnd(isFull, exists))};
}

/// The same of steps that are listed.
std::pair<Value, Value> StepWalk::load(Value word, Value all) {
  auto loadWord = [&](Value words) {
    return b.load(b.element(words, word, 4), b.getI32Type(), 4);
  };
  auto getBelow = [&](Value bound) {
    Value first = b.mul(word, 32);
    Value left = b.sub(b.minimum(first, bound), bound);
    left = b.sub(b.i32(0), left);
    Value some = b.sub(b.shiftLeft(b.i32(1), b.bitAnd(left, 31)), 1);
    return b.select(b.isLess(left, b.i32(32)), some, b.i32(-1));
  };
  Value inRange =
      b.bitAnd(getBelow(listed->end), b.bitXor(getBelow(listed->first), -1));
  return {b.select(all, inRange, loadWord(listed->live)),
          b.select(all, b.i32(0), loadWord(listed->full))};
}

std::pair<StepWalk::Step, StepWalk::State> StepWalk::next(ValueRange state) {
  if (!states && !listed) {
    Value number = state[0], next = b.add(number, 1);
    Value isFull =
        hasTail ? b.compare(Predicate::ule, b.mul(next, columns), numColumns)
                : arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult();
    return {{b.isLess(number, endOfSteps), number, isFull}, {next}};
  }
  Value all = state[3];
  Value numWords = listed ? listed->numWords : b.ceilDivide(endOfSteps, 32);
  SmallVector<Value> found = b.whileLoop(
      {state[0], state[1], state[2]},
      [&](ValueRange carried) {
        Value isEmpty = b.isEqual(carried[1], 0);
        Value goesOn = b.bitAnd(isEmpty, b.isLess(carried[0], numWords));
        return std::pair(goesOn, SmallVector<Value>(carried));
      },
      [&](ValueRange carried) {
        auto [live, full] =
            listed ? load(carried[0], all) : evaluate(carried[0], all);
        return SmallVector<Value>{b.add(carried[0], 1), live, full};
      });
  Value live = found[1];
  Value exists = b.compare(Predicate::ne, live, b.i32(0));
  Value bit = LLVM::CountTrailingZerosOp::create(b, b.getI32Type(), live,
                                                 /*is_zero_poison=*/false);
  Value number = b.add(b.mul(b.sub(found[0], 1), 32), bit);
  Value mask = b.bitAnd(bit, 31);
  Value isFull = b.compare(Predicate::ne,
                           b.bitAnd(b.shiftRight(found[2], mask), 1), b.i32(0));
  Value rest = b.bitAnd(live, b.sub(live, 1));
  return {{exists, number, isFull}, {found[0], rest, found[2], all}};
}
