//===- PackedParts.cpp - What is computed per position of a list ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumSplitter.h"

#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::pit;

Value SumSplitter::createInverse(RewriterBase &rewriter,
                                 OpFoldResult numPositions) {
  OpFoldResult extents[] = {
      getIndexExtents(rewriter, op.getLoc(), type,
                      op.getIndex())[type.getCoordinate()],
      numPositions};
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  int64_t width = !ShapedType::isDynamic(shape[1]) && shape[1] > kMost
                      ? 64
                      : type.getWidth();
  auto inverse = SparseIndexType::get(
      rewriter.getContext(), rewriter.getDenseI64ArrayAttr(shape),
      /*coordinate=*/1, rewriter.getDenseI64ArrayAttr({1, 1}), width);
  return InvertOp::create(rewriter, op.getLoc(), inverse, op.getIndex(),
                          dynamic);
}

/// A packed tensor with the other extents of `like`.
static Value createPacked(RewriterBase &rewriter, Location loc, Value like,
                          int64_t dim, OpFoldResult numPositions) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, like);
  sizes[dim] = numPositions;
  return tensor::EmptyOp::create(rewriter, loc, sizes,
                                 getElementTypeOrSelf(like.getType()));
}

/// The op itself, with rows of its own for every segment.
Value SumSplitter::createPackedProduct(RewriterBase &rewriter,
                                       OpFoldResult numPositions) {
  Location loc = op.getLoc();
  Value rows =
      createPacked(rewriter, loc, op.getOutputs()[0], rowDim, numPositions);
  SmallVector<Attribute> dims(op.getDims().getValue());
  SmallVector<int64_t> packedDims(type.getRank(), -1);
  packedDims[type.getCoordinate()] = rowDim;
  dims.back() = rewriter.getDenseI64ArrayAttr(packedDims);
  SmallVector<bool> packed(op.getPacked());
  packed.back() = true;
  auto product = TiledOp::create(
      rewriter, loc, rows.getType(), op.getIndex(), op.getInputs(), rows,
      rewriter.getArrayAttr(dims), rewriter.getDenseBoolArrayAttr(packed),
      op.getTileSizeAttr(), op.getFlatAttr(), op.getRuleAttr());
  IRMapping mapping;
  OpBuilder::InsertionGuard guard(rewriter);
  op.getRegion().cloneInto(&product.getRegion(), mapping);
  Operation *first = mapping.lookup(sum.getOperation());
  rewriter.setInsertionPoint(first);
  Value tile = product.getRegion().front().getArguments().back();
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(getElementTypeOrSelf(tile)));
  Value start = linalg::FillOp::create(rewriter, loc, zero, tile).getResult(0);
  rewriter.modifyOpInPlace(first, [&] {
    cast<linalg::GenericOp>(first).getDpsInitsMutable().assign(start);
  });
  return product.getResult(0);
}

/// One number per listed element, in the order of the list.
Value SumSplitter::createPackedNumbers(RewriterBase &rewriter, unsigned operand,
                                       OpFoldResult numPositions) {
  Location loc = op.getLoc();
  Value numbers = op.getInputs()[operand];
  Type element = getElementTypeOrSelf(numbers.getType());
  Value packed = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{numPositions}, element);
  SmallVector<int64_t> packedDims(type.getRank(), -1);
  packedDims[type.getCoordinate()] = 0;
  auto copy = TiledOp::create(
      rewriter, loc, packed.getType(), op.getIndex(), numbers, packed,
      rewriter.getArrayAttr(
          {op.getDims()[operand], rewriter.getDenseI64ArrayAttr(packedDims)}),
      rewriter.getDenseBoolArrayAttr({false, true}), op.getTileSizeAttr(),
      op.getFlatAttr(), IntegerAttr());
  auto tile = RankedTensorType::get({ShapedType::kDynamic}, element);
  OpBuilder::InsertionGuard guard(rewriter);
  Block *block =
      rewriter.createBlock(&copy.getRegion(), {}, {tile, tile}, {loc, loc});
  AffineMap map = rewriter.getMultiDimIdentityMap(1);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, tile, block->getArgument(0), block->getArgument(1),
      ArrayRef<AffineMap>{map, map},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [](OpBuilder &b, Location loc, ValueRange values) {
        linalg::YieldOp::create(b, loc, values[0]);
      });
  YieldOp::create(rewriter, loc, generic.getResults());
  return copy.getResult(0);
}

/// Numbers where the inverse is made, if what they are is known there.
Value SumSplitter::createEarlyNumbers(RewriterBase &rewriter, unsigned operand,
                                      OpFoldResult numPositions) {
  OpBuilder::InsertionGuard guard(rewriter);
  if (DominanceInfo().properlyDominates(op.getInputs()[operand],
                                        &*inversePoint.getPoint()))
    rewriter.restoreInsertionPoint(inversePoint);
  return createPackedNumbers(rewriter, operand, numPositions);
}
