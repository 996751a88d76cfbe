//===- KeptViews.cpp - Reshapes that stay outside of ops ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptViews.h"

#include "AxisClasses.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr StringLiteral kKept("__kept_view");

void pit::noteKeptViews(Operation *root) {
  // A program without marks has no patterns to keep.
  bool hasMarks = root->walk([](SparseOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!hasMarks)
    return;
  AxisClasses axes(root);
  Builder builder(root->getContext());
  root->walk([&](Operation *op) {
    bool expands = isa<tensor::ExpandShapeOp>(op);
    if (!expands && !isa<tensor::CollapseShapeOp>(op))
      return;
    Value narrow = expands ? op->getOperand(0) : op->getResult(0),
          wide = expands ? op->getResult(0) : op->getOperand(0);
    auto groups =
        expands ? cast<tensor::ExpandShapeOp>(op).getReassociationIndices()
                : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
    auto type = cast<RankedTensorType>(wide.getType());
    for (auto [dim, group] : llvm::enumerate(groups))
      if (llvm::count_if(group,
                         [&](int64_t wideDim) {
                           return type.getDimSize(wideDim) != 1;
                         }) > 1 &&
          axes.isMarked(narrow, dim))
        op->setDiscardableAttr(kKept, builder.getUnitAttr());
  });
}

void pit::dropKeptViews(Operation *root) {
  root->walk([](Operation *op) { op->removeDiscardableAttr(kKept); });
}

bool pit::isKeptView(Operation *op) { return op && op->hasAttr(kKept); }
