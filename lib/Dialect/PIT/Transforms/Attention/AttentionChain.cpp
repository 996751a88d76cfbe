//===- AttentionChain.cpp - Ops that are an attention ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionChain.h"
#include "AttentionOperands.h"

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::mayBeWeights(Value tensor) {
  constexpr unsigned kMostOps = 200;
  bool hasExponential = false, hasLargest = false;
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      ops.insert(op);
  };
  add(tensor);
  for (unsigned i = 0; i < ops.size() && i < kMostOps; ++i) {
    if (isa<linalg::SoftmaxOp>(ops[i]))
      return true;
    auto op = dyn_cast<linalg::LinalgOp>(ops[i]);
    if (op && SumOfProducts::match(op))
      continue;
    if (op)
      for (Operation &inside : *op.getBlock()) {
        hasExponential |= isa<math::ExpOp, math::Exp2Op>(inside);
        hasLargest |= op.getNumReductionLoops() != 0 &&
                      isa<arith::MaximumFOp, arith::MaxNumFOp>(inside);
      }
    if (hasExponential && hasLargest)
      return true;
    llvm::for_each(ops[i]->getOperands(), add);
  }
  return false;
}

AttentionChain::AttentionChain(SumOfProducts product, unsigned weights)
    : product(product), weightsOperand(weights) {}

Operation *AttentionChain::getOp() const {
  if (elements && elements->getScoresOp())
    return elements->getScoresOp();
  return product.op;
}

void AttentionChain::eraseDead(RewriterBase &rewriter) {
  llvm::SetVector<Operation *> worklist;
  worklist.insert(result.tensor.getDefiningOp());
  for (const View &view : lse)
    worklist.insert(view.tensor.getDefiningOp());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        worklist.insert(def);
    rewriter.eraseOp(op);
  }
}

LogicalResult AttentionChain::match() {
  // Each round splits an axis.
  constexpr unsigned kMostRounds = 16;
  for (unsigned i = 0; i < kMostRounds; ++i) {
    axes.restart();
    switch (tryMatch()) {
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

LogicalResult AttentionChain::classifyLoops() {
  linalg::LinalgOp op = product.op;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineMap weights = op.getMatchingIndexingMap(
                op.getDpsInputOperand(weightsOperand)),
            values = op.getMatchingIndexingMap(
                op.getDpsInputOperand(1 - weightsOperand)),
            out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  loops.assign(ranges.size(), {});
  rowAxes.clear();
  std::optional<unsigned> column;
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (range == 1)
      continue;
    bool inWeights = weights.isFunctionOfDim(loop),
         inValues = values.isFunctionOfDim(loop),
         inOut = out.isFunctionOfDim(loop);
    bool isKey = inWeights && inValues && !inOut;
    bool isColumn = !inWeights && inValues && inOut;
    if ((!isKey && !inOut) || (isColumn && column))
      return failure();
    unsigned root = axes.addRoot(range, /*maySplit=*/!isKey && !isColumn);
    loops[loop] = axes.getAxesOfRoot(root);
    if (isKey)
      keyAxis = loops[loop][0];
    if (isColumn)
      column = loops[loop][0];
    if (inWeights && !inValues)
      llvm::append_range(rowAxes, loops[loop]);
  }
  if (!column || loops[product.reductionLoop].empty())
    return failure();
  valueAxis = *column;
  return success();
}

AttentionChain::Step AttentionChain::tryMatch() {
  linalg::LinalgOp op = product.op;
  if (failed(classifyLoops()))
    return refuse("weights and values share no axis of keys, or values have no "
                  "columns");
  unsigned tailAxis =
      axes.getAxesOfRoot(axes.addRoot(1, /*maySplit=*/false))[0];
  elements = std::make_unique<ElementValues>(axes, op.getContext(), op.getLoc(),
                                             keyAxis, tailAxis, rowAxes);
  OpOperand *operand = op.getDpsInputOperand(weightsOperand);
  FailureOr<Places> places = getPlacesOfOperand(op, operand, loops);
  if (failed(places))
    return refuse("weights are read along no axes");
  Value weights = elements->get(operand->get(), *places);
  if (axes.isPending())
    return Step::Again;
  if (!weights || !elements->getScoresOp())
    return refuse(elements->getReason());
  softmax = std::make_unique<SoftmaxMatcher>(*elements);
  if (failed(softmax->matchWeights(weights)))
    return refuse(softmax->getReason());
  OpOperand *init = op.getDpsInitOperand(0);
  places = getPlacesOfOperand(op, init, loops);
  Value start =
      succeeded(places) ? elements->get(init->get(), *places) : Value();
  if (!start || !matchPattern(start, m_AnyZeroFloat()))
    return refuse("the product with the values adds to something");
  result = {op->getResult(0), *places};
  if (failed(followResult()))
    return axes.isPending() ? Step::Again : Step::Refused;
  return matchOperands();
}

/// Whether elements of a row lie one behind the other.
static bool hasColumnsLast(const Places &places, unsigned valueAxis) {
  for (const AxisList &list : llvm::reverse(places))
    if (!list.empty())
      return list.back() == valueAxis;
  return false;
}

bool AttentionChain::followElementwise(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op->getNumResults() != 1)
    return false;
  OpOperand *operand = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == result.tensor) {
      if (operand)
        return false;
      operand = input;
    }
  if (!operand)
    return false;
  FailureOr<Places> around = getLoopsOfOperand(op, operand, result.places);
  if (failed(around))
    return false;
  FailureOr<Places> places =
      getPlacesOfOperand(op, op.getDpsInitOperand(0), *around);
  if (failed(places) || !hasColumnsLast(*places, valueAxis))
    return false;
  auto getWidth = [](Value value) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
    return type ? type.getWidth() : ~0u;
  };
  // What was rounded is not exact again.
  if (getWidth(op->getResult(0)) > getWidth(result.tensor))
    return false;
  Value sum = skipFloatCasts(elements->define(
      result.tensor, result.places, getElementTypeOrSelf(result.tensor)));
  Value made = elements->get(op->getResult(0), *places);
  if (!made ||
      (skipFloatCasts(made) != sum &&
       (softmax->isDivided() || failed(softmax->matchQuotient(made, sum)))))
    return false;
  result = {op->getResult(0), *places};
  behind.insert(op);
  return true;
}

