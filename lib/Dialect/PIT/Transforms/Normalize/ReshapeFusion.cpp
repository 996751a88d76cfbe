//===- ReshapeFusion.cpp - Which reshapes fold into ops -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapeFusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::isShapedBehindPad(OpOperand &fused) {
  auto reshape = dyn_cast<tensor::ExpandShapeOp>(fused.getOwner());
  auto pad = fused.get().getDefiningOp<tensor::PadOp>();
  if (!reshape || !pad)
    return false;
  Operation *source = pad.getSource().getDefiningOp();
  return llvm::any_of(reshape.getOutputShape(), [&](Value extent) {
    Operation *op = extent.getDefiningOp();
    return op && (!source || op->getBlock() != source->getBlock() ||
                  !op->isBeforeInBlock(source));
  });
}

/// A product of one row or one column, which has its three loops with an axis
/// of extent 1 alone. A sum by column of products of two elements is none.
static bool isProductOfVector(Operation *op) {
  auto structured = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!structured || !linalg::isaContractionOpInterface(structured))
    return false;
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  bool hasRows = false, hasColumns = false;
  for (unsigned loop = 0; loop < structured.getNumLoops(); ++loop) {
    bool isInResult = maps[2].isFunctionOfDim(loop),
         isInLeft = maps[0].isFunctionOfDim(loop),
         isInRight = maps[1].isFunctionOfDim(loop);
    hasRows |= isInResult && isInLeft && !isInRight;
    hasColumns |= isInResult && isInRight && !isInLeft;
  }
  if (!hasRows && !hasColumns)
    return maps[2].getNumResults() == 0;
  return !hasRows || !hasColumns;
}

bool pit::addsUnitAxesAlone(OpOperand &fused) {
  if (isProductOfVector(fused.getOwner()) ||
      isProductOfVector(fused.get().getDefiningOp()))
    return false;
  auto addsUnits = [](RankedTensorType expanded,
                      ArrayRef<ReassociationIndices> groups) {
    return llvm::all_of(groups, [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t dim) {
               return expanded.getDimSize(dim) != 1;
             }) <= 1;
    });
  };
  if (auto reshape = fused.get().getDefiningOp<tensor::CollapseShapeOp>())
    return addsUnits(reshape.getSrcType(), reshape.getReassociationIndices());
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(fused.getOwner()))
    return addsUnits(reshape.getResultType(),
                     reshape.getReassociationIndices());
  return false;
}

unsigned pit::countLoopsOnceFused(OpOperand &fused) {
  Operation *producer = fused.get().getDefiningOp(),
            *consumer = fused.getOwner();
  if (auto reshape = dyn_cast_if_present<tensor::CollapseShapeOp>(producer))
    if (auto op = dyn_cast<linalg::LinalgOp>(consumer))
      return op.getNumLoops() + reshape.getSrcType().getRank() -
             reshape.getResultType().getRank();
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(consumer))
    if (auto op = dyn_cast_if_present<linalg::LinalgOp>(producer))
      return op.getNumLoops() + reshape.getResultType().getRank() -
             reshape.getSrcType().getRank();
  return 0;
}

unsigned pit::countMostDims(Operation *root) {
  int64_t most = 0;
  auto count = [&](ArrayRef<int64_t> extents) {
    most = std::max<int64_t>(
        most, llvm::count_if(extents, [](int64_t e) { return e != 1; }));
  };
  root->walk([&](Operation *op) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      count(structured.getStaticLoopRanges());
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        count(tensor.getShape());
  });
  return unsigned(most);
}
