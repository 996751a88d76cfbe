//===- MatchSoftmax.cpp - Softmax along keys ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;
using Kind = RowReduction::Kind;

static std::optional<double> getNumber(Value value) {
  FloatAttr attr;
  if (!matchPattern(skipFloatCasts(value), m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

/// The two operands of a product or sum, the one that is a number second.
static std::pair<Value, std::optional<double>> getWithNumber(Operation *op) {
  for (unsigned i = 0; i < 2; ++i)
    if (std::optional<double> number = getNumber(op->getOperand(i)))
      return {op->getOperand(1 - i), number};
  return {Value(), std::nullopt};
}

static bool isNegInf(Value value) {
  std::optional<double> number = getNumber(value);
  return number && std::isinf(*number) && *number < 0;
}

/// -inf, or the least finite value of the type: whatever a row has is as large.
/// What is computed in f32 may have been said in bf16.
static bool isLeast(Value value) {
  std::optional<double> number = getNumber(value);
  auto type = dyn_cast<FloatType>(skipFloatCasts(value).getType());
  if (!number || !type)
    return false;
  const llvm::fltSemantics &semantics =
      type.isF32() ? APFloat::BFloat() : type.getFloatSemantics();
  return *number <=
         APFloat::getLargest(semantics, /*Negative=*/true).convertToDouble();
}

/// Whether this is true where `value` is `number`, and else false: the other
/// way round with `inverted`.
static bool isComparison(Value condition, Value value,
                         function_ref<bool(Value)> isNumber, bool inverted) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  if (!compare || skipFloatCasts(compare.getLhs()) != skipFloatCasts(value) ||
      !isNumber(compare.getRhs()))
    return false;
  arith::CmpFPredicate predicate = compare.getPredicate();
  if (inverted)
    return predicate == arith::CmpFPredicate::UNE ||
           predicate == arith::CmpFPredicate::ONE ||
           predicate == arith::CmpFPredicate::OGT ||
           predicate == arith::CmpFPredicate::UGT;
  return predicate == arith::CmpFPredicate::OEQ ||
         predicate == arith::CmpFPredicate::UEQ ||
         predicate == arith::CmpFPredicate::OLE ||
         predicate == arith::CmpFPredicate::ULE;
}

/// `select(value is number, instead, value)` without the guard, if it is one by
/// a finite number, or one that is not 0.
static Value skipGuard(Value value, function_ref<bool(Value)> isNumber) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return Value();
  for (bool inverted : {false, true}) {
    Value guarded = select.getFalseValue(), instead = select.getTrueValue();
    if (inverted)
      std::swap(guarded, instead);
    std::optional<double> number = getNumber(instead);
    if (number && std::isfinite(*number) && !isNumber(instead) &&
        isComparison(select.getCondition(), guarded, isNumber, inverted))
      return guarded;
  }
  return Value();
}

/// What is subtracted from all logits of a row changes no weight: the largest,
/// say, which a program subtracts in front of a softmax.
void SoftmaxMatcher::skipShifts() {
  while (true) {
    auto ofKey = skipFloatCasts(logit).getDefiningOp<arith::SubFOp>();
    const RowReduction *reduction =
        ofKey ? elements.getReduction(skipFloatCasts(ofKey.getRhs())) : nullptr;
    if (!reduction || reduction->kind != Kind::Max)
      return;
    if (sink) {
      auto ofSink = skipFloatCasts(sink).getDefiningOp<arith::SubFOp>();
      if (!ofSink || ofSink.getRhs() != ofKey.getRhs())
        return;
      sink = ofSink.getLhs();
    }
    logit = ofKey.getLhs();
  }
}

/// Whether a value is computed of the sink as another one of the logit.
bool SoftmaxMatcher::isLike(Value ofSink, Value ofKey) {
  if (skipFloatCasts(ofKey) == skipFloatCasts(shiftedLogit))
    return skipFloatCasts(ofSink) == skipFloatCasts(shiftedSink);
  if (isa<BlockArgument>(ofKey))
    return ofSink == ofKey;
  Operation *x = ofSink.getDefiningOp(), *y = ofKey.getDefiningOp();
  return x && y && x->getName() == y->getName() &&
         x->getAttrDictionary() == y->getAttrDictionary() &&
         x->getResultTypes() == y->getResultTypes() &&
         x->getNumOperands() == y->getNumOperands() &&
         llvm::all_of(
             llvm::zip(x->getOperands(), y->getOperands()), [&](auto operands) {
               return isLike(std::get<0>(operands), std::get<1>(operands));
             });
}

LogicalResult SoftmaxMatcher::matchNumerator(Value value) {
  numerator = skipFloatCasts(value);
  Operation *exponential = numerator.getDefiningOp();
  if (!exponential || !isa<math::ExpOp, math::Exp2Op>(exponential))
    return refuse("weights are no quotients of exponentials");
  double factor = isa<math::Exp2Op>(exponential) ? std::log(2.0) : 1.0;
  Value difference = skipFloatCasts(exponential->getOperand(0));
  if (auto product = difference.getDefiningOp<arith::MulFOp>()) {
    auto [other, number] = getWithNumber(product);
    if (!number)
      return refuse("exponents have a factor that is no constant");
    factor *= *number;
    difference = skipFloatCasts(other);
  }
  auto minus = difference.getDefiningOp<arith::SubFOp>();
  if (!minus)
    return refuse("the largest of a row is not subtracted from its logits");
  logit = minus.getLhs();
  Value largest = skipFloatCasts(minus.getRhs());
  if (Value inner = skipGuard(largest, isNegInf)) {
    guardsLargest = true;
    largest = skipFloatCasts(inner);
  }
  // A bound from below that all values keep.
  if (auto bound = largest.getDefiningOp<arith::MaximumFOp>()) {
    auto [other, number] = getWithNumber(bound);
    if (other && isLeast(skipFloatCasts(bound.getLhs()) == skipFloatCasts(other)
                             ? bound.getRhs()
                             : bound.getLhs()))
      largest = skipFloatCasts(other);
  }
  const RowReduction *reduction = elements.getReduction(largest);
  if (!reduction || reduction->kind != Kind::Max ||
      skipFloatCasts(reduction->operand) != skipFloatCasts(logit) ||
      !isLeast(reduction->start))
    return refuse("what is subtracted from logits is not the largest of them");
  if (!isNegInf(reduction->start))
    guardsLargest = true;
  sink = reduction->tail;
  shiftedLogit = logit;
  shiftedSink = sink;
  skipShifts();
  if (factor <= 0)
    return refuse("exponents have a factor that is not positive");
  // Scores have the type that logits are computed in.
  ScalarBuilder &scalars = elements.getScalars();
  Type type = elements.getScore().getType();
  plainLogit = skipFloatCasts(logit);
  for (Value *number : {&logit, &sink}) {
    if (!*number)
      continue;
    if (number->getType() != type)
      *number = cast<FloatType>(number->getType()).getWidth() <
                        cast<FloatType>(type).getWidth()
                    ? scalars.make<arith::ExtFOp>(type, *number)
                    : scalars.make<arith::TruncFOp>(type, *number);
    if (std::abs(factor - 1.0) > 1e-6)
      *number =
          scalars.make<arith::MulFOp>(*number, scalars.getFloat(type, factor));
  }
  return success();
}

LogicalResult SoftmaxMatcher::matchDivisor(Value value) {
  Value sum = skipFloatCasts(value);
  if (Value inner = skipGuard(
          sum, [](Value number) { return getNumber(number) == 0.0; })) {
    guardsSum = true;
    sum = skipFloatCasts(inner);
  } else if (auto bound = sum.getDefiningOp<arith::MaximumFOp>()) {
    // A bound below the weight of the largest changes rows without one alone.
    auto [other, number] = getWithNumber(bound);
    if (number && *number > 0 && *number <= 1) {
      guardsSum = true;
      sum = skipFloatCasts(other);
    }
  }
  const RowReduction *reduction = elements.getReduction(sum);
  if (!reduction || reduction->kind != Kind::Sum ||
      skipFloatCasts(reduction->operand) != numerator ||
      getNumber(reduction->start) != 0.0)
    return refuse("exponentials are not divided by their sum");
  if (bool(reduction->tail) != bool(sink) ||
      (sink && !isLike(skipFloatCasts(reduction->tail), numerator)))
    return refuse("the largest and the sum of a row are of other logits");
  divided = true;
  return success();
}

/// Whether this is true for rows whose logits are all -inf; for those of which
/// any is not, if the kind is Any.
bool SoftmaxMatcher::isDead(Value value, Kind kind) {
  if (auto inverse = value.getDefiningOp<arith::XOrIOp>();
      inverse && matchPattern(inverse.getRhs(), m_One()))
    return isDead(inverse.getLhs(), kind == Kind::All ? Kind::Any : Kind::All);
  const RowReduction *reduction = elements.getReduction(value);
  APInt start;
  if (!reduction || reduction->kind != kind ||
      !matchPattern(reduction->start, m_ConstantInt(&start)) ||
      start.isZero() != (kind == Kind::Any))
    return false;
  Value condition = reduction->operand;
  bool inverted = kind == Kind::Any;
  while (auto inverse = condition.getDefiningOp<arith::XOrIOp>()) {
    if (!matchPattern(inverse.getRhs(), m_One()))
      return false;
    inverted = !inverted;
    condition = inverse.getLhs();
  }
  return isComparison(condition, plainLogit, isNegInf, inverted);
}

LogicalResult SoftmaxMatcher::matchWeights(Value weights) {
  Value value = skipFloatCasts(weights), condition;
  // Of rows without a live key, or the others.
  Kind kind = Kind::All;
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    Value instead = select.getTrueValue(), kept = select.getFalseValue();
    if (getNumber(instead) != 0.0) {
      std::swap(instead, kept);
      kind = Kind::Any;
    }
    if (getNumber(instead) != 0.0)
      return refuse("weights are replaced by something that is not 0");
    condition = select.getCondition();
    value = skipFloatCasts(kept);
  }
  Value divisor;
  if (auto quotient = value.getDefiningOp<arith::DivFOp>()) {
    value = quotient.getLhs();
    divisor = quotient.getRhs();
  } else if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    for (unsigned i = 0; i < 2; ++i)
      if (auto inverse = skipFloatCasts(product->getOperand(i))
                             .getDefiningOp<arith::DivFOp>();
          inverse && getNumber(inverse.getLhs()) == 1.0) {
        value = product->getOperand(1 - i);
        divisor = inverse.getRhs();
      }
  }
  if (failed(matchNumerator(value)) ||
      (divisor && failed(matchDivisor(divisor))))
    return failure();
  if (condition) {
    if (!isDead(condition, kind))
      return refuse("weights are set to 0 by something else than whether all "
                    "logits of a row are -inf");
    selectsRows = true;
  }
  return success();
}

