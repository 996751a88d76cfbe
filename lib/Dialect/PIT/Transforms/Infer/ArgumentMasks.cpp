//===- ArgumentMasks.cpp - Masks of weights, as pruning has them ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pruned weight is the product of two arguments of floats, of which one is a
// mask. Products of activations look alike; those are read elsewhere, too.
//
//===----------------------------------------------------------------------===//

#include "ArgumentMasks.h"
#include "InferredMarks.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether an elementwise op does nothing with an operand but to multiply it
/// once, and reads no element twice. `factor` is what it is multiplied with,
/// where that is another operand of this kind.
static bool isMultiplied(OpOperand &use, OpOperand *&factor) {
  factor = nullptr;
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!op || !op.hasPureTensorSemantics() || !op.isDpsInput(&use) ||
      op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(&use).isPermutation())
    return false;
  BlockArgument element = op.getMatchingBlockArgument(&use);
  if (!element.hasOneUse() || !isa<arith::MulFOp>(*element.user_begin()))
    return false;
  Operation *product = *element.user_begin();
  auto other = dyn_cast<BlockArgument>(
      product->getOperand(product->getOperand(0) == element));
  if (other && other.getOwner() == op.getBlock() &&
      other.getArgNumber() < op.getNumDpsInputs()) {
    OpOperand &operand = op->getOpOperand(other.getArgNumber());
    if (op.getMatchingIndexingMap(&operand).isPermutation())
      factor = &operand;
  }
  return true;
}

/// Whether a value is an argument of the function that is read once, seen
/// through views.
static bool isArgumentReadOnce(Value value) {
  for (; value.hasOneUse(); value = value.getDefiningOp()->getOperand(0)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument)
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!isDataMovement(value.getDefiningOp()))
      return false;
  }
  return false;
}

bool pit::isMaskOfArgument(Value value) {
  unsigned numProducts = 0;
  bool isOfArgument = false;
  bool isOnlyMultiplied = allReadersOf(value, [&](OpOperand &use) {
    OpOperand *factor;
    if (!isMultiplied(use, factor))
      return false;
    ++numProducts;
    isOfArgument |= factor && isArgumentReadOnce(factor->get());
    return true;
  });
  return isOnlyMultiplied && numProducts > 1 && isOfArgument;
}

bool pit::isMaskedArgument(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
      op.getBlock()->getOperations().size() != 2)
    return false;
  OpOperand &first = *op.getDpsInputOperand(0);
  OpOperand *factor;
  return isMultiplied(first, factor) && factor && factor != &first &&
         isArgumentReadOnce(first.get()) && isArgumentReadOnce(factor->get());
}
