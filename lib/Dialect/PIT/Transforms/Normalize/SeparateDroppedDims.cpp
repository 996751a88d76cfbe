//===- SeparateDroppedDims.cpp - Slices apart from reshapes ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice may drop dimensions of size 1, and does not say which. Of a tensor,
// its extents tell; of a view of a buffer, upstream asks the strides, and where
// those are unknown and another dimension of size 1 is left, takes a wrong one:
// the extent of a dimension is then that of another. A reshape says which
// dimensions go.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSEPARATEDROPPEDDIMS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// Whether dimensions of size 1 are dropped while others are left, of a tensor
/// whose extents do not tell the strides of its buffer.
static bool isAmbiguous(RankedTensorType source, RankedTensorType whole,
                        const llvm::SmallBitVector &dropped,
                        ArrayRef<int64_t> steps) {
  if (dropped.none() || source.getRank() == 0)
    return false;
  // Steps are in the strides of the view, which upstream compares with those of
  // the buffer.
  bool hasSteps = llvm::any_of(steps, [](int64_t step) { return step != 1; });
  if (!hasSteps &&
      llvm::none_of(source.getShape().drop_front(), ShapedType::isDynamic))
    return false;
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped[dim] && whole.getDimSize(dim) == 1)
      return true;
  return false;
}

/// Each dimension that is left with the dropped ones beside it: if the one
/// behind them is 1, too, with that, as then no stride matters.
static SmallVector<ReassociationIndices>
getGroups(ArrayRef<int64_t> shape, const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices waiting;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (dropped[dim]) {
      waiting.push_back(dim);
      continue;
    }
    if (!groups.empty() && shape[dim] != 1) {
      groups.back().append(waiting);
      waiting.clear();
    }
    groups.push_back(std::move(waiting));
    groups.back().push_back(dim);
    waiting.clear();
  }
  groups.back().append(waiting);
  return groups;
}

static void separate(tensor::ExtractSliceOp op) {
  RankedTensorType whole = tensor::ExtractSliceOp::inferResultType(
      op.getSourceType(), op.getMixedSizes());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  if (!isAmbiguous(op.getSourceType(), whole, dropped, op.getStaticStrides()))
    return;
  OpBuilder b(op);
  Value slice = tensor::ExtractSliceOp::create(
      b, op.getLoc(), whole, op.getSource(), op.getMixedOffsets(),
      op.getMixedSizes(), op.getMixedStrides());
  Value result = tensor::CollapseShapeOp::create(
      b, op.getLoc(), slice, getGroups(whole.getShape(), dropped));
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(b, op.getLoc(), op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

static void separate(tensor::InsertSliceOp op) {
  RankedTensorType whole = tensor::ExtractSliceOp::inferResultType(
      op.getDestType(), op.getMixedSizes());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  if (!isAmbiguous(op.getDestType(), whole, dropped, op.getStaticStrides()))
    return;
  OpBuilder b(op);
  SmallVector<int64_t> kept;
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped[dim])
      kept.push_back(whole.getDimSize(dim));
  Value source = op.getSource();
  auto type = RankedTensorType::get(kept, whole.getElementType());
  if (type != source.getType())
    source = tensor::CastOp::create(b, op.getLoc(), type, source);
  source = tensor::ExpandShapeOp::create(b, op.getLoc(), whole, source,
                                         getGroups(whole.getShape(), dropped),
                                         op.getMixedSizes());
  auto inserted = tensor::InsertSliceOp::create(
      b, op.getLoc(), source, op.getDest(), op.getMixedOffsets(),
      op.getMixedSizes(), op.getMixedStrides());
  op.replaceAllUsesWith(inserted.getResult());
  op.erase();
}

namespace {

struct PITSeparateDroppedDims
    : pit::impl::PITSeparateDroppedDimsBase<PITSeparateDroppedDims> {
  void runOnOperation() override {
    SmallVector<Operation *> slices;
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
        slices.push_back(op);
    });
    for (Operation *op : slices) {
      if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
        separate(extract);
      else
        separate(cast<tensor::InsertSliceOp>(op));
    }
  }
};

} // namespace