/// Follows what is made of the product: roundings, the quotient, and copies in
/// other orders of axes. Views behind the last of them stay.
LogicalResult AttentionChain::followResult() {
  behind.clear();
  SmallVector<Operation *> views;
  View last = result;
  while (true) {
    SmallVector<Operation *> users =
        llvm::filter_to_vector(result.tensor.getUsers(), [](Operation *user) {
          return !isa<tensor::DimOp>(user);
        });
    if (users.size() != 1 || users[0]->getBlock() != product.op->getBlock())
      break;
    Operation *user = users[0];
    FailureOr<Places> places = failure();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      places = axes.getResultPlaces(expand, result.places);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      places = axes.getResultPlaces(collapse, result.places);
    if (axes.isPending())
      return failure();
    if (succeeded(places)) {
      result = {user->getResult(0), *places};
      views.push_back(user);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !followElementwise(op)) {
      if (axes.isPending())
        return failure();
      break;
    }
    behind.insert_range(views);
    views.clear();
    last = result;
  }
  result = last;
  if (softmax->isDivided())
    return success();
  reason = "exponentials are divided by their sum neither before nor behind "
           "the product with the values";
  return failure();
}

AttentionChain::Step AttentionChain::matchOperands() {
  linalg::LinalgOp scores = elements->getScoresOp(), op = product.op;
  scoreAxis = axes.getAxesOfRoot(elements->getScoresLoop())[0];
  View views[2];
  for (unsigned i = 0; i < 2; ++i) {
    OpOperand *operand = scores.getDpsInputOperand(i);
    FailureOr<Places> places =
        getPlacesOfOperand(scores, operand, elements->getScoresLoops());
    if (failed(places))
      return refuse("queries or keys are read along no axes");
    views[i] = skipViews(axes, {operand->get(), *places}, /*scales=*/true);
    if (axes.isPending())
      return Step::Again;
  }
  auto hasAxis = [](const View &view, unsigned axis) {
    return llvm::any_of(view.places, [&](const AxisList &list) {
      return llvm::is_contained(list, axis);
    });
  };
  if (hasAxis(views[0], keyAxis))
    std::swap(views[0], views[1]);
  query = views[0];
  key = views[1];
  if (hasAxis(query, keyAxis) || !hasAxis(key, keyAxis))
    return refuse("both factors of the scores have keys");
  OpOperand *values = op.getDpsInputOperand(1 - weightsOperand);
  FailureOr<Places> places = getPlacesOfOperand(op, values, loops);
  if (failed(places))
    return refuse("values are read along no axes");
  value = skipViews(axes, {values->get(), *places}, /*scales=*/false);
  if (axes.isPending())
    return Step::Again;
  if (failed(matchAxes()))
    return Step::Refused;
  Type element = getElementTypeOrSelf(query.tensor.getType());
  for (const View &view : {key, value})
    if (getElementTypeOrSelf(view.tensor.getType()) != element)
      return refuse("queries, keys and values have elements of several types");
  StringRef limit = getAttentionLimit(element, axes.getExtent(scoreAxis),
                                      axes.getExtent(valueAxis));
  if (!limit.empty())
    return refuse(limit);
  for (const View *view : {&query, &key, &value})
    if (!hasAlignedRows(view->tensor))
      return refuse("queries, keys or values are a slice of a tensor with "
                    "unknown or odd distances of rows");
  if (!isa<func::FuncOp>(op->getParentOp()) ||
      !op->getParentRegion()->hasOneBlock())
    return refuse("kernels of attention are planned outside of loops and "
                  "branches");
  if (isReadElsewhere())
    return refuse("something else reads scores or weights");
  auto isPlain = [&](const View &view) {
    return joinPlaces(view.places).size() == batchAxes.size() + 1;
  };
  if (!lse.empty() && (!queryAxis || !llvm::all_of(lse, isPlain)))
    return refuse("logarithms of sums of weights lack an axis");
  return Step::Done;
}

