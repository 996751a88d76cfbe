//===- FilledStarts.cpp - Numbers that ops start from ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilledStarts.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// The number that all elements of a tensor are, in front of `builder`; null if
/// none is known.
static Value getNumber(OpBuilder &builder, Value tensor) {
  DenseElementsAttr elements;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_Constant()) ? fill.getInputs()[0]
                                                           : Value();
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return Value();
  return arith::ConstantOp::create(
      builder, tensor.getLoc(),
      cast<TypedAttr>(elements.getSplatValue<Attribute>()));
}

void pit::replaceFilledStarts(Operation *root) {
  SmallVector<OpOperand *> starts;
  root->walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
        op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      return;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (op.payloadUsesValueFromOperand(&init))
        starts.push_back(&init);
  });
  for (OpOperand *start : starts) {
    auto op = cast<linalg::GenericOp>(start->getOwner());
    OpBuilder builder(op);
    Value tensor = start->get(), number = getNumber(builder, tensor);
    if (!number)
      continue;
    op.getMatchingBlockArgument(start).replaceAllUsesWith(number);
    if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
      tensor = fill.getOutputs()[0];
    start->set(tensor::EmptyOp::create(
        builder, op.getLoc(),
        tensor::getMixedSizes(builder, op.getLoc(), tensor),
        getElementTypeOrSelf(tensor.getType())));
  }
}
