//===- BackwardLoader.cpp - The warpgroup that loads
//-------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardEmitter.h"

#include "Conversion/AttentionToGPU/Wgmma/RowPanels.h"

#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

Value BackwardEmitter::constant(double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

std::pair<Value, Value> BackwardEmitter::loadNumbersOf(Value query) {
  constexpr double kLog2E = 1.44269504088896340736,
                   kInfinity = std::numeric_limits<double>::infinity();
  unsigned axis = problem.getQueryAxis();
  Value exists = b.isLess(query, b.number(problem.getExtent(axis)));
  Vector position(batch);
  position.append({b.minimum(query, b.number(problem.getLast(axis))), Value()});
  auto load = [&](unsigned operand) {
    return b.load(problem.getAddress(b, operand, position), b.getF32Type(), 4);
  };
  Value lse = load(backward.getLse()), delta = load(backward.getDelta());
  // Queries without a live key, and those that are not there, have no weights.
  Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, lse,
                                        constant(-kInfinity));
  Value scaled = arith::MulFOp::create(b, lse, constant(kLog2E));
  Value one = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value hasNone = b.bitOr(isEmpty, b.bitXor(exists, one));
  return {b.select(hasNone, constant(kInfinity), scaled),
          b.select(hasNone, constant(0.0), delta)};
}

/// What weights of a step's queries need, into shared memory.
void BackwardEmitter::loadNumbers(const StepWalk::Step &step, Value stage,
                                  Value lane) {
  Value target =
      b.advance(shared, b.add(b.mul(stage, shape.getNumbersOfStage()),
                              shape.getNumbers()));
  for (int64_t column = 0; column < shape.columns; column += 32) {
    Value inStep = b.add(lane, column);
    auto [lse, delta] =
        loadNumbersOf(b.add(b.mul(step.number, shape.columns), inStep));
    Value place = b.element(target, inStep, 4);
    b.storeShared(lse, place, 4);
    b.storeShared(delta, b.advance(place, shape.columns * 4), 4);
  }
}

void BackwardEmitter::loadStage(const StepWalk::Step &step, Place place) {
  Value lane = b.lane();
  b.waitBarrier(barrier(shape.getEmpty(), place.stage),
                b.bitXor(place.phase, 1));
  Value full = barrier(shape.getFull(), place.stage);
  if (!rowsAreQueries()) {
    loadNumbers(step, place.stage, lane);
    b.arrive(full);
  }
  b.ifThen(b.isEqual(lane, 0), [&] {
    b.arriveExpectingBytes(full, shape.getStageBytes());
    Value target =
        b.advance(shared, b.add(b.mul(place.stage, shape.getStageBytes()),
                                shape.getColumns()));
    for (auto [i, operand] : llvm::enumerate(getColumnOperands()))
      copyRows(problem, b, operand, mapsOfColumns[i], batch,
               b.mul(step.number, shape.columns), shape.columns,
               b.advance(target, i * shape.getSecondOfColumns()), full);
    if (!shape.isOfModifier())
      return;
    for (auto [i, operand] : llvm::enumerate(getRowOperands()))
      copyRows(problem, b, operand, mapsOfRows[i], batch, first, shape.rows,
               b.advance(target,
                         shape.getColumnBytes() + i * shape.getSecondOfRows()),
               full);
  });
}

void BackwardEmitter::emitLoader(Value tile) {
  b.setMaxRegisters(shape.getLoadingRegisters(), /*increase=*/false);
  Value loader = b.sub(b.threadId(), shape.getMultiplying());
  if (!shape.isOfModifier())
    b.ifThen(b.isEqual(loader, 0), [&] {
      Value full = barrier(shape.getFullRows());
      b.arriveExpectingBytes(full, shape.getRowBytes());
      for (auto [i, operand] : llvm::enumerate(getRowOperands()))
        copyRows(problem, b, operand, mapsOfRows[i], batch, first, shape.rows,
                 b.advance(shared, i * shape.getSecondOfRows()), full);
    });
  b.ifThen(b.isLess(loader, b.i32(32)), [&] {
    forEachStep(
        tile, {}, [] {},
        [&](StepWalk &, LogitEmitter &, const StepWalk::Step &step, Place place,
            ValueRange) {
          loadStage(step, place);
          return Vector();
        });
  });
}
