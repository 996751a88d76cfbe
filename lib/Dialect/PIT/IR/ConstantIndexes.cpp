//===- ConstantIndexes.cpp - Ops over indexes known at compile time -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "EmptyTensorCanonicalization.h"
#include "SliceCanonicalization.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether an index lists nothing: all of its offsets are 0.
static bool isEmptyIndex(Value index) {
  auto assemble = index.getDefiningOp<AssembleOp>();
  DenseIntElementsAttr offsets;
  return assemble &&
         matchPattern(assemble.getOffsets(), m_Constant(&offsets)) &&
         llvm::all_of(offsets.getValues<APInt>(),
                      [](const APInt &offset) { return offset.isZero(); });
}

/// Whether an index of one dimension lists every micro-tile, none of which is
/// cut short.
static bool isIdentityIndex(Value index) {
  auto assemble = index.getDefiningOp<AssembleOp>();
  auto type = dyn_cast<SparseIndexType>(index.getType());
  DenseIntElementsAttr offsets, coords;
  if (!assemble || !type || type.getRank() != 1 || type.isDynamicExtent(0) ||
      !matchPattern(assemble.getOffsets(), m_Constant(&offsets)) ||
      !matchPattern(assemble.getCoords(), m_Constant(&coords)))
    return false;
  int64_t tile = type.getCoordinateTile(), extent = type.getExtents()[0],
          count = extent / tile;
  SmallVector<APInt> bounds(offsets.getValues<APInt>());
  if (extent % tile != 0 || bounds.size() != 2 || !bounds[0].isZero() ||
      bounds[1].getSExtValue() != count || coords.getNumElements() < count)
    return false;
  int64_t expected = 0;
  for (const APInt &coordinate : coords.getValues<APInt>()) {
    if (expected < count && coordinate.getSExtValue() != expected)
      return false;
    ++expected;
  }
  return true;
}

/// The slice of `full` that a tile of an identity index covers.
static void getTileSlice(OpBuilder &b, Location loc, Value full, int64_t dim,
                         ValueRange tile,
                         SmallVectorImpl<OpFoldResult> &offsets,
                         SmallVectorImpl<OpFoldResult> &sizes,
                         SmallVectorImpl<OpFoldResult> &strides) {
  int64_t rank = cast<RankedTensorType>(full.getType()).getRank();
  offsets.assign(rank, b.getIndexAttr(0));
  strides.assign(rank, b.getIndexAttr(1));
  sizes.assign(tensor::getMixedSizes(b, loc, full));
  offsets[dim] = tile[0];
  sizes[dim] = tile[1];
}

namespace {

/// Nothing listed: every lane that is read is unspecified.
struct ReadOfNothing : OpRewritePattern<SReadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SReadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isEmptyIndex(op.getIndex()))
      return failure();
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        op, cast<RankedTensorType>(op.getType()), op.getResultExtents());
    return success();
  }
};

/// Everything listed: the packed form is the tensor itself.
struct ReadOfEverything : OpRewritePattern<SReadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SReadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isIdentityIndex(op.getIndex()))
      return failure();
    if (op.getTile().empty()) {
      if (op.getSource().getType() != op.getType())
        return failure();
      rewriter.replaceOp(op, op.getSource());
      return success();
    }
    SmallVector<OpFoldResult> offsets, sizes, strides;
    getTileSlice(rewriter, op.getLoc(), op.getSource(), op.getDims()[0],
                 op.getTile(), offsets, sizes, strides);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), op.getSource(), offsets, sizes, strides);
    if (slice.getType() != op.getType())
      slice =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), slice);
    rewriter.replaceOp(op, slice);
    return success();
  }
};

struct WriteOfNothing : OpRewritePattern<SWriteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SWriteOp op,
                                PatternRewriter &rewriter) const override {
    if (!isEmptyIndex(op.getIndex()))
      return failure();
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

struct WriteOfEverything : OpRewritePattern<SWriteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SWriteOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getMode() != WriteMode::Store || !isIdentityIndex(op.getIndex()))
      return failure();
    if (op.getTile().empty()) {
      if (op.getSource().getType() != op.getType())
        return failure();
      rewriter.replaceOp(op, op.getSource());
      return success();
    }
    SmallVector<OpFoldResult> offsets, sizes, strides;
    getTileSlice(rewriter, op.getLoc(), op.getDest(), op.getDims()[0],
                 op.getTile(), offsets, sizes, strides);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, op.getSource(), op.getDest(), offsets, sizes, strides);
    return success();
  }
};

/// A structured op over nothing leaves its outputs as they are.
template <typename OpTy> struct RunOverNothing : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isEmptyIndex(op.getIndex()))
      return failure();
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, op.getOutputs());
    return success();
  }
};

} // namespace

void SReadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ReadOfNothing, ReadOfEverything>(context);
  populateSliceCanonicalization(patterns);
  populateEmptyTensorCanonicalization(patterns);
}

void SWriteOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<WriteOfNothing, WriteOfEverything>(context);
}

void GenericOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<RunOverNothing<GenericOp>>(context);
}

void TiledOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<RunOverNothing<TiledOp>>(context);
}