LogicalResult SoftmaxMatcher::matchQuotient(Value quotient, Value sum) {
  quotient = skipFloatCasts(quotient);
  if (auto division = quotient.getDefiningOp<arith::DivFOp>();
      division && skipFloatCasts(division.getLhs()) == sum)
    return matchDivisor(division.getRhs());
  if (auto product = quotient.getDefiningOp<arith::MulFOp>())
    for (unsigned i = 0; i < 2; ++i) {
      auto inverse =
          skipFloatCasts(product->getOperand(i)).getDefiningOp<arith::DivFOp>();
      if (inverse && getNumber(inverse.getLhs()) == 1.0 &&
          skipFloatCasts(product->getOperand(1 - i)) == sum)
        return matchDivisor(inverse.getRhs());
    }
  return failure();
}

bool SoftmaxMatcher::isLse(Value value) {
  auto sum = skipFloatCasts(value).getDefiningOp<arith::AddFOp>();
  // Of a factor of exponents the logarithm would have one, too.
  if (!sum || skipFloatCasts(logit) != plainLogit || sink)
    return false;
  for (unsigned i : {0, 1}) {
    auto logarithm =
        skipFloatCasts(sum->getOperand(i)).getDefiningOp<math::LogOp>();
    Value largest = skipFloatCasts(sum->getOperand(1 - i));
    if (Value inner = skipGuard(largest, isNegInf))
      largest = skipFloatCasts(inner);
    const RowReduction *ofRow = elements.getReduction(largest);
    if (!logarithm || !ofRow || ofRow->kind != Kind::Max ||
        skipFloatCasts(ofRow->operand) != plainLogit)
      continue;
    const RowReduction *ofWeights =
        elements.getReduction(skipFloatCasts(logarithm.getOperand()));
    if (ofWeights && ofWeights->kind == Kind::Sum &&
        skipFloatCasts(ofWeights->operand) == numerator &&
        getNumber(ofWeights->start) == 0.0)
      return true;
  }
  return false;
}

bool SoftmaxMatcher::zeroesRows() const {
  return selectsRows || (guardsLargest && guardsSum);
}
