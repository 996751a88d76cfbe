//===- ListedForms.cpp - What kernels of lists can skip -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedForms.h"

#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::listsResult(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  return axes.size() == 1 &&
         op.getIteratorTypesArray()[axes[0]] == utils::IteratorType::parallel;
}

bool mlir::pit::hasOtherMicroTiles(linalg::LinalgOp op, PatternAttr pattern,
                                   ArrayRef<int64_t> axes) {
  DenseI64ArrayAttr tile = pattern.getTile();
  bool isOfOperand = axes.size() == 2 && llvm::any_of(axes, [&](int64_t axis) {
                       return op.getIteratorTypesArray()[axis] ==
                              utils::IteratorType::reduction;
                     });
  return isOfOperand && tile && tile.size() == 2 &&
         !skipsMicroTiles(op, axes, tile);
}

bool mlir::pit::sumsOddRows(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  constexpr int64_t kColumns = 8;
  if (llvm::any_of(axes, [&](int64_t axis) {
        return op.getIteratorTypesArray()[axis] !=
               utils::IteratorType::reduction;
      }))
    return false;
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return type && type.getRank() > 1 &&
           !ShapedType::isDynamic(type.getShape().back()) &&
           type.getShape().back() % kColumns != 0;
  });
}

bool mlir::pit::runsAlongSegments(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  auto leads = [&](OpOperand &operand, ArrayRef<int64_t> leading) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || map.getNumResults() < leading.size() ||
        llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
      return false;
    for (auto [i, axis] : llvm::enumerate(leading))
      if (map.getResult(i) != getAffineDimExpr(axis, op.getContext()))
        return false;
    return llvm::none_of(axes.drop_front(leading.size()), [&](int64_t axis) {
      return map.isFunctionOfDim(axis);
    });
  };
  unsigned ofRows = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    bool hasRows = leads(operand, axes);
    if (!hasRows &&
        (op.isDpsInit(&operand) || !leads(operand, axes.take_front())))
      return false;
    ofRows += hasRows && op.isDpsInput(&operand);
  }
  return axes.size() == 2 && ofRows == 1;
}

bool mlir::pit::hasScatteredColumns(linalg::LinalgOp op,
                                    ArrayRef<int64_t> axes) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    bool isBehindColumn = false;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      bool isListed =
          dim && llvm::is_contained(axes, int64_t(dim.getPosition()));
      if (isListed && isBehindColumn)
        return true;
      isBehindColumn |= !isListed;
    }
    return false;
  });
}

bool mlir::pit::multipliesPoints(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  bool hasPoints = false, hasRows = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    bool isAlong = llvm::all_of(
        axes, [&](int64_t axis) { return map.isFunctionOfDim(axis); });
    bool isPoint = isAlong && map.getNumResults() == axes.size();
    hasPoints |= isPoint;
    hasRows |= isAlong && !isPoint;
  }
  return axes.size() == 2 && hasPoints && !hasRows;
}

bool mlir::pit::sumsPoints(linalg::LinalgOp op, const SparsePattern &pattern,
                           ArrayRef<int64_t> axes) {
  return pattern.attr.getAtMost() > 1 && op.getNumReductionLoops() > 0 &&
         op.getNumLoops() == axes.size();
}

bool mlir::pit::sumsAlong(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  return op.getNumReductionLoops() == axes.size() &&
         llvm::all_of(axes, [&](int64_t axis) {
           return op.getIteratorTypesArray()[axis] ==
                  utils::IteratorType::reduction;
         });
}

bool mlir::pit::sumsSeveral(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  return axes.size() > 1 && sumsAlong(op, axes);
}

bool mlir::pit::addsColumns(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  auto sum = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!sum || sum.getNumParallelLoops() != 1 || sum.getNumDpsInits() != 1 ||
      sum.hasIndexSemantics() ||
      !getElementTypeOrSelf(sum.getDpsInits()[0]).isF32())
    return false;
  SmallVector<Operation *> combiners;
  if (!matchReduction(sum.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || !isa<arith::AddFOp>(combiners.front()))
    return false;
  return llvm::all_of(sum.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = sum.getMatchingIndexingMap(input);
    bool hasRows = llvm::any_of(
        axes, [&](int64_t axis) { return map.isFunctionOfDim(axis); });
    return map.isProjectedPermutation() &&
           map.getNumResults() >= (hasRows ? axes.size() : 1) &&
           llvm::all_of(axes, [&](int64_t axis) {
             return map.isFunctionOfDim(axis) == hasRows;
           });
  });
}
