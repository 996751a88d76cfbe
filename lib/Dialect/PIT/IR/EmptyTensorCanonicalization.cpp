//===- EmptyTensorCanonicalization.cpp - What is done to no elements ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes, pads and slices of tensors without elements, as programs have them
// once extents of 0 become known. Upstream would make buffers of them that do
// not verify.
//
//===----------------------------------------------------------------------===//

#include "EmptyTensorCanonicalization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// More than upstream's patterns have.
constexpr unsigned kBenefit = 10;

/// A reshape of a tensor without elements is a tensor without elements. As a
/// reshape it could not be bufferized where another dimension of the group is
/// dynamic: the extent of the group is dynamic in one type, and 0 in the other.
struct CollapseNothing : OpRewritePattern<tensor::CollapseShapeOp> {
  CollapseNothing(MLIRContext *context) : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSrcType(), type = op.getResultType();
    if (!llvm::is_contained(source.getShape(), 0) || type.getEncoding())
      return failure();
    SmallVector<Value> extents;
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
      if (!type.isDynamicDim(dim))
        continue;
      Value product = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 1);
      for (int64_t from : group) {
        Value extent = rewriter.createOrFold<tensor::DimOp>(op.getLoc(),
                                                            op.getSrc(), from);
        product =
            rewriter.createOrFold<arith::MulIOp>(op.getLoc(), product, extent);
      }
      extents.push_back(product);
    }
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        op, type.getShape(), type.getElementType(), extents);
    return success();
  }
};

/// Around nothing, there is only padding. Upstream would put nothing into the
/// padding as a slice, which may begin where the padding ends.
struct PadNothing : OpRewritePattern<tensor::PadOp> {
  PadNothing(MLIRContext *context) : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSourceType(), type = op.getResultType();
    if (!llvm::is_contained(source.getShape(), 0) || type.getEncoding())
      return failure();
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> lows = op.getMixedLowPad(),
                              highs = op.getMixedHighPad();
    SmallVector<Value> extents;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value extent =
          rewriter.createOrFold<tensor::DimOp>(loc, op.getSource(), dim);
      for (OpFoldResult padding : {lows[dim], highs[dim]})
        extent = rewriter.createOrFold<arith::AddIOp>(
            loc, extent,
            getValueOrCreateConstantIndexOp(rewriter, loc, padding));
      extents.push_back(extent);
    }
    Value padding = op.getConstantPaddingValue();
    if (padding &&
        rewriter.getContext()->getLoadedDialect<linalg::LinalgDialect>()) {
      if (op.getRegion().isAncestor(padding.getParentRegion()))
        padding = rewriter.clone(*padding.getDefiningOp())->getResult(0);
      Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                            type.getElementType(), extents);
      rewriter.replaceOpWithNewOp<linalg::FillOp>(op, padding, empty);
      return success();
    }
    auto generate = tensor::GenerateOp::create(rewriter, loc, type, extents);
    rewriter.inlineRegionBefore(op.getRegion(), generate.getRegion(),
                                generate.getRegion().begin());
    rewriter.replaceOp(op, generate);
    return success();
  }
};

/// What nothing is put into stays as it is, also where the slice would begin at
/// the end.
struct InsertNothing : OpRewritePattern<tensor::InsertSliceOp> {
  InsertNothing(MLIRContext *context) : OpRewritePattern(context, kBenefit) {}

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(op.getSourceType().getShape(), 0))
      return failure();
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

} // namespace

void pit::populateEmptyTensorCanonicalization(RewritePatternSet &patterns) {
  patterns.add<CollapseNothing, PadNothing, InsertNothing>(
      patterns.getContext());
}
