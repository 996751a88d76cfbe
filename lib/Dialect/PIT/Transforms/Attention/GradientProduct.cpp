//===- GradientProduct.cpp - A product of the gradients of attention
//----------===//
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

bool mlir::pit::mayBeOfWeights(Value tensor) {
  constexpr unsigned kMostOps = 100;
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      ops.insert(op);
  };
  add(tensor);
  for (unsigned i = 0; i < ops.size() && i < kMostOps; ++i) {
    auto op = dyn_cast<linalg::LinalgOp>(ops[i]);
    if (op && SumOfProducts::match(op))
      continue;
    if (op)
      for (Operation &inside : *op.getBlock())
        if (isa<math::ExpOp>(inside))
          return true;
    llvm::for_each(ops[i]->getOperands(), add);
  }
  return false;
}

GradientProduct::GradientProduct(SumOfProducts product, unsigned operand)
    : product(product), operand(operand) {}

LogicalResult GradientProduct::match() {
  if (succeeded(matchAlong(/*reducesKeys=*/true)))
    return success();
  std::string first = reason;
  if (succeeded(matchAlong(/*reducesKeys=*/false)))
    return success();
  if (reason.empty())
    reason = first;
  return failure();
}

LogicalResult GradientProduct::matchAlong(bool reducesKeys) {
  // Each round splits an axis.
  constexpr unsigned kMostRounds = 16;
  axes = AttentionAxes();
  reason.clear();
  for (unsigned i = 0; i < kMostRounds; ++i) {
    axes.restart();
    switch (tryMatch(reducesKeys)) {
    case Step::Done:
      return success();
    case Step::Refused:
      return failure();
    case Step::Again:
      break;
    }
  }
  reason = "axes are split and joined in too many ways";
  return failure();
}

LogicalResult GradientProduct::classifyLoops(bool reducesKeys) {
  linalg::LinalgOp op = product.op;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineMap points = op.getMatchingIndexingMap(op.getDpsInputOperand(operand)),
            rows =
                op.getMatchingIndexingMap(op.getDpsInputOperand(1 - operand)),
            out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  loops.assign(ranges.size(), {});
  rowAxes.clear();
  std::optional<unsigned> column, reduced, outer;
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (range == 1)
      continue;
    bool inPoints = points.isFunctionOfDim(loop),
         inRows = rows.isFunctionOfDim(loop), inOut = out.isFunctionOfDim(loop);
    bool isReduced = inPoints && inRows && !inOut,
         isColumn = !inPoints && inRows && inOut,
         isOuter = inPoints && !inRows && inOut;
    if ((!isReduced && !inOut) || (isColumn && column) ||
        (isOuter && !reducesKeys && outer))
      return failure();
    // Queries may be several axes, keys and columns are one.
    bool isKey = reducesKeys ? isReduced : isOuter;
    unsigned root = axes.addRoot(range, /*maySplit=*/!isKey && !isColumn);
    loops[loop] = axes.getAxesOfRoot(root);
    if (isKey)
      keyAxis = loops[loop][0];
    else if (isReduced || isOuter)
      llvm::append_range(rowAxes, loops[loop]);
    if (isColumn)
      column = loops[loop][0];
    if (isReduced)
      reduced = loop;
    if (isOuter)
      outer = loop;
  }
  if (!column || !reduced || !outer)
    return failure();
  columnAxis = *column;
  return success();
}

