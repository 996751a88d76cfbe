//===- GradientElements.cpp - Weights and gradients of scores, as scalars
//-----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

/// The tensor that an element is one of, if all keys of a query have the same.
const Leaf *GradientProduct::getRow(mlir::Value value) {
  auto it = elements->getLeaves().find(skipFloatCasts(value));
  if (it == elements->getLeaves().end() ||
      !isa<RankedTensorType>(it->second.source.getType()))
    return nullptr;
  for (const AxisList &list : it->second.places)
    if (llvm::is_contained(list, keyAxis))
      return nullptr;
  return &it->second;
}

static std::optional<double> getNumber(Value value) {
  FloatAttr attr;
  if (!matchPattern(skipFloatCasts(value), m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

/// Skips selects of a value or 0.
Value GradientProduct::skipMasks(mlir::Value value) {
  value = skipFloatCasts(value);
  while (auto select = value.getDefiningOp<arith::SelectOp>()) {
    bool liveIf = getNumber(select.getFalseValue()) == 0.0;
    if (!liveIf && getNumber(select.getTrueValue()) != 0.0)
      break;
    masks.push_back({select.getCondition(), liveIf});
    value =
        skipFloatCasts(liveIf ? select.getTrueValue() : select.getFalseValue());
  }
  return value;
}

/// Whether the condition says that a query has no live key.
static bool isEmptyRow(Value condition, bool liveIf, Value shift) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  if (!compare || skipFloatCasts(compare.getLhs()) != skipFloatCasts(shift))
    return false;
  std::optional<double> number = getNumber(compare.getRhs());
  if (!number || !std::isinf(*number) || *number > 0)
    return false;
  arith::CmpFPredicate predicate = compare.getPredicate();
  return liveIf ? predicate == arith::CmpFPredicate::UNE ||
                      predicate == arith::CmpFPredicate::ONE
                : predicate == arith::CmpFPredicate::OEQ ||
                      predicate == arith::CmpFPredicate::UEQ;
}

/// Whether a logit is -inf where a condition does not let it live.
static bool isDeadOutside(Value logit, Value condition, bool liveIf) {
  logit = skipFloatCasts(logit);
  while (auto select = logit.getDefiningOp<arith::SelectOp>()) {
    for (bool kept : {true, false}) {
      Value instead = kept ? select.getFalseValue() : select.getTrueValue();
      std::optional<double> number = getNumber(instead);
      if (!number || !std::isinf(*number) || *number > 0)
        continue;
      if (select.getCondition() == condition && liveIf == kept)
        return true;
      logit = kept ? select.getTrueValue() : select.getFalseValue();
    }
    logit = skipFloatCasts(logit);
    if (logit == select)
      break;
  }
  return false;
}

bool GradientProduct::matchWeight(mlir::Value weight) {
  weight = skipMasks(weight);
  divisor = {};
  if (auto quotient = weight.getDefiningOp<arith::DivFOp>()) {
    divisor = skipFloatCasts(quotient.getRhs());
    weight = skipMasks(quotient.getLhs());
    if (!getRow(divisor))
      return false;
  }
  auto exponential = weight.getDefiningOp<math::ExpOp>();
  auto difference = exponential ? skipFloatCasts(exponential.getOperand())
                                      .getDefiningOp<arith::SubFOp>()
                                : arith::SubFOp();
  if (!difference || !getRow(difference.getRhs()))
    return false;
  logit = difference.getLhs();
  shift = skipFloatCasts(difference.getRhs());
  score = {};
  SmallVector<mlir::Value> worklist{logit};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    mlir::Value value = worklist.pop_back_val();
    if (elements->getProduct(value)) {
      if (score && score != value)
        return false;
      score = value;
    }
    // Beside a low number of a row without another one, the logarithm of the
    // divisor would be lost.
    constexpr double kLow = -1e4;
    std::optional<double> number = getNumber(value);
    auto leaf = elements->getLeaves().find(value);
    bool isAdded =
        leaf != elements->getLeaves().end() && isa<FloatType>(value.getType());
    if (divisor &&
        (isAdded || (number && *number < kLow && std::isfinite(*number))))
      return false;
    if (Operation *op = value.getDefiningOp(); op && seen.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  if (!score)
    return false;
  return hasLiveMasks();
}

/// w * (x - delta), with x the gradient of the weight w.
bool GradientProduct::matchOfScore(mlir::Value value) {
  auto isOfWeight = [&](mlir::Value x) {
    const ElementValues::Product *product =
        elements->getProduct(skipFloatCasts(x));
    return product && product->value != score;
  };
  auto matchFactors = [&](mlir::Value weight, mlir::Value rest) {
    auto difference = skipFloatCasts(rest).getDefiningOp<arith::SubFOp>();
    size_t numMasks = masks.size();
    if (!difference || !getRow(difference.getRhs()) || !matchWeight(weight) ||
        !isOfWeight(difference.getLhs())) {
      masks.resize(numMasks);
      return false;
    }
    this->weight = skipFloatCasts(weight);
    ofWeight = skipFloatCasts(difference.getLhs());
    delta = skipFloatCasts(difference.getRhs());
    return true;
  };
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    return matchFactors(product.getLhs(), product.getRhs()) ||
           matchFactors(product.getRhs(), product.getLhs());
  // w * x - w * delta.
  auto difference = value.getDefiningOp<arith::SubFOp>();
  if (!difference)
    return false;
  auto first =
      skipFloatCasts(difference.getLhs()).getDefiningOp<arith::MulFOp>();
  auto second =
      skipFloatCasts(difference.getRhs()).getDefiningOp<arith::MulFOp>();
  if (!first || !second)
    return false;
  for (unsigned i : {0, 1})
    for (unsigned j : {0, 1}) {
      mlir::Value weight = first->getOperand(i), x = first->getOperand(1 - i),
                  d = second->getOperand(1 - j);
      if (skipFloatCasts(weight) != skipFloatCasts(second->getOperand(j)) ||
          !getRow(d))
        continue;
      size_t numMasks = masks.size();
      if (matchWeight(weight) && isOfWeight(x)) {
        this->weight = skipFloatCasts(weight);
        ofWeight = skipFloatCasts(x);
        delta = skipFloatCasts(d);
        return true;
      }
      masks.resize(numMasks);
    }
  return false;
}

/// The t of 1 - t * t, the derivative of a tanh t.
static Value getCap(Value value) {
  auto difference = skipFloatCasts(value).getDefiningOp<arith::SubFOp>();
  if (!difference || getNumber(difference.getLhs()) != 1.0)
    return Value();
  auto square =
      skipFloatCasts(difference.getRhs()).getDefiningOp<arith::MulFOp>();
  if (!square)
    return Value();
  Value t = skipFloatCasts(square.getLhs());
  return t == skipFloatCasts(square.getRhs()) && t.getDefiningOp<math::TanhOp>()
             ? t
             : Value();
}

/// The same of (g + g * t) * (1 - t), which is g times that: t, and g.
static std::pair<Value, Value> getFactoredCap(Value sum, Value rest) {
  auto difference = skipFloatCasts(rest).getDefiningOp<arith::SubFOp>();
  auto addition = skipFloatCasts(sum).getDefiningOp<arith::AddFOp>();
  if (!difference || !addition || getNumber(difference.getLhs()) != 1.0)
    return {};
  Value t = skipFloatCasts(difference.getRhs());
  if (!t.getDefiningOp<math::TanhOp>())
    return {};
  for (unsigned i : {0, 1}) {
    Value g = skipFloatCasts(addition->getOperand(i));
    auto product = skipFloatCasts(addition->getOperand(1 - i))
                       .getDefiningOp<arith::MulFOp>();
    if (!product)
      continue;
    Value x = skipFloatCasts(product.getLhs()),
          y = skipFloatCasts(product.getRhs());
    if ((x == g && y == t) || (x == t && y == g))
      return {t, g};
  }
  return {};
}

/// Skips factors of gradients, in front of masks or behind.
Value GradientProduct::skipFactors(mlir::Value value, Multiple &multiple) {
  value = skipMasks(value);
  while (true) {
    mlir::Value rest;
    if (auto negative = value.getDefiningOp<arith::NegFOp>()) {
      multiple.factor = -multiple.factor;
      rest = negative.getOperand();
    } else if (auto quotient = value.getDefiningOp<arith::DivFOp>()) {
      std::optional<double> number = getNumber(quotient.getRhs());
      if (!number || *number == 0.0)
        return value;
      multiple.factor /= *number;
      rest = quotient.getLhs();
    } else if (auto product = value.getDefiningOp<arith::MulFOp>()) {
      for (unsigned i : {0, 1}) {
        mlir::Value x = product->getOperand(i), y = product->getOperand(1 - i);
        if (rest)
          break;
        if (std::optional<double> number = getNumber(x)) {
          multiple.factor *= *number;
          rest = y;
        } else if (mlir::Value t = getCap(x)) {
          multiple.caps.push_back(t);
          rest = y;
        } else if (auto [t, g] = getFactoredCap(x, y); t) {
          multiple.caps.push_back(t);
          rest = g;
        }
      }
    }
    if (!rest)
      return value;
    value = skipMasks(rest);
  }
}

/// Whether zeros are selected where logits are dead alone.
bool GradientProduct::hasLiveMasks() {
  return llvm::all_of(masks, [&](auto mask) {
    return isEmptyRow(mask.first, mask.second, shift) ||
           isDeadOutside(logit, mask.first, mask.second);
  });
}

std::optional<GradientProduct::Multiple>
GradientProduct::getMultipleOfLogit(mlir::Value element) {
  masks.clear();
  Multiple multiple{1.0, {}};
  if (!ofLogit || skipFactors(element, multiple) != ofLogit || !hasLiveMasks())
    return std::nullopt;
  return multiple;
}

bool GradientProduct::matchElement(mlir::Value element) {
  masks.clear();
  ofWeight = {};
  Multiple multiple{1.0, {}};
  mlir::Value value = skipFactors(element, multiple);
  if (matchOfScore(value)) {
    ofLogit = value;
    factor = multiple.factor;
    caps = multiple.caps;
    if (elements->getProducts().size() == 2)
      return true;
    reason = "gradients of weights are no product";
    return false;
  }
  if (multiple.factor != 1.0 || !multiple.caps.empty())
    return false;
  masks.clear();
  return matchWeight(element) && elements->getProducts().size() == 1;
}

bool GradientProduct::sumsUpDelta() {
  const Leaf &leaf = elements->getLeaves().find(delta)->second;
  View at{leaf.source, leaf.places};
  // Roundings and views between.
  OpOperand *summed = nullptr;
  while (Operation *def = at.tensor.getDefiningOp()) {
    FailureOr<Places> places = failure();
    auto structured = dyn_cast<linalg::LinalgOp>(def);
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(def))
      places = axes.getSourcePlaces(expand, at.places);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(def))
      places = axes.getSourcePlaces(collapse, at.places);
    else if (structured && (summed = getSummed(structured)))
      break;
    else if (structured && isRounding(structured))
      if (FailureOr<Places> loops = getLoopsOfOperand(
              structured, structured.getDpsInitOperand(0), at.places);
          succeeded(loops))
        places = getPlacesOfOperand(structured,
                                    structured.getDpsInputOperand(0), *loops);
    if (failed(places))
      return false;
    at = {def->getOperand(0), *places};
  }
  if (!summed)
    return false;
  auto op = cast<linalg::LinalgOp>(summed->getOwner());
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  FailureOr<Places> loops =
      getLoopsOfOperand(op, op.getDpsInitOperand(0), at.places);
  if (reductions.size() != 1 || failed(loops))
    return false;
  (*loops)[reductions[0]] = {keyAxis};
  FailureOr<Places> places = getPlacesOfOperand(op, summed, *loops);
  if (failed(places))
    return false;
  mlir::Value element = elements->get(summed->get(), *places);
  auto product = element
                     ? skipFloatCasts(element).getDefiningOp<arith::MulFOp>()
                     : arith::MulFOp();
  if (!product)
    return false;
  mlir::Value x = skipFloatCasts(product.getLhs()),
              y = skipFloatCasts(product.getRhs());
  return (x == weight && y == ofWeight) || (x == ofWeight && y == weight);
}
