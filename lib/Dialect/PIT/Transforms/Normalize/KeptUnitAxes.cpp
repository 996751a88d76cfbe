//===- KeptUnitAxes.cpp - Axes of extent 1 that patterns have -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptUnitAxes.h"

#include "UnitAxesOfMarks.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

static int64_t getExtent(Value tensor, int64_t axis) {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(unsigned(axis));
}

static bool isKept(SparseOp mark, int64_t axis) {
  return getExtent(mark.getResult(), axis) == 1 && !losesAxis(mark, axis);
}

bool KeptUnitAxes::areIn(Operation *root) {
  return root
      ->walk([](SparseOp mark) {
        for (int64_t axis : mark.getPattern().getAxes().asArrayRef())
          if (isKept(mark, axis))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

KeptUnitAxes::KeptUnitAxes(Operation *root) {
  root->walk([&](SparseOp mark) {
    for (int64_t axis : mark.getPattern().getAxes().asArrayRef())
      if (isKept(mark, axis)) {
        add(mark.getResult(), axis);
        add(mark.getSource(), axis);
      }
  });
  while (!next.empty()) {
    auto [tensor, axis] = next.pop_back_val();
    if (Operation *op = tensor.getDefiningOp())
      follow(op, tensor, axis);
    for (Operation *user : tensor.getUsers())
      follow(user, tensor, axis);
  }
}

void KeptUnitAxes::add(Value tensor, int64_t axis) {
  if (isa<RankedTensorType>(tensor.getType()) && getExtent(tensor, axis) == 1 &&
      axes.insert({tensor, axis}).second)
    next.push_back({tensor, axis});
}

/// The axis on the other side of a reshape, where it is one of its own there,
/// or of several of extent 1 the first.
static std::optional<int64_t>
findReshaped(ArrayRef<ReassociationIndices> groups, RankedTensorType expanded,
             bool fromExpanded, int64_t axis) {
  auto isUnit = [&](int64_t dim) { return expanded.getDimSize(dim) == 1; };
  if (!fromExpanded)
    return llvm::all_of(groups[size_t(axis)], isUnit)
               ? std::optional<int64_t>(groups[size_t(axis)].front())
               : std::nullopt;
  for (auto [i, group] : llvm::enumerate(groups))
    if (llvm::is_contained(group, axis))
      return llvm::all_of(group, isUnit) ? std::optional<int64_t>(i)
                                         : std::nullopt;
  return std::nullopt;
}

void KeptUnitAxes::follow(Operation *op, Value tensor, int64_t axis) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    llvm::SmallDenseSet<unsigned> loops;
    auto visit = [&](auto take) {
      for (OpOperand &operand : op->getOpOperands()) {
        AffineMap map = structured.getMatchingIndexingMap(&operand);
        for (auto [i, place] : llvm::enumerate(map.getResults()))
          if (auto loop = dyn_cast<AffineDimExpr>(place)) {
            take(operand.get(), int64_t(i), loop.getPosition());
            if (structured.isDpsInit(&operand) && op->getNumResults())
              take(structured.getTiedOpResult(&operand), int64_t(i),
                   loop.getPosition());
          }
      }
    };
    visit([&](Value value, int64_t at, unsigned loop) {
      if (value == tensor && at == axis)
        loops.insert(loop);
    });
    visit([&](Value value, int64_t at, unsigned loop) {
      if (loops.contains(loop))
        add(value, at);
    });
    return;
  }
  auto passOn = [&](Value from, Value to, ArrayRef<ReassociationIndices> groups,
                    RankedTensorType expanded, bool fromExpanded) {
    if (tensor == from)
      if (auto found = findReshaped(groups, expanded, fromExpanded, axis))
        add(to, *found);
    if (tensor == to)
      if (auto found = findReshaped(groups, expanded, !fromExpanded, axis))
        add(from, *found);
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return passOn(expand.getSrc(), expand.getResult(),
                  expand.getReassociationIndices(), expand.getResultType(),
                  /*fromExpanded=*/false);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return passOn(collapse.getSrc(), collapse.getResult(),
                  collapse.getReassociationIndices(), collapse.getSrcType(),
                  /*fromExpanded=*/true);
  // Of the same axes, as slices without dropped ones, paddings and marks are.
  if (!isa<SparseOp, tensor::CastOp, tensor::ExtractSliceOp,
           tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp>(op))
    return;
  auto type = cast<RankedTensorType>(tensor.getType());
  auto isAlike = [&](Value value) {
    auto other = dyn_cast<RankedTensorType>(value.getType());
    return other && other.getRank() == type.getRank();
  };
  if (auto mark = dyn_cast<SparseOp>(op); mark && tensor == mark.getBy())
    return;
  for (Value value : op->getOperands())
    if (isAlike(value) &&
        !(isa<SparseOp>(op) && value == cast<SparseOp>(op).getBy()))
      add(value, axis);
  for (Value value : op->getResults())
    if (isAlike(value))
      add(value, axis);
}

llvm::SmallBitVector KeptUnitAxes::getLoops(linalg::GenericOp op) const {
  llvm::SmallBitVector loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [axis, place] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(place))
        if (axes.contains({operand.get(), int64_t(axis)}))
          loops.set(loop.getPosition());
  return loops;
}
