//===- AddedBiases.cpp - Modifiers of logits that are no masks ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddedBiases.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

static bool isOfFloats(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Numbers of this or less are written to kill, or their products by 0 and 1.
static bool isLowConstant(Operation *op) {
  constexpr double kHighest = -1e3;
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || !isOfFloats(constant))
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return !(number.getValueAsDouble() > kHighest);
  auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  return !elements || llvm::any_of(elements, [&](const APFloat &element) {
    return !(element.convertToDouble() > kHighest);
  });
}

/// Whether an op of a body chooses between floats, or makes floats of truth
/// values or of other integers.
static bool makesMask(Operation *op) {
  return (isa<arith::SelectOp>(op) && isOfFloats(op->getResult(0))) ||
         isa<arith::SIToFPOp, arith::UIToFPOp>(op) || isLowConstant(op);
}

/// Adds the tensors of floats that an op's numbers come from; whether the op
/// adds no numbers of a mask by itself.
static bool addSources(Operation *op, llvm::SetVector<Value> &tensors) {
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) && isOfFloats(value))
      tensors.insert(value);
  };
  if (auto mark = dyn_cast<SparseOp>(op)) {
    add(mark.getSource());
    return true;
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (isProduct(structured))
      return true;
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      Operation *number = fill.getInputs()[0].getDefiningOp();
      return number && isa<arith::ConstantOp>(number) && !isLowConstant(number);
    }
    for (Value input : structured.getDpsInputs()) {
      add(input);
      // A scalar of the caller's.
      if (isa<FloatType>(input.getType()) && !input.getDefiningOp())
        return false;
    }
    WalkResult result = structured.getBlock()->walk([&](Operation *inside) {
      if (makesMask(inside))
        return WalkResult::interrupt();
      for (Value operand : inside->getOperands()) {
        add(operand);
        Operation *outside = operand.getDefiningOp();
        if (outside && isLowConstant(outside))
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (!isDataMovement(op))
    return false;
  for (Value operand : op->getOperands()) {
    add(operand);
    Operation *outside = operand.getDefiningOp();
    if (outside && isLowConstant(outside))
      return false;
  }
  return true;
}

bool mlir::pit::mayBeMask(Value tensor) {
  if (!isOfFloats(tensor))
    return true;
  llvm::SetVector<Value> tensors;
  tensors.insert(tensor);
  bool hasProduct = false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Operation *op = tensors[i].getDefiningOp();
    if (!op)
      return true;
    if (isa<arith::ConstantOp>(op)) {
      if (isLowConstant(op))
        return true;
      continue;
    }
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    hasProduct |= structured && isProduct(structured);
    if (!addSources(op, tensors))
      return true;
  }
  return !hasProduct;
}
