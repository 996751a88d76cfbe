//===- MatricesOfBlocks.cpp - Masks that repeat truth in blocks -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatricesOfBlocks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether an elementwise op computes the same at all places of a loop, and
/// these are as many as a block has.
static bool isRepeatedAlong(linalg::LinalgOp op, unsigned loop,
                            int64_t extent) {
  constexpr int64_t kLeastBlock = 8;
  return extent >= kLeastBlock &&
         llvm::none_of(
             op.getDpsInputOperands(),
             [&](OpOperand *input) {
               return op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
             }) &&
         op.getBlock()->getOps<linalg::IndexOp>().empty();
}

SmallVector<Value> pit::findMatricesOfBlocks(Value value) {
  SmallVector<Operation *> repeating(value.getUsers());
  if (Operation *def = value.getDefiningOp())
    repeating.push_back(def);
  SmallVector<Value> matrices;
  for (Operation *op : repeating) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !structured.hasPureTensorSemantics() ||
        op->getNumResults() != 1 || structured.getNumReductionLoops() != 0 ||
        !getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1) ||
        !structured.getIndexingMapMatchingResult(op->getResult(0)).isIdentity())
      continue;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (Operation *reader : op->getUsers()) {
      auto collapse = dyn_cast<tensor::CollapseShapeOp>(reader);
      if (collapse && collapse.getResultType().getRank() == 2 &&
          llvm::all_of(collapse.getReassociationIndices(),
                       [&](ArrayRef<int64_t> group) {
                         return group.size() == 2 &&
                                isRepeatedAlong(structured, group[1],
                                                type.getDimSize(group[1]));
                       }))
        matrices.push_back(collapse.getResult());
    }
  }
  return matrices;
}
