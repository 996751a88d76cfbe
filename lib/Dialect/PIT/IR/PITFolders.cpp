//===- PITFolders.cpp - Folders and canonicalization of the pit ops -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "SubsetAccess.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// pit.sparse
//===----------------------------------------------------------------------===//

/// The same mark applied twice is the mark.
OpFoldResult SparseOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<SparseOp>();
  if (inner && inner.getPattern() == getPattern() && inner.getBy() == getBy())
    return getSource();
  return {};
}

namespace {
/// Marks by value commute with nothing else, but two bounds on the same values
/// combine to the tighter one.
struct CombineValuesBounds : OpRewritePattern<SparseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SparseOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<SparseOp>();
    PatternAttr outerPattern = op.getPattern();
    if (!inner || outerPattern.getKind() != PatternKind::Values)
      return failure();
    PatternAttr innerPattern = inner.getPattern();
    if (innerPattern.getKind() != PatternKind::Values ||
        innerPattern.getAxes() != outerPattern.getAxes() ||
        innerPattern.getAbsent() != outerPattern.getAbsent())
      return failure();
    int64_t bound = outerPattern.getAtMost();
    if (innerPattern.hasBound())
      bound = bound ? std::min(bound, innerPattern.getAtMost())
                    : innerPattern.getAtMost();
    auto merged =
        PatternAttr::get(op.getContext(), PatternKind::Values,
                         outerPattern.getAxes(), outerPattern.getAbsent(),
                         outerPattern.getPad(), outerPattern.getTile(), bound);
    rewriter.replaceOpWithNewOp<SparseOp>(op, op.getType(), inner.getSource(),
                                          Value(), merged);
    return success();
  }
};
} // namespace

void SparseOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<CombineValuesBounds>(context);
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

OpFoldResult OffsetsOp::fold(FoldAdaptor) {
  auto assemble = getIndex().getDefiningOp<AssembleOp>();
  if (assemble && assemble.getOffsets().getType() == getType())
    return assemble.getOffsets();
  return {};
}

OpFoldResult CoordsOp::fold(FoldAdaptor) {
  auto assemble = getIndex().getDefiningOp<AssembleOp>();
  if (assemble && assemble.getCoords().getType() == getType())
    return assemble.getCoords();
  return {};
}

/// The operand or the static entry behind an extent.
OpFoldResult ExtentOp::fold(FoldAdaptor) {
  auto type = dyn_cast<SparseIndexType>(getIndex().getType());
  if (!type)
    type = cast<IndexBufferType>(getIndex().getType()).getIndex();
  unsigned dim = getDim();
  if (!type.isDynamicExtent(dim))
    return IntegerAttr::get(IndexType::get(getContext()),
                            type.getExtents()[dim]);
  unsigned number = 0;
  for (unsigned i = 0; i < dim; ++i)
    number += type.isDynamicExtent(i);
  if (auto detect = getIndex().getDefiningOp<DetectOp>())
    return detect.getExtents()[number];
  if (auto invert = getIndex().getDefiningOp<InvertOp>())
    return invert.getExtents()[number];
  if (auto assemble = getIndex().getDefiningOp<AssembleOp>())
    return assemble.getExtents()[number];
  return {};
}

//===----------------------------------------------------------------------===//
// SRead and SWrite
//===----------------------------------------------------------------------===//

/// sread(swrite(p)) through one index is p where no element is listed twice:
/// lanes beyond the count are unspecified on both sides.
OpFoldResult SReadOp::fold(FoldAdaptor) {
  auto write = getSource().getDefiningOp<SWriteOp>();
  if (write && write.getSource().getType() == getType() &&
      accessSameElements(*this, write))
    return write.getSource();
  return {};
}

/// swrite(sread(x)) into x itself, mode store, changes nothing.
OpFoldResult SWriteOp::fold(FoldAdaptor) {
  auto read = getSource().getDefiningOp<SReadOp>();
  if (read && getMode() == WriteMode::Store && read.getSource() == getDest() &&
      read.getIndex() == getIndex() && read.getDims() == getDims() &&
      read.getTile() == getTile())
    return getDest();
  return {};
}
