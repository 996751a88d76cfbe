//===- ExpandStridedMetadata.cpp - Views as offsets, sizes and strides ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns derive a dynamic extent from the others of its group by a
// division, and crash where a group has two of them, or one and a 0 (MLIR 22).
// The extents that the op itself holds need no such division.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITEXPANDSTRIDEDMETADATA
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// memref.expand_shape as a reinterpretation of its source's buffer. A result
/// dimension's stride is its group's, times the extents inside of it.
struct ExpandShapeToReinterpretCast : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = op.getStaticOutputShape();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    auto cannotDivide = [&](const ReassociationIndices &group) {
      int64_t dynamic = llvm::count_if(group, [&](int64_t dim) {
        return ShapedType::isDynamic(shape[dim]);
      });
      bool isEmpty =
          llvm::any_of(group, [&](int64_t dim) { return shape[dim] == 0; });
      return dynamic > 1 || (dynamic == 1 && isEmpty);
    };
    if (llvm::none_of(groups, cannotDivide))
      return rewriter.notifyMatchFailure(op, "left to upstream's pattern");

    Location loc = op.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    auto [sourceStrides, sourceOffset] = op.getSrcType().getStridesAndOffset();
    auto known = [&](int64_t constant, Value dynamic) -> OpFoldResult {
      if (ShapedType::isDynamic(constant))
        return dynamic;
      return rewriter.getIndexAttr(constant);
    };
    AffineExpr product =
        rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);

    SmallVector<OpFoldResult> sizes =
        getMixedValues(shape, op.getOutputShape(), rewriter);
    SmallVector<OpFoldResult> strides(sizes.size());
    for (auto [i, group] : llvm::enumerate(groups)) {
      OpFoldResult stride = known(sourceStrides[i], metadata.getStrides()[i]);
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                       {stride, sizes[dim]});
      }
    }
    OpFoldResult offset = known(sourceOffset, metadata.getOffset());

    auto constants = [](ArrayRef<OpFoldResult> values) {
      return llvm::map_to_vector(values, [](OpFoldResult value) {
        return getConstantIntValue(value).value_or(ShapedType::kDynamic);
      });
    };
    auto layout = StridedLayoutAttr::get(
        op.getContext(), constants(offset).front(), constants(strides));
    auto type = MemRefType::get(shape, op.getResultType().getElementType(),
                                layout, op.getResultType().getMemorySpace());
    Value view = memref::ReinterpretCastOp::create(
        rewriter, loc, type, metadata.getBaseBuffer(), offset, sizes, strides);
    if (type != op.getResultType())
      view = memref::CastOp::create(rewriter, loc, op.getResultType(), view);
    rewriter.replaceOp(op, view);
    return success();
  }
};

struct PITExpandStridedMetadataPass
    : pit::impl::PITExpandStridedMetadataBase<PITExpandStridedMetadataPass> {
  void runOnOperation() override {
    // First, as upstream's patterns for what reads the metadata of such an op
    // crash on it.
    RewritePatternSet ownPatterns(&getContext());
    ownPatterns.add<ExpandShapeToReinterpretCast>(&getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(ownPatterns));
    RewritePatternSet patterns(&getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    // What does not fold away is expanded all the same.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
