//===- RowTile.cpp - A thread's rows of scores and of the result ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTile.h"

#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

Value RowTile::getRow(unsigned half) {
  if (listed)
    return listed->row[half];
  return b.add(b.add(firstRow, 8 * half), b.shiftRight(lane, 2));
}

/// The number of its query.
Value RowTile::getQuery(unsigned half) {
  if (listed || problem.getRowAxes().empty())
    return getRow(half);
  Value row = b.minimum(getRow(half), b.number(problem.getLastRow()));
  return problem.splitRow(b, row)[problem.getQueryAxis()];
}

/// The sink of the row; of those that are not there, that of another one.
Value RowTile::emitSink(unsigned half) {
  if (listed)
    return logits.emitSink(batch, getRow(half));
  Value row = b.minimum(getRow(half), b.number(problem.getLastRow()));
  SmallVector<Value> numbers = problem.splitRow(b, row);
  for (auto [axis, number] : llvm::enumerate(batch))
    if (!numbers[axis])
      numbers[axis] = number;
  return logits.emitSink(ArrayRef(numbers).drop_back(), numbers.back());
}

Value RowTile::exists(unsigned half) {
  if (listed)
    return listed->exists[half];
  return b.isLess(getRow(half), b.number(problem.getRows()));
}

SmallVector<Value> RowTile::loadWords(const StepWalk::Step &step,
                                      int64_t keys) {
  if (!hasBits())
    return {};
  int64_t perRow = keys / 32;
  return b.choose(
      step.isFull, [&] { return SmallVector<Value>(2 * perRow, b.i32(0)); },
      [&] {
        SmallVector<Value> words;
        for (unsigned half : {0, 1}) {
          Value pointer = listed->getWords(half, step);
          for (int64_t number = 0; number < perRow; ++number)
            words.push_back(
                b.load(b.advance(pointer, number * 4), b.getI32Type(), 4));
        }
        return words;
      });
}

/// The first key that the warp has of a step.
Value RowTile::getStart(const StepWalk::Step &step, int64_t keys) {
  Value start = b.mul(step.number, share ? share->keysOfStep : keys);
  return share ? b.add(start, share->first) : start;
}

SmallVector<Value> RowTile::loadNumbers(ModifierLoads &loads,
                                        const StepWalk::Step &step,
                                        int64_t keys, int64_t from,
                                        int64_t to) {
  if (loads.empty())
    return {};
  Value start = getStart(step, keys);
  Value ofLane = b.mul(b.bitAnd(lane, 3), 2);
  return loads.load({getQuery(0), getQuery(1)}, b.add(start, ofLane),
                    b.add(start, keys), from, to);
}

/// How many groups of keys have registers for their numbers while scores are
/// computed.
int64_t RowTile::getGroupsAhead(int64_t keys) const {
  int64_t registers =
      ofLive.getRegistersOfGroup() + ofOthers.getRegistersOfGroup();
  int64_t groups = keys / ModifierLoads::kGroup;
  return registers == 0 ? 0 : std::min(groups, registersAhead / registers);
}

LoadedAhead RowTile::loadAhead(const StepWalk &walk, const StepWalk::Step &step,
                               int64_t keys) {
  int64_t groups = getGroupsAhead(keys);
  LoadedAhead ahead{
      loadWords(step, keys), loadNumbers(ofLive, step, keys, 0, groups), {}};
  // What guards are made of says no more than bits do.
  if (ofOthers.empty() || groups == 0 || !walk.hasPartialSteps() || hasBits())
    return ahead;
  ahead.ofOthers = b.choose(
      step.isFull, [&] { return ofOthers.getNone(groups); },
      [&] { return loadNumbers(ofOthers, step, keys, 0, groups); });
  return ahead;
}

/// Measured on an H200, heads of 256 gain 8 % by it, those of 128 nothing, and
/// those of 64 lose 2 %.
bool RowTile::shrinksSeldom() {
  constexpr int64_t kManyColumns = 192;
  return problem.getValueWidth() >= kManyColumns;
}

