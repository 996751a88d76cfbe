//===- BackwardConsumer.cpp - The warpgroups that multiply
//--------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardEmitter.h"

#include "Conversion/AttentionToGPU/Rows/OnlineSoftmax.h"
#include "Conversion/AttentionToGPU/Wgmma/RowPanels.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

Value BackwardEmitter::getRow(unsigned half) {
  Value ofWarp = b.add(first, b.mul(warp, 16));
  return b.add(b.add(ofWarp, 8 * half), b.shiftRight(b.lane(), 2));
}

BackwardEmitter::Vector BackwardEmitter::round(ArrayRef<Value> weights) {
  Vector words;
  for (size_t at = 0; at < weights.size(); at += 2)
    words.push_back(
        b.packPair(weights[at], weights[at + 1], problem.getElement()));
  return words;
}

/// Weights of scores, element 4 n + 2 r + c that of row r and column 8 n + c of
/// a thread; `lse` has a number for each.
BackwardEmitter::Weights BackwardEmitter::weigh(StepWalk &walk,
                                                LogitEmitter &logits,
                                                const StepWalk::Step &step,
                                                ArrayRef<Value> scores,
                                                ArrayRef<Value> lse) {
  constexpr double kLog2E = 1.44269504088896340736;
  Value ofLane = b.mul(b.bitAnd(b.lane(), 3), 2);
  Value start = b.mul(step.number, shape.columns);
  Value column = b.add(start, ofLane);
  Value rows[] = {getRow(0), getRow(1)};
  Value numKeys = b.number(problem.getExtent(problem.getKeyAxis()));
  Value factor = constant(kLog2E * logits.getScale());
  bool isCapped = shape.hasOfWeights() && !slope.caps.empty();
  auto emit = [&](bool isFull) {
    ColumnBits &bits = logits.getBits();
    // A warp's 16 keys lie in one word.
    if (rowsAreQueries())
      bits.beginStep(start, ofLane);
    else
      logits.beginWordOfKeys(b.shiftRight(b.add(first, b.mul(warp, 16)), 5));
    Vector weights, capped;
    for (auto [k, score] : llvm::enumerate(scores)) {
      int64_t place = k / 4 * 8 + k % 2;
      Value inStep = b.add(column, place), row = rows[k % 4 / 2];
      logits.setColumn(place);
      Value logit = rowsAreQueries() ? logits.emit(score, row, inStep, isFull)
                                     : logits.emit(score, inStep, row, isFull);
      Value negative = arith::NegFOp::create(b, lse[k]);
      Value weight =
          powerOfTwo(b, math::FmaOp::create(b, logit, factor, negative));
      // Queries that are not there have no weight by their numbers.
      if (rowsAreQueries() && !isFull && walk.mayEndInside())
        weight = b.select(bits.isBelow(numKeys, place), weight, constant(0.0));
      weights.push_back(weight);
      if (!isCapped)
        continue;
      // The derivative of tanh is 1 - tanh^2.
      for (Value cap : slope.caps) {
        Value t = logits.emitAlso(cap);
        Value rest = math::FmaOp::create(b, arith::NegFOp::create(b, t), t,
                                         constant(1.0));
        weight = arith::MulFOp::create(b, weight, rest);
      }
      capped.push_back(weight);
    }
    bits.endStep();
    llvm::append_range(weights, capped);
    return weights;
  };
  Vector all = walk.hasPartialSteps()
                   ? b.choose(
                         step.isFull, [&] { return emit(/*isFull=*/true); },
                         [&] { return emit(/*isFull=*/false); })
                   : emit(/*isFull=*/true);
  ArrayRef<Value> found = all;
  return {Vector(found.take_front(scores.size())),
          Vector(found.take_back(scores.size()))};
}

