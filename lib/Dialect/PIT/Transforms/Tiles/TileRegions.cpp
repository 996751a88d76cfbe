//===- TileRegions.cpp - What the regions of tiled ops do -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRegions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// Whether the op's first loop numbers rows, and at most one other loop what is
/// in them. `isRow` says of an operand whether its first dimension numbers
/// rows.
static bool isOnRows(linalg::LinalgOp op, function_ref<bool(Value)> hasRows) {
  if (op.getNumLoops() > 2 || op.getNumLoops() == 0 ||
      op.getIteratorTypesArray()[0] != utils::IteratorType::parallel)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return false;
    bool usesRow = map.isFunctionOfDim(0);
    if (!isa<RankedTensorType>(operand.get().getType()) && !usesRow)
      continue;
    if (usesRow != hasRows(operand.get()) ||
        (usesRow && map.getDimPosition(0) != 0))
      return false;
  }
  return true;
}

bool mlir::pit::computesRows(TiledOp op) {
  SparseIndexType index = op.getIndexType();
  if (op.isOnBuffers() ||
      llvm::any_of(index.getTile().asArrayRef(),
                   [](int64_t extent) { return extent != 1; }))
    return false;
  // Tiles of rows have them first; the others have none.
  DenseSet<Value> rows;
  Block &body = op.getRegion().front();
  for (BlockArgument tile : body.getArguments()) {
    unsigned number = tile.getArgNumber();
    int64_t dim = getCoordinateDimOfTile(op, number);
    if (dim > 0)
      return false;
    if (dim == 0)
      rows.insert(tile);
    else if (number >= op.getInputs().size())
      return false;
  }
  for (Operation &nested : body.without_terminator()) {
    if (isa<ShapedDimOpInterface>(nested) ||
        nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (isa<tensor::EmptyOp>(nested)) {
      rows.insert(nested.getResult(0));
      continue;
    }
    auto structured = dyn_cast<linalg::LinalgOp>(nested);
    if (!structured || !structured.hasPureTensorSemantics() ||
        !isOnRows(structured,
                  [&](Value value) { return rows.contains(value); }))
      return false;
    rows.insert_range(structured->getResults());
  }
  return true;
}

bool mlir::pit::haveSameDomain(TiledOp a, TiledOp b) {
  return a.getIndex() == b.getIndex() && a.getTileSize() == b.getTileSize();
}

std::optional<int64_t> mlir::pit::getBytesOfRow(TiledOp op, unsigned operand) {
  auto type = cast<RankedTensorType>(
      op.getRegion().front().getArgument(operand).getType());
  if (type.getRank() < 2 || getCoordinateDimOfTile(op, operand) != 0)
    return 0;
  if (type.getRank() > 2 || type.isDynamicDim(1) ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  return type.getDimSize(1) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}
