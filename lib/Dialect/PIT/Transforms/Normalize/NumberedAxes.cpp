//===- NumberedAxes.cpp - Axes that a pattern lists -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberedAxes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A walk over all dimensions of tensors that one axis runs along.
class AxisWalk {
public:
  /// Whether one of them has a mark.
  bool findMark(Value value, int64_t dim) {
    add(value, dim);
    while (!worklist.empty()) {
      auto [next, at] = worklist.pop_back_val();
      if (Operation *op = next.getDefiningOp(); op && visit(op, next, at))
        return true;
      for (Operation *user : next.getUsers())
        if (visit(user, next, at))
          return true;
    }
    return false;
  }

private:
  void add(Value value, int64_t dim) {
    if (seen.insert({value, dim}).second)
      worklist.push_back({value, dim});
  }

  bool visit(Operation *op, Value value, int64_t dim) {
    if (auto mark = dyn_cast<SparseOp>(op)) {
      if (value == mark.getBy())
        return false;
      if (llvm::is_contained(mark.getPattern().getAxes().asArrayRef(), dim))
        return true;
      add(mark.getSource(), dim);
      add(mark.getResult(), dim);
      return false;
    }
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !structured.hasPureTensorSemantics() ||
        isa<linalg::FillOp>(op))
      return false;
    auto getMap = [&](OpOperand &operand) {
      return structured.getMatchingIndexingMap(&operand);
    };
    for (OpOperand &operand : op->getOpOperands()) {
      if (!getMap(operand).getNumResults() ||
          !isSame(structured, operand, value))
        continue;
      auto axis = dyn_cast<AffineDimExpr>(getMap(operand).getResult(dim));
      if (!axis)
        continue;
      for (OpOperand &other : op->getOpOperands())
        for (auto [i, expr] : llvm::enumerate(getMap(other).getResults())) {
          if (expr != axis)
            continue;
          add(other.get(), int64_t(i));
          if (structured.isDpsInit(&other))
            add(structured.getTiedOpResult(&other), int64_t(i));
        }
    }
    return false;
  }

  /// Whether the value is that operand, or the result that it becomes.
  static bool isSame(linalg::LinalgOp op, OpOperand &operand, Value value) {
    return operand.get() == value ||
           (op.isDpsInit(&operand) && op.getTiedOpResult(&operand) == value);
  }

  DenseSet<std::pair<Value, int64_t>> seen;
  SmallVector<std::pair<Value, int64_t>> worklist;
};

} // namespace

/// Whether more than one of the extents is not 1.
static bool isSplit(ArrayRef<int64_t> group, RankedTensorType expanded) {
  return llvm::count_if(group, [&](int64_t dim) {
           return expanded.getDimSize(dim) != 1;
         }) > 1;
}

bool pit::splitsNumberedAxis(OpOperand &fused) {
  // The tensor that is one of the op's operands or results, and its other form.
  Value collapsed = fused.get();
  RankedTensorType expanded;
  SmallVector<ReassociationIndices> groups;
  if (auto collapse = collapsed.getDefiningOp<tensor::CollapseShapeOp>()) {
    expanded = collapse.getSrcType();
    groups = collapse.getReassociationIndices();
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(fused.getOwner())) {
    expanded = expand.getResultType();
    groups = expand.getReassociationIndices();
  } else {
    return false;
  }
  for (auto [dim, group] : llvm::enumerate(groups))
    if (isSplit(group, expanded) &&
        AxisWalk().findMark(collapsed, int64_t(dim)))
      return true;
  return false;
}