/// Which axes are of the batch, and which is that of queries.
LogicalResult AttentionChain::matchAxes() {
  auto getAxes = [](const View &view) {
    llvm::SmallSetVector<unsigned, 8> set;
    for (const AxisList &list : view.places)
      set.insert_range(list);
    return set;
  };
  auto ofQuery = getAxes(query), ofKey = getAxes(key), ofValue = getAxes(value),
       ofResult = getAxes(result);
  auto refuse = [&](StringRef why) {
    reason = why.str();
    return failure();
  };
  for (unsigned axis : ofKey)
    if (axis != keyAxis && axis != scoreAxis && !ofResult.contains(axis))
      return refuse("keys have an axis that the result has not");
  if (!ofQuery.contains(scoreAxis) || !ofKey.contains(scoreAxis) ||
      !ofValue.contains(keyAxis) || !ofValue.contains(valueAxis))
    return refuse("an operand lacks an axis of attention");
  // Values of many batches with few keys are an expert's, not attention's.
  for (unsigned axis : ofValue)
    if (axis != keyAxis && axis != valueAxis && !ofKey.contains(axis))
      return refuse("values have an axis that keys have not");
  // Of several axes that keys lack, the last one of the weights is that of
  // queries; others, such as groups of heads, repeat keys.
  queryAxis.reset();
  linalg::LinalgOp op = product.op;
  AffineMap weights =
      op.getMatchingIndexingMap(op.getDpsInputOperand(weightsOperand));
  for (AffineExpr expr : weights.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      for (unsigned axis : loops[dim.getPosition()])
        if (ofQuery.contains(axis) && !ofKey.contains(axis) &&
            !ofValue.contains(axis))
          queryAxis = axis;
  batchAxes.clear();
  for (unsigned axis : ofResult)
    if (axis != queryAxis && axis != valueAxis)
      batchAxes.push_back(axis);
  return success();
}

/// Whether an op computes what is one number of a row, the logarithm of its sum
/// of exponentials, or is on the way to it.
bool AttentionChain::mayBeLse(Operation *user) {
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op->getNumResults() != 1)
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    std::optional<Places> places = elements->getPlacesOf(operand->get());
    if (!places ||
        !elements->getChain().contains(operand->get().getDefiningOp()))
      continue;
    FailureOr<Places> around = getLoopsOfOperand(op, operand, *places);
    if (failed(around))
      return false;
    FailureOr<Places> ofResult =
        getPlacesOfOperand(op, op.getDpsInitOperand(0), *around);
    if (failed(ofResult))
      return false;
    for (const AxisList &list : *ofResult)
      if (llvm::is_contained(list, keyAxis))
        return false;
    Value made = elements->get(op->getResult(0), *ofResult);
    if (!made)
      return false;
    if (softmax->isLse(made)) {
      if (!getElementTypeOrSelf(op->getResult(0)).isF32())
        return false;
      lse.push_back({op->getResult(0), *ofResult});
      return true;
    }
    // An op of the chain now, whose readers are asked in turn.
    return elements->getChain().contains(op);
  }
  return false;
}

/// Whether anything but the chain and the product reads what depends on scores.
bool AttentionChain::isReadElsewhere() {
  for (auto &[argument, leaf] : elements->getLeaves())
    if (elements->getChain().contains(leaf.source.getDefiningOp()))
      return true;
  lse.clear();
  auto isLse = [&](Operation *op) {
    return llvm::any_of(lse, [&](const View &view) {
      return view.tensor.getDefiningOp() == op;
    });
  };
  // It grows on the way to logarithms of sums.
  for (unsigned i = 0; i < elements->getChain().size(); ++i) {
    Operation *op = elements->getChain()[i];
    if (behind.contains(op) || isLse(op))
      continue;
    for (Operation *user : op->getUsers())
      if (user != product.op && !behind.contains(user) && !isLse(user) &&
          !elements->getChain().contains(user) && !isa<tensor::DimOp>(user) &&
          !mayBeLse(user))
        return true;
  }
  return false;
}
