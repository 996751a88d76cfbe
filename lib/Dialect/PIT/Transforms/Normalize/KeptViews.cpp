//===- KeptViews.cpp - Reshapes that stay outside of ops ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptViews.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr StringLiteral kKept("__kept_view");

namespace {

/// Which dimensions of which tensors are one axis: all that one loop of a
/// structured op runs along, and all that data movement leaves as they are.
class Axes {
public:
  explicit Axes(Operation *root);

  bool isMarked(Value value, int64_t dim) const {
    unsigned number = getNumber(value, dim);
    return number && marked.contains(classes.getLeaderValue(number));
  }

private:
  unsigned getNumber(Value value, int64_t dim) const {
    return numbers.lookup({value, dim});
  }
  unsigned intern(Value value, int64_t dim) {
    auto [it, isNew] = numbers.try_emplace({value, dim}, numbers.size() + 1);
    if (isNew)
      classes.insert(it->second);
    return it->second;
  }
  void join(Value a, int64_t dimA, Value b, int64_t dimB) {
    classes.unionSets(intern(a, dimA), intern(b, dimB));
  }
  void visit(linalg::LinalgOp op);
  void visit(SparseOp mark);
  void visitMovement(Operation *op);

  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> numbers;
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseSet<unsigned> marked;
};

} // namespace

void Axes::visit(linalg::LinalgOp op) {
  llvm::DenseMap<unsigned, std::pair<Value, int64_t>> first;
  auto visitTensor = [&](Value value, AffineMap map) {
    if (!isa<RankedTensorType>(value.getType()))
      return;
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto axis = dyn_cast<AffineDimExpr>(expr)) {
        auto [it, isNew] =
            first.try_emplace(axis.getPosition(), std::pair(value, dim));
        if (!isNew)
          join(value, dim, it->second.first, it->second.second);
      }
  };
  for (OpOperand &operand : op->getOpOperands())
    visitTensor(operand.get(), op.getMatchingIndexingMap(&operand));
  for (OpResult result : op->getResults())
    visitTensor(result, op.getIndexingMapMatchingResult(result));
}

void Axes::visit(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    join(mark.getSource(), dim, mark.getResult(), dim);
  // Blocks and lengths have other extents than what they mark.
  PatternAttr pattern = mark.getPattern();
  bool isAlike = mark.getBy() && pattern.getKind() != PatternKind::Blocks &&
                 cast<RankedTensorType>(mark.getBy().getType()).getRank() ==
                     int64_t(pattern.getRank());
  for (auto [i, axis] :
       llvm::enumerate(mark.getPattern().getAxes().asArrayRef()))
    if (isAlike)
      join(mark.getResult(), axis, mark.getBy(), i);
}

void Axes::visitMovement(Operation *op) {
  for (OpOperand *operand : getMovedOperands(op)) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (auto inResult = mapDimsToResult(*operand, dim))
        join(operand->get(), dim, op->getResult(0), inResult->front());
  }
}

Axes::Axes(Operation *root) {
  root->walk([&](Operation *op) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && structured.hasPureTensorSemantics())
      visit(structured);
    else if (auto mark = dyn_cast<SparseOp>(op))
      visit(mark);
    else if (isDataMovement(op))
      visitMovement(op);
  });
  root->walk([&](SparseOp mark) {
    for (int64_t axis : mark.getPattern().getAxes().asArrayRef())
      marked.insert(classes.getLeaderValue(intern(mark.getResult(), axis)));
  });
}

void pit::noteKeptViews(Operation *root) {
  // A program without marks has no patterns to keep.
  bool hasMarks = root->walk([](SparseOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!hasMarks)
    return;
  Axes axes(root);
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
