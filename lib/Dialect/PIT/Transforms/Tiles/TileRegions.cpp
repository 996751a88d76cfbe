//===- TileRegions.cpp - What the regions of tiled ops do -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRegions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::isOverwritten(BlockArgument tile) {
  for (Operation &nested : *tile.getOwner()) {
    // Extents are none of its elements.
    if (!llvm::is_contained(nested.getOperands(), tile) ||
        isa<ShapedDimOpInterface>(nested))
      continue;
    auto op = dyn_cast<linalg::LinalgOp>(nested);
    if (!op || llvm::count(op->getOperands(), tile) != 1)
      return false;
    OpOperand *use = llvm::find_if(
        op->getOpOperands(), [&](OpOperand &o) { return o.get() == tile; });
    return op.isDpsInit(use) && !op.payloadUsesValueFromOperand(use) &&
           op.getMatchingIndexingMap(use).isPermutation() &&
           op.getNumLoops() == op.getNumParallelLoops();
  }
  return false;
}

int64_t mlir::pit::getDimOfTile(TiledOp op, unsigned operand,
                                int64_t indexDim) {
  SparseIndexType index = op.getIndexType();
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  int64_t dim = dims[indexDim];
  if (dim < 0 || op.getPacked()[operand])
    return dim;
  // Segment dimensions of one element are not part of the tile.
  auto isDropped = [&](int64_t segment) {
    return index.getTile()[segment] == 1 && dims[segment] >= 0;
  };
  if (indexDim != index.getCoordinate() && isDropped(indexDim))
    return -1;
  return dim - llvm::count_if(index.getSegmentDims(), [&](int64_t segment) {
           return isDropped(segment) && dims[segment] < dim;
         });
}

int64_t mlir::pit::getCoordinateDimOfTile(TiledOp op, unsigned operand) {
  return getDimOfTile(op, operand, op.getIndexType().getCoordinate());
}
