//===- GatheredTensors.cpp - Ops that pick and regroup elements -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatheredTensors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A gather is a loop over its result that reads the source where the
/// coordinates say. Each coordinate is a tensor of its own, so that the op
/// has plain maps.
struct DecomposeGather : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType source = op.getSourceType(), result = op.getResultType();
    ArrayRef<int64_t> gathered = op.getGatherDims();
    int64_t batch = op.getIndicesType().getRank() - 1, rank = result.getRank();
    // Gathered dimensions are left out of the result, or have extent 1 there.
    bool areDropped = rank != batch + source.getRank() || gathered.empty();

    SmallVector<OpFoldResult> extents;
    for (int64_t dim = 0; dim < batch; ++dim)
      extents.push_back(
          tensor::getMixedSize(rewriter, loc, op.getIndices(), dim));
    // The loop of each dimension of the source that is not gathered.
    SmallVector<int64_t> loops(source.getRank(), -1);
    for (int64_t dim = 0; dim < source.getRank(); ++dim) {
      if (!llvm::is_contained(gathered, dim)) {
        loops[dim] = int64_t(extents.size());
        extents.push_back(
            tensor::getMixedSize(rewriter, loc, op.getSource(), dim));
      } else if (!areDropped) {
        extents.push_back(rewriter.getIndexAttr(1));
      }
    }
    Value empty = tensor::EmptyOp::create(rewriter, loc, extents,
                                          result.getElementType());

    SmallVector<OpFoldResult> sizes,
        strides(batch + 1, rewriter.getIndexAttr(1));
    SmallVector<int64_t> batchShape(
        op.getIndicesType().getShape().take_front(batch));
    for (int64_t dim = 0; dim < batch; ++dim)
      sizes.push_back(extents[dim]);
    sizes.push_back(rewriter.getIndexAttr(1));
    SmallVector<Value> coordinates;
    for (int64_t number = 0; number < int64_t(gathered.size()); ++number) {
      SmallVector<OpFoldResult> offsets(batch, rewriter.getIndexAttr(0));
      offsets.push_back(rewriter.getIndexAttr(number));
      auto type = RankedTensorType::get(batchShape,
                                        op.getIndicesType().getElementType());
      coordinates.push_back(tensor::ExtractSliceOp::create(
          rewriter, loc, type, op.getIndices(), offsets, sizes, strides));
    }
    SmallVector<AffineMap> maps(
        coordinates.size(),
        AffineMap::getMultiDimIdentityMap(rank, getContext())
            .getMajorSubMap(batch));
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> parallel(rank,
                                              utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, TypeRange(empty.getType()), coordinates,
        ValueRange(empty), maps, parallel,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> position(source.getRank());
          for (auto [dim, coordinate] : llvm::zip(gathered, args))
            position[dim] = coordinate.getType().isIndex()
                                ? coordinate
                                : arith::IndexCastOp::create(
                                      b, loc, b.getIndexType(), coordinate);
          for (auto [dim, loop] : llvm::enumerate(loops))
            if (loop >= 0)
              position[dim] = linalg::IndexOp::create(b, loc, loop);
          Value element =
              tensor::ExtractOp::create(b, loc, op.getSource(), position);
          linalg::YieldOp::create(b, loc, element);
        });
    Value gatheredTensor = generic.getResult(0);
    if (gatheredTensor.getType() != result)
      gatheredTensor =
          tensor::CastOp::create(rewriter, loc, result, gatheredTensor);
    rewriter.replaceOp(op, gatheredTensor);
    return success();
  }
};

/// A shape that is written out as numbers is one of a reshape, by way of a
/// tensor with all elements in a row. As a tensor of its own, numbers would
/// lie in memory that only the device reads.
struct DecomposeReshape : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto numbers = op.getShape().getDefiningOp<tensor::FromElementsOp>();
    auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    if (!numbers || !source || !result || source.getRank() == 0 ||
        result.getRank() == 0)
      return failure();
    Location loc = op.getLoc();
    auto getGroup = [](int64_t rank) {
      return SmallVector<ReassociationIndices>{
          llvm::to_vector(llvm::seq<int64_t>(0, rank))};
    };
    Value flat = op.getSource();
    if (source.getRank() != 1)
      flat = tensor::CollapseShapeOp::create(rewriter, loc, flat,
                                             getGroup(source.getRank()));
    // The extents of the type hold, whatever the numbers are.
    SmallVector<OpFoldResult> extents;
    for (auto [dim, number] : llvm::enumerate(numbers.getElements())) {
      if (!result.isDynamicDim(dim)) {
        extents.push_back(rewriter.getIndexAttr(result.getDimSize(dim)));
        continue;
      }
      extents.push_back(
          number.getType().isIndex()
              ? number
              : arith::IndexCastOp::create(rewriter, loc,
                                           rewriter.getIndexType(), number)
                    .getResult());
    }
    int64_t elements = result.hasStaticShape() ? result.getNumElements()
                                               : ShapedType::kDynamic;
    auto flatType = RankedTensorType::get({elements}, result.getElementType());
    if (flat.getType() != flatType)
      flat = tensor::CastOp::create(rewriter, loc, flatType, flat);
    if (result.getRank() == 1)
      rewriter.replaceOp(op, flat);
    else
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
          op, result, flat, getGroup(result.getRank()), extents);
    return success();
  }
};

/// A destination that leaves extents open which the source tells is cast:
/// upstream would make a transpose that does not verify.
static bool tellDestination(linalg::PackOp op, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getDest().getType());
  RankedTensorType told = linalg::PackOp::inferPackedType(
      cast<RankedTensorType>(op.getSource().getType()),
      op.getStaticInnerTiles(), op.getInnerDimsPos(), op.getOuterDimsPerm());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, of] : llvm::zip_equal(shape, told.getShape()))
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
      OpFoldResult number = apply(count, {sizes[dim], tiles[dim]});
      high[dim] = apply(count * tile - size, {sizes[dim], tiles[dim]});
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
  patterns
      .add<DecomposeGather, DecomposePack, DecomposeReshape, DecomposeUnPack>(
          patterns.getContext());
}
