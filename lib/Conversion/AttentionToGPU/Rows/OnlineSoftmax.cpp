//===- OnlineSoftmax.cpp - Sums of a row while its scores come ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnlineSoftmax.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// exp(x) is 2 to the power of so many x, which is what the chip computes.
static constexpr double kLog2E = 1.44269504088896340736;
/// Weights of a row are at most 2 to the power of this: sums stay as they are
/// until a logit is that much above the one that differences are to.
static constexpr float kMostBits = 8;

Value OnlineSoftmax::constant(float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

RowState OnlineSoftmax::begin() {
  Value none = constant(-kInfinity), zero = constant(0.0f);
  return {{none, none}, {zero, zero}};
}

Value mlir::pit::attention::powerOfTwo(Kernel &b, Value x) {
  return LLVM::CallIntrinsicOp::create(
             b, b.getF32Type(), b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f"),
             ValueRange(x))
      .getResult(0);
}

std::array<Value, 2> OnlineSoftmax::step(RowState &state,
                                         SmallVectorImpl<Value> &logits,
                                         bool farBelow, bool seldom) {
  std::array<Value, 2> shrinks;
  Value factor = constant(kLog2E * scale);
  // One instruction, which leaves NaN out; that comes back in the weights.
  auto larger = [&](Value x, Value y) -> Value {
    return LLVM::MaxNumOp::create(b, x, y);
  };
  for (unsigned row = 0; row < 2; ++row) {
    // Two chains, so that half of them wait for each other.
    Value tops[2] = {state.top[row], logits[2 * row + 1]};
    for (size_t i = 2 * row; i < logits.size(); i += 4)
      for (unsigned column : {0, 1})
        if (i + column != 2 * row + 1)
          tops[column] = larger(tops[column], logits[i + column]);
    Value top = larger(tops[0], tops[1]);
    for (int64_t distance : {1, 2})
      top = larger(top, b.exchange(top, distance));
    Value before = state.top[row], grows;
    if (seldom) {
      // All four lanes of the row decide alike, and no other row has a say.
      // From -inf on the difference is infinite; between two of them, NaN.
      Value growth = arith::MulFOp::create(
          b, arith::SubFOp::create(b, top, before), factor);
      grows = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, growth,
                                    constant(kMostBits));
      top = b.select(grows, top, before);
    }
    // As long as a row has no live logit, differences are to 0: weights are 0.
    Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, top,
                                         constant(-kInfinity));
    Value base = b.select(isNone, constant(0.0f), top);
    Value scaled = arith::MulFOp::create(b, base, factor);
    Value negative = arith::NegFOp::create(b, scaled);
    auto weigh = [&](Value logit) {
      if (farBelow)
        return powerOfTwo(
            b, arith::MulFOp::create(b, arith::SubFOp::create(b, logit, base),
                                     factor));
      return powerOfTwo(b, math::FmaOp::create(b, logit, factor, negative));
    };
    shrinks[row] = weigh(before);
    if (seldom)
      shrinks[row] = b.select(grows, shrinks[row], constant(1.0f));
    Value sums[2] = {arith::MulFOp::create(b, state.sum[row], shrinks[row]),
                     constant(0.0f)};
    for (size_t i = 2 * row; i < logits.size(); i += 4)
      for (unsigned column : {0, 1}) {
        Value &logit = logits[i + column];
        logit = weigh(logit);
        sums[column] = arith::AddFOp::create(b, sums[column], logit);
      }
    state.top[row] = top;
    state.sum[row] = arith::AddFOp::create(b, sums[0], sums[1]);
  }
  return shrinks;
}

Value OnlineSoftmax::hasNone(Value top) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, top,
                               constant(-kInfinity));
}

Value OnlineSoftmax::getShrink(Value before, Value top) {
  Value isNone = hasNone(top);
  Value base = b.select(isNone, constant(0.0f), top);
  return powerOfTwo(
      b, arith::MulFOp::create(b, arith::SubFOp::create(b, before, base),
                               constant(kLog2E * scale)));
}

Value OnlineSoftmax::addSink(Value &top, Value &sum, Value sink,
                             bool inAllLanes) {
  Value before = top;
  top = LLVM::MaxNumOp::create(b, before, sink);
  Value shrink = getShrink(before, top), weight = getShrink(sink, top);
  if (!inAllLanes)
    weight =
        b.select(b.isEqual(b.bitAnd(b.lane(), 3), 0), weight, constant(0.0f));
  sum = arith::AddFOp::create(b, arith::MulFOp::create(b, sum, shrink), weight);
  return shrink;
}

Value OnlineSoftmax::getSum(const RowState &state, unsigned row) {
  Value sum = state.sum[row];
  for (int64_t distance : {1, 2})
    sum = arith::AddFOp::create(b, sum, b.exchange(sum, distance));
  return sum;
}

Value OnlineSoftmax::getLse(Value top, Value sum) {
  constexpr double kLn2 = 0.69314718055994530942;
  Value binary =
      LLVM::CallIntrinsicOp::create(
          b, b.getF32Type(), b.getStringAttr("llvm.nvvm.lg2.approx.ftz.f"),
          ValueRange(sum))
          .getResult(0);
  Value largest = arith::MulFOp::create(b, top, constant(scale));
  return math::FmaOp::create(b, binary, constant(kLn2), largest);
}

Value OnlineSoftmax::getInverse(const RowState &state, unsigned row,
                                bool zeroRows) {
  Value sum = getSum(state, row);
  Value inverse = arith::DivFOp::create(b, constant(1.0f), sum);
  if (!zeroRows)
    return inverse;
  return b.select(hasNone(state.top[row]), constant(0.0f), inverse);
}