GradientProduct::Step GradientProduct::tryMatch(bool reducesKeys) {
  if (failed(classifyLoops(reducesKeys)))
    return refuse("");
  linalg::LinalgOp op = product.op;
  unsigned tailAxis =
      axes.getAxesOfRoot(axes.addRoot(1, /*maySplit=*/false))[0];
  elements = std::make_unique<ElementValues>(axes, op.getContext(), op.getLoc(),
                                             keyAxis, tailAxis, rowAxes);
  elements->allowProducts(2);
  OpOperand *points = op.getDpsInputOperand(operand);
  FailureOr<Places> places = getPlacesOfOperand(op, points, loops);
  if (failed(places))
    return refuse("");
  mlir::Value element = elements->get(points->get(), *places);
  if (axes.isPending())
    return Step::Again;
  if (!element || elements->getProducts().empty())
    return refuse("");
  if (!matchElement(element))
    return refuse(reason);
  // Axes are split as operands need them.
  for (const ElementValues::Product &reached : elements->getProducts())
    for (unsigned i : {0, 1}) {
      linalg::LinalgOp from = reached.op;
      OpOperand *factor = from.getDpsInputOperand(i);
      FailureOr<Places> places =
          getPlacesOfOperand(from, factor, reached.loops);
      if (failed(places))
        return refuse("");
      skipViews(axes, {factor->get(), *places}, /*scales=*/true,
                /*keepsAxes=*/true);
      if (axes.isPending())
        return Step::Again;
    }
  bool isOfScores = bool(ofWeight);
  if (reducesKeys && !isOfScores)
    return refuse("");
  of = reducesKeys ? Of::Query : isOfScores ? Of::Key : Of::Value;

  OpOperand *init = op.getDpsInitOperand(0);
  places = getPlacesOfOperand(op, init, loops);
  mlir::Value start =
      succeeded(places) ? elements->get(init->get(), *places) : mlir::Value();
  if (!start || !matchPattern(start, m_AnyZeroFloat()))
    return refuse("a gradient of attention is added to something");
  result = {op->getResult(0), *places};
  if (failed(followResult()))
    return Step::Again;
  OpOperand *rows = op.getDpsInputOperand(1 - operand);
  places = getPlacesOfOperand(op, rows, loops);
  if (failed(places))
    return refuse("");
  other = skipViews(axes, {rows->get(), *places}, /*scales=*/true,
                    /*keepsAxes=*/true);
  return axes.isPending() ? Step::Again : Step::Done;
}

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
  for (auto [condition, liveIf] : masks)
    if (!isEmptyRow(condition, liveIf, shift) &&
        !isDeadOutside(logit, condition, liveIf))
      return false;
  return true;
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
        ofWeight = skipFloatCasts(x);
        delta = skipFloatCasts(d);
        return true;
      }
      masks.resize(numMasks);
    }
  return false;
}

bool GradientProduct::matchElement(mlir::Value element) {
  masks.clear();
  ofWeight = {};
  factor = 1.0;
  mlir::Value value = skipMasks(element);
  // The factor of the scores, in front of masks or behind.
  while (auto product = value.getDefiningOp<arith::MulFOp>()) {
    std::optional<double> number;
    mlir::Value rest;
    for (unsigned i : {0, 1})
      if (!number && (number = getNumber(product->getOperand(i))))
        rest = product->getOperand(1 - i);
    if (!number)
      break;
    factor *= *number;
    value = skipMasks(rest);
  }
  if (matchOfScore(value)) {
    if (elements->getProducts().size() == 2)
      return true;
    reason = "gradients of weights are no product";
    return false;
  }
  if (factor != 1.0)
    return false;
  masks.clear();
  return matchWeight(element) && elements->getProducts().size() == 1;
}

/// Follows views and roundings of the product.
LogicalResult GradientProduct::followResult() {
  View last = result;
  while (true) {
    SmallVector<Operation *> users =
        llvm::filter_to_vector(result.tensor.getUsers(), [](Operation *user) {
          return !isa<tensor::DimOp>(user);
        });
    if (users.size() != 1 || users[0]->getBlock() != product.op->getBlock())
      break;
    FailureOr<Places> places = failure();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(users[0]))
      places = axes.getResultPlaces(expand, result.places);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(users[0]))
      places = axes.getResultPlaces(collapse, result.places);
    if (axes.isPending())
      return failure();
    if (succeeded(places)) {
      result = {users[0]->getResult(0), *places};
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(users[0]);
    if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
        op->getNumResults() != 1 || op.getNumDpsInputs() != 1)
      break;
    OpOperand *input = op.getDpsInputOperand(0);
    auto narrow = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
    if (input->get() != result.tensor || !narrow ||
        narrow.getIn() != op.getMatchingBlockArgument(input))
      break;
    FailureOr<Places> around = getLoopsOfOperand(op, input, result.places);
    if (failed(around))
      break;
    places = getPlacesOfOperand(op, op.getDpsInitOperand(0), *around);
    if (failed(places))
      break;
    result = last = {op->getResult(0), *places};
  }
  result = last;
  return success();
}
