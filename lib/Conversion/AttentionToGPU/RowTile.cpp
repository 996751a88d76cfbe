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

Value RowTile::exists(unsigned half) {
  if (listed)
    return listed->exists[half];
  return b.isLess(getRow(half),
                  b.number(problem.getExtent(problem.getQueryAxis())));
}

RowTile::Weighed RowTile::weigh(const StepWalk &walk,
                                const StepWalk::Step &step, int64_t keys,
                                ArrayRef<Value> scores, const RowState &state) {
  Value column = b.add(b.mul(step.number, keys), b.mul(b.bitAnd(lane, 3), 2));
  Value numKeys = b.number(problem.getExtent(problem.getKeyAxis()));
  Value none = constant(-std::numeric_limits<float>::infinity());
  auto emit = [&](bool isFull) {
    SmallVector<Value> values;
    SmallVector<Value> queries{getRow(0), getRow(1)};
    if (keys % 32 == 0)
      logits.getBits().beginStep(b.mul(step.number, keys),
                                 b.mul(b.bitAnd(lane, 3), 2));
    if (listed && !isFull)
      for (unsigned half : {0, 1})
        logits.getBits().setWords(queries[half], listed->getWords(half, step));
    for (auto [i, score] : llvm::enumerate(scores)) {
      int64_t place = i / 4 * 8 + i % 2;
      Value j = b.add(column, place);
      logits.setColumn(place);
      Value logit = logits.emit(score, queries[i % 4 / 2], j, isFull);
      if (!isFull && walk.mayEndInside()) {
        Value exists = keys % 32 == 0 ? logits.getBits().isBelow(numKeys, place)
                                      : b.isLess(j, numKeys);
        logit = b.select(exists, logit, none);
      }
      values.push_back(logit);
    }
    logits.getBits().endStep();
    RowState next = state;
    std::array<Value, 2> shrinks =
        OnlineSoftmax(b, logits.getScale())
            .step(next, values, /*farBelow=*/!isFull && guards.mayBeFinite);
    values.append({next.top[0], next.top[1], next.sum[0], next.sum[1],
                   shrinks[0], shrinks[1]});
    return values;
  };
  SmallVector<Value> values = walk.hasPartialSteps()
                                  ? b.choose(
                                        step.isFull, [&] { return emit(true); },
                                        [&] { return emit(false); })
                                  : emit(true);
  ArrayRef<Value> rest = ArrayRef(values).drop_front(scores.size());
  return {SmallVector<Value>(ArrayRef(values).take_front(scores.size())),
          {{rest[0], rest[1]}, {rest[2], rest[3]}},
          {rest[4], rest[5]}};
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

void RowTile::store(const RowState &state, ArrayRef<Value> sums) {
  unsigned init = problem.getInit();
  int64_t bytes = problem.getElementBytes(init);
  Type element =
      cast<ShapedType>(problem.op.getInit().getType()).getElementType();
  SmallVector<Value> start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, init, start);
  Value stride = problem.getStrideBytes(b, init, problem.getQueryAxis());
  Value column = b.mul(b.bitAnd(lane, 3), 2 * bytes);
  for (unsigned half : {0, 1}) {
    // Each lane has added up its own columns.
    Value inverse =
        OnlineSoftmax(b).getInverse(state, half, problem.op.getZeroRows());
    Value row = getRow(half);
    b.ifThen(exists(half), [&] {
      Value pointer = b.advance(
          base, b.add(b.mul(b.extend(row), stride), b.extend(column)));
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