/// The logits of scores.
SmallVector<Value> RowTile::emitLogits(const StepWalk &walk,
                                       const StepWalk::Step &step, int64_t keys,
                                       const LoadedAhead &ahead,
                                       ArrayRef<Value> scores, Known known) {
  bool isFull = known == Known::Full;
  // What is added is 0 where bits say that it does not kill.
  bool isAdded = known == Known::Bits && listed->mayBeMask;
  Value ofLane = b.mul(b.bitAnd(lane, 3), 2);
  Value start = getStart(step, keys);
  Value column = b.add(start, ofLane);
  Value numKeys = b.number(problem.getExtent(problem.getKeyAxis()));
  Value none = constant(-std::numeric_limits<float>::infinity());
  ColumnBits &bits = logits.getBits();
  Value rows[] = {getQuery(0), getQuery(1)};
  if (keys % 32 == 0)
    bits.beginStep(start, ofLane);
  // Not where they are loaded: nothing waits for memory until scores are there.
  SmallVector<Value> shifted;
  if (known == Known::Bits)
    for (Value word : ahead.words)
      shifted.push_back(b.shiftRight(word, ofLane));
  // Those that had no registers; nobody asks for others where guards are known.
  int64_t groupsAhead = getGroupsAhead(keys),
          groups = keys / ModifierLoads::kGroup;
  bool asksForOthers = known == Known::Nothing;
  SmallVector<Value> numbersOfLive(ahead.ofLive),
      numbersOfOthers(ahead.ofOthers);
  llvm::append_range(numbersOfLive,
                     loadNumbers(ofLive, step, keys, groupsAhead, groups));
  if (asksForOthers)
    llvm::append_range(numbersOfOthers,
                       loadNumbers(ofOthers, step, keys, groupsAhead, groups));
  SmallVector<Value> values;
  for (auto [i, score] : llvm::enumerate(scores)) {
    unsigned half = i % 4 / 2;
    int64_t place = i / 4 * 8 + i % 2;
    Value j = b.add(column, place);
    logits.setColumn(place);
    SmallVector<Value> numbers(problem.op.getModifiers().size());
    ofLive.get(numbersOfLive, i / 4, half, i % 2, numbers);
    if (asksForOthers)
      ofOthers.get(numbersOfOthers, i / 4, half, i % 2, numbers);
    logits.setNumbers(numbers);
    Value condition;
    if (known == Known::Bits)
      condition = bits.getBit(shifted[half * keys / 32 + place / 32], place);
    Value logit = logits.emit(score, rows[half], j, isFull || isAdded,
                              isAdded ? Value() : condition);
    if (isAdded)
      logit = b.select(condition, logit, none);
    if (!isFull && walk.mayEndInside()) {
      Value exists =
          keys % 32 == 0 ? bits.isBelow(numKeys, place) : b.isLess(j, numKeys);
      logit = b.select(exists, logit, none);
    }
    values.push_back(logit);
  }
  bits.endStep();
  logits.setNumbers({});
  return values;
}

RowTile::Weighed RowTile::weigh(const StepWalk &walk,
                                const StepWalk::Step &step, int64_t keys,
                                const LoadedAhead &ahead,
                                ArrayRef<Value> scores, const RowState &state) {
  auto emit = [&](Known known) {
    SmallVector<Value> values =
        emitLogits(walk, step, keys, ahead, scores, known);
    RowState next = state;
    bool farBelow =
        guards.mayBeFar || (known != Known::Full && guards.mayBeFinite);
    std::array<Value, 2> shrinks =
        OnlineSoftmax(b, logits.getScale())
            .step(next, values, farBelow, shrinksSeldom());
    values.append({next.top[0], next.top[1], next.sum[0], next.sum[1],
                   shrinks[0], shrinks[1]});
    return values;
  };
  auto emitPartial = [&] {
    return emit(hasBits() ? Known::Bits : Known::Nothing);
  };
  SmallVector<Value> values =
      walk.hasPartialSteps()
          ? b.choose(
                step.isFull, [&] { return emit(Known::Full); }, emitPartial)
          : emit(Known::Full);
  ArrayRef<Value> rest = ArrayRef(values).drop_front(scores.size());
  return {SmallVector<Value>(ArrayRef(values).take_front(scores.size())),
          {{rest[0], rest[1]}, {rest[2], rest[3]}},
          {rest[4], rest[5]}};
}

