//===- GradientResults.cpp - What the program makes of gradients
//------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::isRounding(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op->getNumResults() != 1 || op.getNumDpsInputs() != 1)
    return false;
  Value made = op.getBlock()->getTerminator()->getOperand(0);
  return isa_and_present<arith::TruncFOp, arith::ExtFOp>(
             made.getDefiningOp()) &&
         skipFloatCasts(made) ==
             op.getMatchingBlockArgument(op.getDpsInputOperand(0));
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

OpOperand *mlir::pit::getSummed(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return nullptr;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return nullptr;
  auto sum = skipFloatCasts(op.getBlock()->getTerminator()->getOperand(0))
                 .getDefiningOp<arith::AddFOp>();
  if (!sum)
    return nullptr;
  OpOperand *input = op.getDpsInputOperand(0);
  for (unsigned i : {0, 1})
    if (skipFloatCasts(sum->getOperand(i)) ==
            op.getMatchingBlockArgument(input) &&
        skipFloatCasts(sum->getOperand(1 - i)) == op.getRegionOutputArgs()[0])
      return input;
  return nullptr;
}

/// Views, roundings and sums of the result that the program goes on with, if
/// there is a sum among them.
LogicalResult GradientProduct::followShared() {
  View at = result;
  bool isSummed = false;
  while (true) {
    SmallVector<Operation *> users =
        llvm::filter_to_vector(at.tensor.getUsers(), [](Operation *user) {
          return !isa<tensor::DimOp>(user);
        });
    if (users.size() != 1 || users[0]->getBlock() != product.op->getBlock())
      break;
    FailureOr<Places> places = failure();
    auto structured = dyn_cast<linalg::LinalgOp>(users[0]);
    bool isView = !structured;
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(users[0]))
      places = axes.getResultPlaces(expand, at.places);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(users[0]))
      places = axes.getResultPlaces(collapse, at.places);
    if (axes.isPending())
      return failure();
    OpOperand *input = structured ? getSummed(structured) : nullptr;
    bool sums = input != nullptr;
    if (structured && !input && isRounding(structured))
      input = structured.getDpsInputOperand(0);
    if (input)
      if (FailureOr<Places> loops =
              getLoopsOfOperand(structured, input, at.places);
          succeeded(loops))
        places = getPlacesOfOperand(structured, structured.getDpsInitOperand(0),
                                    *loops);
    if (failed(places))
      break;
    at = {users[0]->getResult(0), *places};
    isSummed |= sums;
    // Views behind the last sum or rounding stay.
    if (isSummed && !isView)
      shared = at;
  }
  return success();
}
