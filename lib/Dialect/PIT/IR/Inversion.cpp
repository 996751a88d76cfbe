//===- Inversion.cpp - Ops that invert indexes ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandEffects.h"
#include "Verification.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

static bool listsElements(SparseIndexType index) {
  return llvm::all_of(index.getTile().asArrayRef(),
                      [](int64_t size) { return size == 1; });
}

static LogicalResult verifySource(Operation *op, SparseIndexType source) {
  if (listsElements(source))
    return success();
  return op->emitOpError("V1: micro-tiles must be single elements, got ")
         << source;
}

LogicalResult InvertOp::verify() {
  SparseIndexType source = getSource().getType(), result = getIndex().getType();
  if (failed(verifySource(*this, source)))
    return failure();
  if (result.getRank() != 2 || result.getCoordinate() != 1 ||
      !listsElements(result))
    return emitOpError("V2: the result must list single elements along the "
                       "second of two dimensions, got ")
           << result;
  int64_t extent = source.getExtents()[source.getCoordinate()];
  if (extentsDiffer(extent, result.getExtents()[0]))
    return emitOpError("V2: the coordinate of the source has extent ")
           << extent << ", the result has " << result.getExtents()[0]
           << " segments";
  if (getExtents().size() != result.getNumDynamicExtents())
    return emitOpError("V3: got ")
           << getExtents().size() << " extents for "
           << result.getNumDynamicExtents() << " dynamic extents of the result";
  return success();
}

namespace {
/// Where nothing can be listed, all offsets are 0.
struct InversionOfNothing : OpRewritePattern<InvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(InvertOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> source = op.getSource().getType().getExtents();
    SparseIndexType type = op.getIndex().getType();
    ArrayRef<int64_t> extents = type.getExtents();
    if (!llvm::is_contained(source, 0) && !llvm::is_contained(extents, 0))
      return failure();
    if (ShapedType::isDynamic(extents[0]))
      return failure();
    auto makeList = [&](int64_t size, unsigned width) -> Value {
      auto list = RankedTensorType::get({size}, rewriter.getIntegerType(width));
      return arith::ConstantOp::create(
          rewriter, op.getLoc(), cast<TypedAttr>(rewriter.getZeroAttr(list)));
    };
    rewriter.replaceOpWithNewOp<AssembleOp>(
        op, type, makeList(extents[0] + 1, 64), makeList(0, type.getWidth()),
        op.getExtents());
    return success();
  }
};
} // namespace

void InvertOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<InversionOfNothing>(context);
}

SparseIndexType InvertIntoOp::getSourceType() {
  return ::getIndexType(getSource());
}

void InvertIntoOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isOnBuffers())
    addOperandEffects(*this, effects);
}

LogicalResult InvertIntoOp::verify() {
  SparseIndexType source = getSourceType();
  if (failed(verifySource(*this, source)))
    return failure();
  int64_t extent = source.getExtents()[source.getCoordinate()];
  int64_t numOffsets = cast<ShapedType>(getOffsets().getType()).getDimSize(0);
  if (!ShapedType::isDynamic(extent) && extentsDiffer(numOffsets, extent + 1))
    return emitOpError("V4: ") << extent << " coordinates need " << extent + 1
                               << " offsets, got " << numOffsets;
  for (Value list : {Value(getOffsets()), Value(getCoords())})
    if (isa<MemRefType>(list.getType()) != isOnBuffers())
      return emitOpError("V5: mixes tensors and buffers");
  if (isOnBuffers() != getResults().empty())
    return emitOpError("V5: gives results for tensors, and none for buffers");
  return success();
}
