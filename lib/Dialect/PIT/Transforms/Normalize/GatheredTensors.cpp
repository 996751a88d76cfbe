//===- GatheredTensors.cpp - Ops that pick and regroup elements -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatheredTensors.h"

#include "Dialect/PIT/Transforms/Checks/ComputedAccesses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A destination that leaves extents open which the source tells is cast:
/// upstream would make a transpose that does not verify.
static bool tellDestination(linalg::PackOp op, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getDest().getType());
  RankedTensorType inferred = linalg::PackOp::inferPackedType(
      cast<RankedTensorType>(op.getSource().getType()),
      op.getStaticInnerTiles(), op.getInnerDimsPos(), op.getOuterDimsPerm());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, of] : llvm::zip_equal(shape, inferred.getShape()))
    if (ShapedType::isDynamic(extent))
      extent = of;
  if (llvm::equal(shape, type.getShape()))
    return false;
  Location loc = op.getLoc();
  auto castType = RankedTensorType::get(shape, type.getElementType());
  Value dest = tensor::CastOp::create(rewriter, loc, castType, op.getDest());
  auto pack = linalg::PackOp::create(
      rewriter, loc, op.getSource(), dest, op.getInnerDimsPos(),
      op.getMixedTiles(), op.getPaddingValue(), op.getOuterDimsPerm());
  pack->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, pack->getResult(0));
  return true;
}

/// Packing is a reshape and a transpose; a padded one keeps its pad.
struct DecomposePack : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getDest().getType()))
      return failure();
    if (tellDestination(op, rewriter))
      return success();
    if (!ShapedType::isDynamicShape(op.getStaticInnerTiles()))
      return linalg::lowerPack(rewriter, op,
                               /*lowerPadLikeWithInsertSlice=*/false);
    return decomposeWithUnknownTiles(op, rewriter);
  }

  /// Upstream has no reshape for tiles that are only known at run time.
  static LogicalResult decomposeWithUnknownTiles(linalg::PackOp op,
                                                 PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    MLIRContext *ctx = op.getContext();
    auto source = cast<TypedValue<RankedTensorType>>(op.getSource());
    auto result = cast<RankedTensorType>(op.getDest().getType());
    int64_t rank = source.getType().getRank();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, source);
    SmallVector<OpFoldResult> tiles(rank);
    for (auto [dim, tile] :
         llvm::zip_equal(op.getInnerDimsPos(), op.getMixedTiles()))
      tiles[dim] = tile;

    AffineExpr size = getAffineSymbolExpr(0, ctx),
               tile = getAffineSymbolExpr(1, ctx);
    auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
      return affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, operands.size(), expr, ctx),
          operands);
    };
    // Sizes are computed in front of the check that refuses a tile of 0.
    auto divisor = [&](OpFoldResult tile) -> OpFoldResult {
      if (getConstantIntValue(tile))
        return tile;
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      return arith::MaxSIOp::create(rewriter, loc, cast<Value>(tile), one)
          .getResult();
    };
    // Without a pad, tiles are full: what is left of an extent is in none.
    AffineExpr count =
        op.getPaddingValue() ? size.ceilDiv(tile) : size.floorDiv(tile);
    SmallVector<OpFoldResult> high(rank, rewriter.getIndexAttr(0)), expanded;
    SmallVector<ReassociationIndices> groups(rank);
    SmallVector<int64_t> outer(rank), inner(rank);
    for (int64_t dim = 0; dim < rank; ++dim) {
      outer[dim] = int64_t(expanded.size());
      groups[dim].push_back(outer[dim]);
      if (!tiles[dim]) {
        expanded.push_back(sizes[dim]);
        continue;
      }
      OpFoldResult number = apply(count, {sizes[dim], divisor(tiles[dim])});
      high[dim] = apply(getAffineSymbolExpr(2, ctx) * tile - size,
                        {sizes[dim], tiles[dim], number});
      expanded.append({number, tiles[dim]});
      inner[dim] = outer[dim] + 1;
      groups[dim].push_back(inner[dim]);
    }

    // A dimension that splits into unknown extents has to be unknown itself.
    SmallVector<int64_t> expandedShape, flatShape;
    // Constants are extents of the type: upstream folds one into the other
    // halfway.
    for (OpFoldResult &extent : expanded)
      if (std::optional<int64_t> constant = getConstantIntValue(extent))
        extent = rewriter.getIndexAttr(*constant);
    for (OpFoldResult extent : expanded)
      expandedShape.push_back(
          getConstantIntValue(extent).value_or(ShapedType::kDynamic));
    for (ArrayRef<int64_t> group : groups) {
      int64_t product = 1;
      for (int64_t dim : group)
        product = product == ShapedType::kDynamic ||
                          ShapedType::isDynamic(expandedShape[dim])
                      ? ShapedType::kDynamic
                      : product * expandedShape[dim];
      flatShape.push_back(product);
    }
    Type element = result.getElementType();
    auto flatType = RankedTensorType::get(flatShape, element);
    SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0));
    Value flat = source;
    if (Value padding = op.getPaddingValue()) {
      flat = tensor::PadOp::create(rewriter, loc, flatType, flat, zeros, high,
                                   padding, /*nofold=*/false);
    } else {
      SmallVector<OpFoldResult> kept, ones(rank, rewriter.getIndexAttr(1));
      for (int64_t dim = 0; dim < rank; ++dim)
        kept.push_back(
            tiles[dim] ? apply(size * tile, {expanded[outer[dim]], tiles[dim]})
                       : sizes[dim]);
      flat = tensor::ExtractSliceOp::create(rewriter, loc, flat, zeros, kept,
                                            ones);
      if (flat.getType() != flatType)
        flat = tensor::CastOp::create(rewriter, loc, flatType, flat);
    }
    Value split = tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(expandedShape, element), flat,
        groups, expanded);

    SmallVector<int64_t> permutation;
    if (op.getOuterDimsPerm().empty())
      permutation = outer;
    for (int64_t dim : op.getOuterDimsPerm())
      permutation.push_back(outer[dim]);
    for (int64_t dim : op.getInnerDimsPos())
      permutation.push_back(inner[dim]);
    // The destination may know an extent that the source does not, and the
    // other way round; a transpose takes the same of both.
    SmallVector<int64_t> splitShape(expandedShape), packedShape;
    for (auto [to, from] : llvm::enumerate(permutation)) {
      if (!result.isDynamicDim(to))
        splitShape[from] = result.getDimSize(to);
      packedShape.push_back(splitShape[from]);
    }
    auto castTo = [&](Value value, ArrayRef<int64_t> shape) -> Value {
      auto type = RankedTensorType::get(shape, element);
      if (value.getType() == type)
        return value;
      return tensor::CastOp::create(rewriter, loc, type, value);
    };
    Value packed = linalg::TransposeOp::create(
                       rewriter, loc, castTo(split, splitShape),
                       castTo(op.getDest(), packedShape), permutation)
                       ->getResult(0);
    rewriter.replaceOp(op, castTo(packed, result.getShape()));
    return success();
  }
};

