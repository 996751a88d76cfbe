//===- FilledStarts.cpp - Numbers that ops start from ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilledStarts.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

void pit::replaceFilledStarts(Operation *root) {
  SmallVector<OpOperand *> starts;
  root->walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
        op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto fill = init.get().getDefiningOp<linalg::FillOp>();
      if (fill && op.payloadUsesValueFromOperand(&init) &&
          matchPattern(fill.getInputs()[0], m_Constant()))
        starts.push_back(&init);
    }
  });
  for (OpOperand *start : starts) {
    auto op = cast<linalg::GenericOp>(start->getOwner());
    auto fill = start->get().getDefiningOp<linalg::FillOp>();
    OpBuilder builder(op);
    op.getMatchingBlockArgument(start).replaceAllUsesWith(fill.getInputs()[0]);
    start->set(tensor::EmptyOp::create(
        builder, op.getLoc(),
        tensor::getMixedSizes(builder, op.getLoc(), fill.getOutputs()[0]),
        getElementTypeOrSelf(start->get().getType())));
  }
}
