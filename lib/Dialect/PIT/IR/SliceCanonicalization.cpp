//===- SliceCanonicalization.cpp - Slices and views, safely ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream folds constants into the offsets and sizes of a slice, and then
// guesses the type without the dimensions that the slice drops: the first ones
// of size 1. Where others of size 1 are left, these may be other ones than the
// slice drops, and what comes next fails to verify or crashes. The patterns
// here do the same and keep the dimensions; they come first because their
// benefit is larger.
//
// They are collected with the patterns of PIT's own ops, as every
// canonicalization asks all registered ops for theirs.
//
//===----------------------------------------------------------------------===//

#include "SliceCanonicalization.h"

#include "PIT/Dialect/PIT/IR/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// More than upstream's patterns have.
constexpr unsigned kBenefit = 10;

/// The offsets, sizes and strides of a slice, with constants as attributes.
struct FoldedSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  /// Fails where nothing was to fold, or where the result would not verify:
  /// code that is never reached may run over the end.
  template <typename SliceOp>
  LogicalResult fold(SliceOp op, ArrayRef<int64_t> shape) {
    offsets = op.getMixedOffsets();
    sizes = op.getMixedSizes();
    strides = op.getMixedStrides();
    bool hasFolded = succeeded(foldDynamicOffsetSizeList(offsets));
    hasFolded |= succeeded(foldDynamicOffsetSizeList(sizes));
    hasFolded |= succeeded(foldDynamicStrideList(strides));
    return success(hasFolded &&
                   verifyInBoundsSlice(shape, offsets, sizes, strides).isValid);
  }

  /// `type`, of which `dropped` dimensions of the slice are not part, with the
  /// sizes that are known now.
  RankedTensorType refine(RankedTensorType type,
                          const llvm::SmallBitVector &dropped) const {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped[dim])
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (static_cast<int64_t>(shape.size()) != type.getRank())
      return {};
    return RankedTensorType::get(shape, type.getElementType(),
                                 type.getEncoding());
  }
};

struct FoldConstantsOfExtract : OpRewritePattern<tensor::ExtractSliceOp> {
  FoldConstantsOfExtract(MLIRContext *context)
      : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    FoldedSlice slice;
    if (failed(slice.fold(op, op.getSourceType().getShape())))
      return failure();
    RankedTensorType type = slice.refine(op.getType(), op.getDroppedDims());
    if (!type || !tensor::CastOp::areCastCompatible(type, op.getType()))
      return failure();
    Value result = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), type,
                                                  op.getSource(), slice.offsets,
                                                  slice.sizes, slice.strides);
    if (type != op.getType())
      result =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct FoldConstantsOfInsert : OpRewritePattern<tensor::InsertSliceOp> {
  FoldConstantsOfInsert(MLIRContext *context)
      : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    FoldedSlice slice;
    if (failed(slice.fold(op, op.getDestType().getShape())))
      return failure();
    RankedTensorType type =
        slice.refine(op.getSourceType(), op.getDroppedDims());
    if (!type || !tensor::CastOp::areCastCompatible(op.getSourceType(), type))
      return failure();
    Value source = op.getSource();
    if (type != op.getSourceType())
      source = tensor::CastOp::create(rewriter, op.getLoc(), type, source);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, source, op.getDest(), slice.offsets, slice.sizes, slice.strides);
    return success();
  }
};

/// The dimensions of size 1 that a view may drop, the likeliest first: by the
/// order of the dimensions that are left, and as upstream tells them apart, by
/// their strides, which may be unknown.
static SmallVector<SmallVector<int64_t>> findDroppedDims(memref::SubViewOp op) {
  SmallVector<SmallVector<int64_t>> found;
  // In the type, a size that is a constant value is not known.
  if (auto mask = computeRankReductionMask(op.getStaticSizes(),
                                           op.getType().getShape())) {
    found.push_back(llvm::to_vector_of<int64_t>(*mask));
    llvm::sort(found.back());
  }
  found.push_back(llvm::to_vector_of<int64_t>(op.getDroppedDims().set_bits()));
  return found;
}

/// Replaces `op` by a view of `source`, which is the same buffer, with what is
/// known of `slice` in its type.
static LogicalResult replaceView(memref::SubViewOp op, Value source,
                                 const FoldedSlice &slice,
                                 PatternRewriter &rewriter) {
  // Without dropped dimensions, upstream's does the same.
  if (op.getType().getRank() == op.getSourceType().getRank())
    return failure();
  auto whole =
      dyn_cast_if_present<MemRefType>(memref::SubViewOp::inferResultType(
          cast<MemRefType>(source.getType()), slice.offsets, slice.sizes,
          slice.strides));
  if (!whole)
    return failure();
  auto isOfType = [&](ArrayRef<int64_t> dropped) {
    MemRefType type = pit::getViewType(whole, dropped);
    return type.getRank() == op.getType().getRank() &&
           memref::CastOp::areCastCompatible(type, op.getType());
  };
  auto candidates = findDroppedDims(op);
  auto dropped = llvm::find_if(candidates, isOfType);
  if (dropped == candidates.end())
    return failure();
  // What is known now is the last moment to tell which dimensions go, where
  // others turn out to be of size 1.
  Value view = pit::createView(rewriter, op.getLoc(), source, slice.offsets,
                               slice.sizes, *dropped, slice.strides);
  if (view.getType() != op.getType())
    view = memref::CastOp::create(rewriter, op.getLoc(), op.getType(), view);
  rewriter.replaceOp(op, view);
  return success();
}

struct FoldConstantsOfView : OpRewritePattern<memref::SubViewOp> {
  FoldConstantsOfView(MLIRContext *context)
      : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(memref::SubViewOp op,
                                PatternRewriter &rewriter) const override {
    FoldedSlice slice;
    if (failed(slice.fold(op, op.getSourceType().getShape())))
      return failure();
    return replaceView(op, op.getSource(), slice, rewriter);
  }
};

struct ViewOfCast : OpRewritePattern<memref::SubViewOp> {
  ViewOfCast(MLIRContext *context) : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(memref::SubViewOp op,
                                PatternRewriter &rewriter) const override {
    auto cast = op.getSource().getDefiningOp<memref::CastOp>();
    if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
      return failure();
    FoldedSlice slice{op.getMixedOffsets(), op.getMixedSizes(),
                      op.getMixedStrides()};
    if (!verifyInBoundsSlice(
             llvm::cast<MemRefType>(cast.getSource().getType()).getShape(),
             slice.offsets, slice.sizes, slice.strides)
             .isValid)
      return failure();
    return replaceView(op, cast.getSource(), slice, rewriter);
  }
};

} // namespace

void pit::populateSliceCanonicalization(RewritePatternSet &patterns) {
  patterns.add<FoldConstantsOfExtract, FoldConstantsOfInsert,
               FoldConstantsOfView, ViewOfCast>(patterns.getContext());
}