struct DecomposeUnPack : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getDest().getType()))
      return failure();
    // Upstream changes the program before it finds that it cannot go on with a
    // tile whose extent a cast hides; the cast folds first.
    if (op.getSource().getDefiningOp<tensor::CastOp>() &&
        !op.getInnerTiles().empty())
      return failure();
    return linalg::lowerUnPack(rewriter, op,
                               /*lowerUnpadLikeWithExtractSlice=*/false);
  }
};

} // namespace

void pit::replaceBeforeFolding(Operation *root) {
  root->walk([](tensor::ExpandShapeOp op) {
    auto type = op.getResultType();
    if (op.getSrcType().getRank() != 0 || type.hasStaticShape())
      return;
    OpBuilder builder(op);
    SmallVector<int64_t> ones(type.getRank(), 1);
    Value expanded = tensor::ExpandShapeOp::create(
        builder, op.getLoc(),
        RankedTensorType::get(ones, type.getElementType()), op.getSrc(),
        ArrayRef<ReassociationIndices>());
    op.replaceAllUsesWith(
        tensor::CastOp::create(builder, op.getLoc(), type, expanded)
            .getResult());
    op.erase();
  });
  root->walk([](tensor::BitcastOp op) {
    if (op.getSource().getType() == op.getType() ||
        !isa<RankedTensorType>(op.getType()))
      return;
    OpBuilder builder(op);
    op.replaceAllUsesWith(arith::BitcastOp::create(builder, op.getLoc(),
                                                   op.getType(), op.getSource())
                              .getResult());
    op.erase();
  });
}

void pit::populateDecomposeGatheredPatterns(RewritePatternSet &patterns) {
  populateComputedAccessPatterns(patterns, /*readsShapes=*/false);
  patterns.add<DecomposePack, DecomposeUnPack>(patterns.getContext());
}
