//===- ComputedAccesses.cpp - Ops at places that are data -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputedAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

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
    // Nothing is gathered. A part of coordinates that are none would start
    // behind their end.
    if (llvm::is_contained(op.getIndicesType().getShape(), 0)) {
      rewriter.replaceOp(op, castTo(rewriter, loc, empty, result));
      return success();
    }

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
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), result));
    return success();
  }

  static Value castTo(OpBuilder &builder, Location loc, Value tensor,
                      RankedTensorType type) {
    if (tensor.getType() == type)
      return tensor;
    return tensor::CastOp::create(builder, loc, type, tensor);
  }
};

/// The number that an integer is cast from, or the integer.
Value getUncast(Value number) {
  while (auto cast = number.getDefiningOp<arith::IndexCastOp>())
    number = cast.getIn();
  return number;
}

/// Whether an extent of a tensor is `number`, as far as its ops say.
bool isExtent(Value tensor, int64_t dim, OpFoldResult number) {
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  std::optional<int64_t> constant = getConstantIntValue(number);
  if (constant && !ShapedType::isDynamic(extent))
    return *constant == extent;
  auto value = dyn_cast<Value>(number);
  if (!value)
    return false;
  value = getUncast(value);
  if (!value.getType().isIndex())
    return false;
  FailureOr<bool> areEqual =
      ValueBoundsConstraintSet::areEqual({tensor, dim}, {value});
  return succeeded(areEqual) && *areEqual;
}

/// A shape that is written out as numbers is one of a reshape, by way of a
/// tensor with the elements of what changes in a row: extents in front and
/// behind that stay are axes of their own, along which products and masks are
/// seen. As a tensor of its own, numbers would lie in memory that only the
/// device reads.
struct DecomposeReshape : OpRewritePattern<tensor::ReshapeOp> {
  DecomposeReshape(MLIRContext *context, bool readsShapes)
      : OpRewritePattern(context), readsShapes(readsShapes) {}

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto written = op.getShape().getDefiningOp<tensor::FromElementsOp>();
    auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    if ((!written && !readsShapes) || !source || !result ||
        source.getRank() == 0 || result.getRank() == 0)
      return failure();
    Location loc = op.getLoc();
    // The extents of the type hold, whatever the numbers are.
    SmallVector<OpFoldResult> extents;
    for (int64_t dim = 0; dim < result.getRank(); ++dim) {
      if (!result.isDynamicDim(dim)) {
        extents.push_back(rewriter.getIndexAttr(result.getDimSize(dim)));
        continue;
      }
      Value number =
          written ? written.getElements()[dim]
                  : tensor::ExtractOp::create(
                        rewriter, loc, op.getShape(),
                        {arith::ConstantIndexOp::create(rewriter, loc, dim)
                             .getResult()})
                        .getResult();
      if (!number.getType().isIndex())
        number = arith::IndexCastOp::create(rewriter, loc,
                                            rewriter.getIndexType(), number);
      extents.push_back(number);
    }
    // One axis at least stays for what changes on either side.
    int64_t most = std::min(source.getRank(), result.getRank()) - 1;
    auto stays = [&](int64_t from, int64_t to) {
      return source.getDimSize(from) == result.getDimSize(to) &&
             isExtent(op.getSource(), from, extents[to]);
    };
    int64_t front = 0, behind = 0;
    while (front < most && stays(front, front))
      ++front;
    while (front + behind < most &&
           stays(source.getRank() - 1 - behind, result.getRank() - 1 - behind))
      ++behind;
    auto getGroups = [&](int64_t rank) {
      SmallVector<ReassociationIndices> groups;
      for (int64_t dim = 0; dim < front; ++dim)
        groups.push_back({dim});
      groups.push_back(llvm::to_vector(llvm::seq(front, rank - behind)));
      for (int64_t dim = rank - behind; dim < rank; ++dim)
        groups.push_back({dim});
      return groups;
    };
    Value flat = op.getSource();
    if (source.getRank() != front + behind + 1)
      flat = tensor::CollapseShapeOp::create(rewriter, loc, flat,
                                             getGroups(source.getRank()));
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(flat.getType()).getShape());
    shape[front] = 1;
    for (int64_t dim : llvm::seq(front, result.getRank() - behind))
      shape[front] =
          ShapedType::isDynamic(shape[front]) || result.isDynamicDim(dim)
              ? ShapedType::kDynamic
              : shape[front] * result.getDimSize(dim);
    auto flatType = RankedTensorType::get(shape, result.getElementType());
    if (flat.getType() != flatType)
      flat = tensor::CastOp::create(rewriter, loc, flatType, flat);
    if (result.getRank() == front + behind + 1)
      rewriter.replaceOp(op, flat);
    else
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
          op, result, flat, getGroups(result.getRank()), extents);
    return success();
  }

private:
  bool readsShapes;
};

} // namespace

void pit::populateComputedAccessPatterns(RewritePatternSet &patterns,
                                         bool readsShapes) {
  patterns.add<DecomposeGather>(patterns.getContext());
  patterns.add<DecomposeReshape>(patterns.getContext(), readsShapes);
}

void pit::decomposeComputedAccesses(Operation *root, bool readsShapes) {
  RewritePatternSet patterns(root->getContext());
  populateComputedAccessPatterns(patterns, readsShapes);
  walkAndApplyPatterns(root, std::move(patterns));
}
