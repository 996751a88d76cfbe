//===- IndexExtents.cpp - Extents of the pattern space of an index --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexExtents.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<OpFoldResult> pit::getIndexExtents(OpBuilder &builder, Location loc,
                                               SparseIndexType type,
                                               Value index) {
  SmallVector<OpFoldResult> extents;
  for (unsigned dim = 0, e = type.getRank(); dim < e; ++dim)
    extents.push_back(
        type.isDynamicExtent(dim)
            ? getAsOpFoldResult(builder.createOrFold<ExtentOp>(loc, index, dim))
            : builder.getIndexAttr(type.getExtents()[dim]));
  return extents;
}

OpFoldResult ExtentMath::apply(AffineExpr expr,
                               ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(0, operands.size(), expr), operands);
}

OpFoldResult ExtentMath::ceilDiv(OpFoldResult a, int64_t b) {
  return b == 1 ? a : apply(symbol(0).ceilDiv(b), {a});
}

OpFoldResult ExtentMath::mul(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> constantA = getConstantIntValue(a),
                         constantB = getConstantIntValue(b);
  if (constantA || constantB)
    return apply(symbol(0) * symbol(1), {a, b});
  // A product of two unknowns is not affine.
  return arith::MulIOp::create(builder, loc, value(a), value(b)).getResult();
}

OpFoldResult ExtentMath::add(OpFoldResult a, OpFoldResult b) {
  return apply(symbol(0) + symbol(1), {a, b});
}

OpFoldResult ExtentMath::sub(OpFoldResult a, OpFoldResult b) {
  return apply(symbol(0) - symbol(1), {a, b});
}

OpFoldResult ExtentMath::min(OpFoldResult a, OpFoldResult b) {
  return affine::makeComposedFoldedAffineMin(
      builder, loc, AffineMap::getMultiDimIdentityMap(2, builder.getContext()),
      {a, b});
}

Value ExtentMath::value(OpFoldResult a) {
  return getValueOrCreateConstantIndexOp(builder, loc, a);
}

OpFoldResult pit::createNumSegments(OpBuilder &builder, Location loc,
                                    SparseIndexType type,
                                    ArrayRef<OpFoldResult> extents) {
  ExtentMath math(builder, loc);
  OpFoldResult count = builder.getIndexAttr(1);
  for (int64_t dim : type.getSegmentDims())
    count = math.mul(count, math.ceilDiv(extents[dim], type.getTile()[dim]));
  return count;
}

OpFoldResult pit::createCapacity(OpBuilder &builder, Location loc,
                                 PatternAttr pattern, SparseIndexType type,
                                 ArrayRef<OpFoldResult> extents) {
  ExtentMath math(builder, loc);
  if (pattern.hasBound()) {
    int64_t perRow = pattern.getRank() > 1 ? pattern.getAtMost() : 1;
    return math.mul(extents[0], builder.getIndexAttr(perRow));
  }
  OpFoldResult segments = createNumSegments(builder, loc, type, extents);
  return math.mul(segments, math.ceilDiv(extents[type.getCoordinate()],
                                         type.getCoordinateTile()));
}

SegmentSlice pit::createSegmentSlice(OpBuilder &builder, Location loc,
                                     SparseIndexType type,
                                     ArrayRef<OpFoldResult> extents,
                                     Value segment) {
  ExtentMath math(builder, loc);
  SmallVector<int64_t> dims = type.getSegmentDims();
  SegmentSlice slice;
  slice.offsets.resize(dims.size());
  slice.sizes.resize(dims.size());
  Value rest = segment;
  for (int64_t i = dims.size() - 1; i >= 0; --i) {
    int64_t tile = type.getTile()[dims[i]];
    OpFoldResult extent = extents[dims[i]];
    Value number = rest;
    if (i > 0) {
      Value count = math.value(math.ceilDiv(extent, tile));
      number = arith::RemUIOp::create(builder, loc, rest, count);
      rest = arith::DivUIOp::create(builder, loc, rest, count);
    }
    slice.offsets[i] = math.mul(number, builder.getIndexAttr(tile));
    std::optional<int64_t> constant = getConstantIntValue(extent);
    if (tile == 1 || (constant && *constant % tile == 0))
      slice.sizes[i] = builder.getIndexAttr(tile);
    else
      slice.sizes[i] = math.min(builder.getIndexAttr(tile),
                                math.sub(extent, slice.offsets[i]));
  }
  return slice;
}

SmallVector<Value>
pit::createLoop(OpBuilder &builder, Location loc, Value begin, Value end,
                Value step, ValueRange inits,
                function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, step, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> carried =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(builder, loc, carried);
  return llvm::to_vector_of<Value>(loop.getResults());
}