/// Numbers of the queries, logarithms or deltas, element by element.
BackwardEmitter::Vector BackwardEmitter::getNumbers(Place place, bool ofDelta) {
  Vector numbers(shape.columns / 2);
  if (rowsAreQueries()) {
    for (auto [k, number] : llvm::enumerate(numbers))
      number = (ofDelta ? deltaOfRows : lseOfRows)[k % 4 / 2];
    return numbers;
  }
  Value ofStage = b.advance(
      shared, b.add(b.mul(place.stage, shape.getNumbersOfStage()),
                    shape.getNumbers() + ofDelta * shape.columns * 4));
  Value ofLane = b.element(ofStage, b.mul(b.bitAnd(b.lane(), 3), 2), 4);
  for (size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = k % 4 / 2 == 1
                     ? numbers[k - 2]
                     : b.load(b.advance(ofLane, (k / 4 * 8 + k % 2) * 4),
                              b.getF32Type(), 4);
  return numbers;
}

/// Adds what a step has to the sums: products of dquery, or of dkey and dvalue
/// or one of them, or the elements of a modifier's gradient.
BackwardEmitter::Vector BackwardEmitter::emitStep(StepWalk &walk,
                                                  LogitEmitter &logits,
                                                  const StepWalk::Step &step,
                                                  Place place,
                                                  ValueRange sums) {
  Type element = problem.getElement();
  b.waitBarrier(barrier(shape.getFull(), place.stage), place.phase);
  int64_t panelBytes = WgmmaShape::kRowsOfWarpgroup * WgmmaShape::kRowBytes;
  Value ofColumns = b.add(b.add(address, shape.getColumns()),
                          b.mul(place.stage, shape.getStageBytes()));
  Value firstOfRows =
      shape.isOfModifier() ? b.add(ofColumns, shape.getColumnBytes()) : address;
  Value ofRows = b.add(firstOfRows, b.mul(consumer, panelBytes));
  RowPanels rows[] = {{ofRows, shape.rows},
                      {b.add(ofRows, shape.getSecondOfRows()), shape.rows}};
  RowPanels columns[] = {
      {ofColumns, shape.columns},
      {b.add(ofColumns, shape.getSecondOfColumns()), shape.columns}};
  Value scores =
      multiplyRows(b, element, rows[0], columns[0], shape.scoreWidth);
  Value ofWeights;
  if (shape.hasOfWeights())
    ofWeights = multiplyRows(b, element, rows[1], columns[1], shape.valueWidth);

  Vector lse = getNumbers(place, /*ofDelta=*/false);
  b.waitProducts(ofWeights ? 1 : 0);
  Weights weights =
      weigh(walk, logits, step, pinElements(b, scores, shape.columns), lse);
  Vector result;
  if (shape.hasValues())
    result.push_back(addWeighted(b, element, sums.back(), round(weights.plain),
                                 columns[1], shape.valueWidth));
  if (ofWeights) {
    b.waitProducts(shape.hasValues() ? 1 : 0);
    // As late as can be: sums, weights and their gradients fill the registers.
    Vector delta = getNumbers(place, /*ofDelta=*/true);
    Vector ofScores = pinElements(b, ofWeights, shape.columns);
    for (auto [k, value] : llvm::enumerate(ofScores)) {
      Value difference = arith::SubFOp::create(b, value, delta[k]);
      value =
          shape.isOfModifier()
              ? math::FmaOp::create(b, weights.capped[k], difference, sums[k])
                    .getResult()
              : arith::MulFOp::create(b, weights.capped[k], difference)
                    .getResult();
    }
    if (shape.isOfModifier())
      result = ofScores;
    else
      result.insert(result.begin(),
                    addWeighted(b, element, sums[0], round(ofScores),
                                columns[0], shape.scoreWidth));
  }
  if (!shape.isOfModifier())
    b.waitProducts(0);
  // Each warp for itself, as it has read numbers of the stage.
  b.syncWarp();
  b.ifThen(b.isEqual(b.lane(), 0),
           [&] { b.arrive(barrier(shape.getEmpty(), place.stage)); });
  return result;
}

/// Stores the thread's sums as rows of a result.
void BackwardEmitter::store(unsigned result, ArrayRef<Value> sums,
                            double factor) {
  unsigned operand = backward.getResult(result);
  int64_t bytes = problem.getElementBytes(operand);
  Type element = cast<ShapedType>(backward.op.getDpsInits()[result].getType())
                     .getElementType();
  Vector start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, operand, start);
  Value stride = problem.getStrideBytes(b, operand, getRowAxis());
  Value numRows = b.number(problem.getExtent(getRowAxis()));
  Value column = b.mul(b.bitAnd(b.lane(), 3), 2 * bytes);
  for (unsigned half : {0, 1}) {
    Value row = getRow(half);
    b.ifThen(b.isLess(row, numRows), [&] {
      Value pointer = b.advance(
          base, b.add(b.mul(b.extend(row), stride), b.extend(column)));
      for (size_t i = 0; i < sums.size() / 4; ++i) {
        Value pair[2];
        for (unsigned j : {0, 1})
          pair[j] = arith::MulFOp::create(b, sums[4 * i + 2 * half + j],
                                          constant(factor));
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

/// Stores the thread's elements of a modifier's gradient, which may lie in any
/// order of axes.
void BackwardEmitter::storeModifier(ArrayRef<Value> sums) {
  unsigned operand = backward.getResult(3 + *gradient);
  int64_t bytes = problem.getElementBytes(operand);
  Type element =
      cast<ShapedType>(backward.op.getDmodifiers()[*gradient].getType())
          .getElementType();
  Vector start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, operand, start);
  unsigned keyAxis = problem.getKeyAxis();
  Value rowStride = problem.getStrideBytes(b, operand, problem.getQueryAxis()),
        columnStride = problem.getStrideBytes(b, operand, keyAxis);
  Value numRows = b.number(problem.getExtent(problem.getQueryAxis())),
        numKeys = b.number(problem.getExtent(keyAxis));
  Value column =
      b.add(b.mul(onlyStep, shape.columns), b.mul(b.bitAnd(b.lane(), 3), 2));
  auto convert = [&](Value value) -> Value {
    value = arith::MulFOp::create(b, value, constant(slope.factor));
    return bytes == 2 ? arith::TruncFOp::create(b, element, value).getResult()
                      : value;
  };
  for (unsigned half : {0, 1}) {
    Value row = getRow(half);
    b.ifThen(b.isLess(row, numRows), [&] {
      Value ofRow = b.advance(base, b.mul(b.extend(row), rowStride));
      for (size_t k = 0; k < sums.size(); ++k) {
        if (k % 4 / 2 != half)
          continue;
        Value key = b.add(column, k / 4 * 8 + k % 2);
        b.ifThen(b.isLess(key, numKeys), [&] {
          b.store(convert(sums[k]),
                  b.advance(ofRow, b.mul(b.extend(key), columnStride)), bytes);
        });
      }
    });
  }
}

void BackwardEmitter::loadNumbersOfRows() {
  lseOfRows.clear();
  deltaOfRows.clear();
  for (unsigned half : {0, 1}) {
    auto [lse, delta] = loadNumbersOf(getRow(half));
    lseOfRows.push_back(lse);
    deltaOfRows.push_back(delta);
  }
}

void BackwardEmitter::emitConsumer(Value tile) {
  b.setMaxRegisters(shape.getMultiplyingRegisters(), /*increase=*/true);
  // The same for a warp: descriptors stay in uniform registers.
  warp = b.broadcastFirstLane(b.warp());
  consumer = b.shiftRight(warp, 2);
  if (pass == BackwardPass::Queries)
    loadNumbersOfRows();
  Vector sums;
  if (shape.isOfModifier()) {
    sums.assign(shape.columns / 2, constant(0.0));
  } else {
    b.waitBarrier(barrier(shape.getFullRows()), b.i32(0));
    if (pass != BackwardPass::Values)
      sums.push_back(b.zeroAccumulator(shape.scoreWidth));
    if (shape.hasValues())
      sums.push_back(b.zeroAccumulator(shape.valueWidth));
  }
  sums = forEachStep(
      tile, sums,
      [&] {
        if (shape.isOfModifier())
          loadNumbersOfRows();
      },
      [&](StepWalk &walk, LogitEmitter &logits, const StepWalk::Step &step,
          Place place, ValueRange carried) {
        return emitStep(walk, logits, step, place, carried);
      });
  if (shape.isOfModifier())
    return storeModifier(sums);
  if (pass != BackwardPass::Values)
    store(rowsAreQueries() ? 0 : 1, pinElements(b, sums[0], shape.scoreWidth),
          slope.factor);
  if (shape.hasValues())
    store(2, pinElements(b, sums.back(), shape.valueWidth), 1.0);
}