SmallVector<Value> RowTile::shrink(const Weighed &weighed,
                                   ArrayRef<Value> sums) {
  auto multiply = [&] {
    SmallVector<Value> products;
    for (auto [i, sum] : llvm::enumerate(sums))
      products.push_back(
          arith::MulFOp::create(b, sum, weighed.shrinks[i % 4 / 2]));
    return products;
  };
  if (!shrinksSeldom())
    return multiply();
  Value shrinks;
  for (Value factor : weighed.shrinks) {
    Value isLess = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, factor,
                                         constant(1.0f));
    shrinks = shrinks ? b.bitOr(shrinks, isLess) : isLess;
  }
  // The warp branches as one; few steps shrink a row.
  Value lanes = NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), shrinks,
                                         NVVM::VoteSyncKind::ballot);
  return b.choose(b.compare(arith::CmpIPredicate::ne, lanes, b.i32(0)),
                  multiply, [&] { return llvm::to_vector(sums); });
}

SmallVector<Value> RowTile::round(ArrayRef<Value> weights) {
  SmallVector<Value> words;
  for (size_t at = 0; at < weights.size(); at += 2)
    words.push_back(
        b.packPair(weights[at], weights[at + 1], problem.getElement()));
  return words;
}

Value RowTile::hasDeadRow(const RowState &state) {
  Value bound = constant(guards.deadUpTo);
  Value any;
  for (unsigned half : {0, 1}) {
    Value isDead = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE,
                                         state.top[half], bound);
    isDead = b.bitAnd(isDead, exists(half));
    any = any ? b.bitOr(any, isDead) : isDead;
  }
  return any;
}

/// One of the lanes that have the row stores it.
void RowTile::storeLse(const RowState &state, unsigned half) {
  OnlineSoftmax softmax(b, logits.getScale());
  Value lse = softmax.getLse(state.top[half], softmax.getSum(state, half));
  unsigned operand = problem.op.getLseNumber();
  SmallVector<Value> start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, operand, start);
  Value isFirst = b.isEqual(b.bitAnd(lane, 3), 0);
  b.ifThen(b.bitAnd(exists(half), isFirst), [&] {
    b.store(lse,
            b.advance(base, problem.getRowOffset(b, operand, getRow(half))), 4);
  });
}

void RowTile::store(const RowState &state, ArrayRef<Value> sums) {
  unsigned init = problem.getInit();
  int64_t bytes = problem.getElementBytes(init);
  Type element =
      cast<ShapedType>(problem.op.getInit().getType()).getElementType();
  SmallVector<Value> start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, init, start);
  Value column = b.mul(b.bitAnd(lane, 3), 2 * bytes);
  for (unsigned half : {0, 1}) {
    // Each lane has added up its own columns.
    OnlineSoftmax softmax(b, logits.getScale());
    RowState ended = state;
    Value shrink;
    if (problem.op.getSink())
      shrink = softmax.addSink(ended.top[half], ended.sum[half], emitSink(half),
                               /*inAllLanes=*/false);
    Value inverse = softmax.getInverse(ended, half, problem.op.getZeroRows());
    // A sum of no products is 0, whatever it is multiplied with.
    if (unsigned keys = problem.getKeyAxis(); problem.getKnownExtent(keys) <= 0)
      inverse = b.select(b.isEqual(b.number(problem.getExtent(keys)), 0),
                         constant(0.0f), inverse);
    if (shrink)
      inverse = arith::MulFOp::create(b, inverse, shrink);
    if (problem.op.getLse())
      storeLse(ended, half);
    Value row = getRow(half);
    b.ifThen(exists(half), [&] {
      Value pointer = b.advance(
          base, b.add(problem.getRowOffset(b, init, row), b.extend(column)));
      for (size_t i = 0; i < sums.size() / 4; ++i) {
        Value pair[2];
        for (unsigned j : {0, 1})
          pair[j] =
              arith::MulFOp::create(b, sums[4 * i + 2 * half + j], inverse);
        Value target = b.advance(pointer, i * 8 * bytes);
        if (bytes == 2) {
          b.store(b.packPair(pair[0], pair[1], element), target, 4);
          continue;
        }
        b.store(pair[0], target, 4);
        b.store(pair[1], b.advance(target, 4), 4);
      }
    });
  }
}

