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
    // Heads that share keys are reduced beside queries.
    if ((!isReduced && !inOut) || (isColumn && column) ||
        (isOuter && !reducesKeys && outer) ||
        (isReduced && reducesKeys && reduced))
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
      for (bool keepsAxes : {true, false}) {
        skipViews(axes, {factor->get(), *places}, /*scales=*/true, keepsAxes);
        if (axes.isPending())
          return Step::Again;
      }
    }
  bool isOfScores = bool(ofWeight);
  if (isOfScores)
    of = reducesKeys ? Of::Query : Of::Key;
  else
    of = reducesKeys ? Of::Result : Of::Value;

  OpOperand *init = op.getDpsInitOperand(0);
  places = getPlacesOfOperand(op, init, loops);
  mlir::Value start =
      succeeded(places) ? elements->get(init->get(), *places) : mlir::Value();
  if (!start || !matchPattern(start, m_AnyZeroFloat()))
    return refuse("a gradient of attention is added to something");
  result = {op->getResult(0), *places};
  shared = {};
  if (failed(followResult()) || (!reducesKeys && failed(followShared())))
    return Step::Again;
  OpOperand *rows = op.getDpsInputOperand(1 - operand);
  places = getPlacesOfOperand(op, rows, loops);
  if (failed(places))
    return refuse("");
  other = skipViews(axes, {rows->get(), *places}, /*scales=*/true,
                    /*keepsAxes=*/true);
  return axes.isPending() ? Step::Again : Step::Done;
}
