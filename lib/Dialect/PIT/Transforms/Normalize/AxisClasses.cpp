//===- AxisClasses.cpp - Dimensions that are one axis ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisClasses.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

unsigned AxisClasses::intern(Value value, int64_t dim) {
  auto [it, isNew] = numbers.try_emplace({value, dim}, numbers.size() + 1);
  if (isNew)
    classes.insert(it->second);
  return it->second;
}

void AxisClasses::join(Value a, int64_t dimA, Value b, int64_t dimB) {
  classes.unionSets(intern(a, dimA), intern(b, dimB));
}

/// Whether ops that have nothing but extents in common may start from a value.
static bool isSharedDestination(Value value) {
  return isa_and_present<tensor::EmptyOp, linalg::FillOp>(
             value.getDefiningOp()) ||
         matchPattern(value, m_Constant());
}

void AxisClasses::visit(linalg::LinalgOp op) {
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
    if (!isSharedDestination(operand.get()))
      visitTensor(operand.get(), op.getMatchingIndexingMap(&operand));
  for (OpResult result : op->getResults())
    visitTensor(result, op.getIndexingMapMatchingResult(result));
}

void AxisClasses::visit(SparseOp mark) {
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
  // Views around the mark that undo each other.
  auto collapse = mark.getSource().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return;
  for (Operation *user : mark->getUsers())
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
        expand && expand.getResultType() == collapse.getSrcType() &&
        expand.getReassociationIndices() == collapse.getReassociationIndices())
      for (int64_t dim = 0; dim < expand.getResultType().getRank(); ++dim)
        join(collapse.getSrc(), dim, expand.getResult(), dim);
}

void AxisClasses::visitMovement(Operation *op) {
  for (OpOperand *operand : getMovedOperands(op)) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (auto inResult = mapDimsToResult(*operand, dim))
        join(operand->get(), dim, op->getResult(0), inResult->front());
  }
}

AxisClasses::AxisClasses(Operation *root) {
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

SmallVector<unsigned> AxisClasses::findLoops(linalg::LinalgOp op) const {
  SmallVector<unsigned> loops(op.getNumLoops());
  auto visitTensor = [&](Value value, AffineMap map) {
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        if (unsigned number = find(value, int64_t(dim)))
          loops[loop.getPosition()] = number;
  };
  for (OpOperand &operand : op->getOpOperands())
    if (!isSharedDestination(operand.get()))
      visitTensor(operand.get(), op.getMatchingIndexingMap(&operand));
  for (OpResult result : op->getResults())
    visitTensor(result, op.getIndexingMapMatchingResult(result));
  return loops;
}
