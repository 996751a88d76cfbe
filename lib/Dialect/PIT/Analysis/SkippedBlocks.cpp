//===- SkippedBlocks.cpp - Products that kernels skip blocks in -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;

static bool has16Bits(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isBF16() || element.isF16();
}

bool pit::readsHalves(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), has16Bits);
}

SmallVector<linalg::LinalgOp> pit::getRounding(Value sum) {
  SmallVector<linalg::LinalgOp> work;
  if (!getElementTypeOrSelf(sum).isF32())
    return work;
  while (!has16Bits(sum)) {
    auto reader = sum.hasOneUse()
                      ? dyn_cast<linalg::LinalgOp>(*sum.user_begin())
                      : linalg::LinalgOp();
    if (!reader || !linalg::isElementwise(reader) ||
        reader->getNumResults() != 1)
      return {};
    work.push_back(reader);
    sum = reader->getResult(0);
  }
  return work;
}

bool pit::skipsBlocks(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  if (!isProduct(op) || op.getNumLoops() != 3 ||
      op.getNumReductionLoops() != 1 || axes.size() != 2)
    return false;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  Value sum = op->getResult(0);
  if (ShapedType::isDynamic(extents[reduced.front()]) ||
      (!has16Bits(sum) && getRounding(sum).empty()))
    return false;
  bool haveWholeBlocks = llvm::all_of(axes, [&](int64_t axis) {
    return !ShapedType::isDynamic(extents[axis]) &&
           extents[axis] % kSkippedBlock == 0;
  });
  return haveWholeBlocks && readsHalves(op);
}

bool pit::skipsMicroTiles(linalg::LinalgOp op, ArrayRef<int64_t> axes,
                          ArrayRef<int64_t> tile) {
  constexpr int64_t kRowUnit = 8, kMostRows = 128;
  if (!isProduct(op) || op.getNumLoops() != 3 ||
      op.getNumReductionLoops() != 1 || axes.size() != 2)
    return false;
  auto iterators = op.getIteratorTypesArray();
  bool isLastSummed = iterators[axes[1]] == utils::IteratorType::reduction;
  if (isLastSummed == (iterators[axes[0]] == utils::IteratorType::reduction))
    return false;
  int64_t summed = axes[isLastSummed], depth = tile[isLastSummed],
          rows = tile[!isLastSummed];
  // Micro-tiles are no larger than the matrix.
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (depth % kSkippedBlock == 0 || depth == extents[summed])
    return rows == 1 || rows == extents[axes[!isLastSummed]] ||
           (rows % kRowUnit == 0 && rows <= kMostRows);
  // What is packed, or expanded to whole steps, lies along the sum.
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() == 2 &&
           map.isFunctionOfDim(axes[!isLastSummed]) &&
           map.getResult(1) == getAffineDimExpr(summed, op.getContext());
  });
}
