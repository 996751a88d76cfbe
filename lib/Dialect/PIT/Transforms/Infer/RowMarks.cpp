//===- RowMarks.cpp - Marks that are inferred -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowMarks.h"

#include "PIT/Dialect/PIT/Transforms/NormalForm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<int64_t> pit::getWideDims(Value value) {
  SmallVector<int64_t> dims;
  for (auto [dim, extent] :
       llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape()))
    if (extent != 1)
      dims.push_back(dim);
  return dims;
}

Value pit::dropUnitDims(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<int64_t> kept) {
  auto type = cast<RankedTensorType>(value.getType());
  if (int64_t(kept.size()) == type.getRank())
    return value;
  llvm::SmallBitVector dropped(type.getRank(), true);
  for (int64_t dim : kept)
    dropped.reset(dim);
  return tensor::dropGivenUnitDims(builder, loc, value, dropped);
}

SparseOp pit::createInferredMark(OpBuilder &builder, Value value, Value by,
                                 PatternKind kind, ArrayRef<int64_t> dims,
                                 int64_t atMost) {
  MLIRContext *context = builder.getContext();
  auto pattern = PatternAttr::get(
      context, kind, builder.getDenseI64ArrayAttr(dims), Absent::Zero,
      Padding::Right, DenseI64ArrayAttr(), atMost);
  auto mark = SparseOp::create(builder, value.getLoc(), value.getType(), value,
                               by, pattern);
  mark->setDiscardableAttr(kInferredMark, builder.getUnitAttr());
  return mark;
}

Value pit::markRows(OpBuilder &builder, Value value, Value by, int64_t atMost) {
  Location loc = value.getLoc();
  SmallVector<int64_t> dims = getWideDims(value);
  // A bound is one of rows, of which there may be one.
  if (dims.size() < 2)
    atMost = 0;
  SmallVector<ReassociationIndices> groups;
  Value rows = value;
  auto join = [&](Value tensor) -> Value {
    return tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
  };
  if (atMost && dims.size() > 2) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    groups = {llvm::to_vector<2>(llvm::seq<int64_t>(0, dims.back())),
              llvm::to_vector<2>(llvm::seq<int64_t>(dims.back(), rank))};
    rows = join(value);
    by = !by ? by : by == value ? rows : join(by);
    dims = {0, 1};
  }
  PatternKind kind = by ? PatternKind::Mask : PatternKind::Values;
  if (by)
    by = dropUnitDims(builder, loc, by, dims);
  Value marked =
      createInferredMark(builder, rows, by, kind, dims, atMost).getResult();
  if (groups.empty())
    return marked;
  return tensor::ExpandShapeOp::create(
      builder, loc, value.getType(), marked, groups,
      tensor::getMixedSizes(builder, loc, value));
}

void pit::replaceBehind(Value value, Value made) {
  Operation *def = made.getDefiningOp();
  value.replaceUsesWithIf(made, [&](OpOperand &use) {
    Operation *user = def->getBlock()->findAncestorOpInBlock(*use.getOwner());
    // Marks that are read from the same values share their pattern.
    return user && def->isBeforeInBlock(user) && !isa<SparseOp>(user);
  });
}