void RowTile::storePartial(const RowState &state, ArrayRef<Value> sums,
                           function_ref<Value(unsigned)> getAddress) {
  int64_t width = 2 * sums.size();
  for (unsigned half : {0, 1}) {
    Value sum = OnlineSoftmax(b).getSum(state, half);
    b.ifThen(exists(half), [&] {
      Value address = getAddress(half);
      Value ofLane = b.element(address, b.mul(b.bitAnd(lane, 3), 2), 4);
      for (size_t i = 0; i < sums.size(); ++i)
        if (i % 4 / 2 == half)
          b.store(sums[i], b.advance(ofLane, (i / 4 * 8 + i % 2) * 4), 4);
      b.ifThen(b.isEqual(b.bitAnd(lane, 3), 0), [&] {
        b.store(state.top[half], b.advance(address, width * 4), 4);
        b.store(sum, b.advance(address, width * 4 + 4), 4);
      });
    });
  }
}

SmallVector<Value>
RowTile::joinPartials(int64_t parts, size_t numSums,
                      function_ref<Value(Value, unsigned)> getAddress) {
  int64_t width = 2 * numSums;
  OnlineSoftmax softmax(b, logits.getScale());
  auto f32 = b.getF32Type();
  Value zero = constant(0.0f);
  // A loop over many, as addresses of all parts at once would be spilled.
  constexpr int64_t kFewParts = 2;
  auto forEachPart =
      [&](SmallVector<Value> carried,
          function_ref<SmallVector<Value>(Value, ValueRange)> body) {
        if (parts <= kFewParts) {
          for (int64_t part = 0; part < parts; ++part)
            carried = body(b.i32(part), carried);
          return carried;
        }
        return b.forLoop(
            b.i32(0), b.i32(parts), b.i32(1), carried,
            [&](Value part, ValueRange values) { return body(part, values); });
      };
  // Rows that are not there are those of memory that nobody wrote, and are not
  // stored. All are loaded before one is needed: parts are few.
  SmallVector<Value> tops[2];
  for (int64_t part = 0; part < parts; ++part)
    for (unsigned half : {0, 1})
      tops[half].push_back(
          b.load(b.advance(getAddress(b.i32(part), half), width * 4), f32, 4));
  RowState state;
  for (unsigned half : {0, 1}) {
    state.top[half] = tops[half].front();
    for (Value top : ArrayRef(tops[half]).drop_front())
      state.top[half] = LLVM::MaxNumOp::create(b, state.top[half], top);
  }
  // Those of both rows' weights, then the sums.
  SmallVector<Value> total = forEachPart(
      SmallVector<Value>(numSums + 2, zero),
      [&](Value part, ValueRange carried) {
        Value shrinks[2], ofLane[2];
        SmallVector<Value> next;
        auto add = [&](unsigned half, Value sum, Value place) -> Value {
          Value value =
              arith::MulFOp::create(b, b.load(place, f32, 4), shrinks[half]);
          return arith::AddFOp::create(b, sum, value);
        };
        for (unsigned half : {0, 1}) {
          Value address = getAddress(part, half);
          Value top = b.load(b.advance(address, width * 4), f32, 4);
          shrinks[half] = softmax.getShrink(top, state.top[half]);
          ofLane[half] = b.element(address, b.mul(b.bitAnd(lane, 3), 2), 4);
          next.push_back(
              add(half, carried[half], b.advance(address, width * 4 + 4)));
        }
        for (size_t i = 0; i < numSums; ++i) {
          unsigned half = i % 4 / 2;
          next.push_back(add(half, carried[2 + i],
                             b.advance(ofLane[half], (i / 4 * 8 + i % 2) * 4)));
        }
        return next;
      });
  for (unsigned half : {0, 1})
    // Each lane has the sum of its own columns.
    state.sum[half] =
        b.select(b.isEqual(b.bitAnd(lane, 3), 0), total[half], zero);
  SmallVector<Value> result{state.top[0], state.top[1], state.sum[0],
                            state.sum[1]};
  llvm::append_range(result, ArrayRef(total).drop_front(2));
  return result;
}
