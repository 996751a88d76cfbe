//===- UnitAxesOfMarks.cpp - Marks of tensors with unit axes --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitAxesOfMarks.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a pattern means the same without an axis of extent 1. Lengths have
/// two axes, a bound is one of rows, which a pattern may have to keep, and
/// blocks that are given are micro-tiles of a matrix, of one row as of several.
static bool mayLoseAxes(PatternAttr pattern) {
  switch (pattern.getKind()) {
  case PatternKind::Values:
  case PatternKind::Mask:
    return !pattern.hasBound();
  case PatternKind::Blocks:
  case PatternKind::Routing:
  case PatternKind::Lengths:
    return false;
  }
  llvm_unreachable("all kinds are covered");
}

/// An axis of extent 1 beside the pattern, or one of the pattern's unless it
/// would have none then.
bool pit::losesAxis(SparseOp mark, int64_t axis) {
  auto type = cast<RankedTensorType>(mark.getType());
  PatternAttr pattern = mark.getPattern();
  ArrayRef<int64_t> axes = pattern.getAxes().asArrayRef();
  if (type.getDimSize(axis) != 1)
    return false;
  if (!llvm::is_contained(axes, axis))
    return true;
  auto isLonger = [&](int64_t other) { return type.getDimSize(other) != 1; };
  return mayLoseAxes(pattern) &&
         (llvm::any_of(axes, isLonger) || axis != axes.back());
}

bool pit::hasUnitAxes(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getType());
  return llvm::any_of(llvm::seq<int64_t>(0, type.getRank()),
                      [&](int64_t axis) { return losesAxis(mark, axis); });
}

namespace {

struct DropUnitAxesOfMark : OpRewritePattern<SparseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SparseOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    PatternAttr pattern = op.getPattern();
    // Of the axes that stay, the number before; each takes its neighbours in.
    SmallVector<int64_t> kept, shape;
    SmallVector<ReassociationIndices> groups;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      bool isFirst = groups.empty() ||
                     (!losesAxis(op, axis) && kept.size() == groups.size());
      if (isFirst)
        groups.emplace_back();
      groups.back().push_back(axis);
      if (losesAxis(op, axis))
        continue;
      kept.push_back(axis);
      shape.push_back(type.getDimSize(axis));
    }
    if (!hasUnitAxes(op))
      return rewriter.notifyMatchFailure(op, "no unit axis beside the pattern");
    // The same of the pattern space: its dimension, and those before that go.
    SmallVector<int64_t> axes, tile, byShape;
    SmallVector<ReassociationIndices> byGroups;
    auto byType = op.getBy() ? cast<RankedTensorType>(op.getBy().getType())
                             : RankedTensorType();
    for (auto [dim, axis] : llvm::enumerate(pattern.getAxes().asArrayRef())) {
      bool isGone = losesAxis(op, axis);
      if (byGroups.empty() || (!isGone && axes.size() == byGroups.size()))
        byGroups.emplace_back();
      byGroups.back().push_back(int64_t(dim));
      if (isGone)
        continue;
      axes.push_back(llvm::find(kept, axis) - kept.begin());
      if (pattern.getTile())
        tile.push_back(pattern.getTileExtent(unsigned(dim)));
      if (byType && dim < size_t(byType.getRank()))
        byShape.push_back(byType.getDimSize(unsigned(dim)));
    }
    auto narrow = PatternAttr::get(
        op.getContext(), pattern.getKind(), rewriter.getDenseI64ArrayAttr(axes),
        pattern.getAbsent(), pattern.getPad(),
        pattern.getTile() ? rewriter.getDenseI64ArrayAttr(tile)
                          : DenseI64ArrayAttr(),
        pattern.getAtMost());
    Value by = op.getBy();
    if (axes.size() != pattern.getRank() && by)
      by = collapse(by, RankedTensorType::get(byShape, byType.getElementType()),
                    byGroups, rewriter);
    Location loc = op.getLoc();
    auto narrowType =
        RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
    Value source = tensor::CollapseShapeOp::create(rewriter, loc, narrowType,
                                                   op.getSource(), groups);
    auto mark = SparseOp::create(rewriter, loc, narrowType, source, by, narrow);
    mark->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getSource());
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, mark, groups,
                                                       sizes);
    return success();
  }

  /// Patterns are the same where the same tensor says what is live, so there is
  /// one such view of it.
  static Value collapse(Value by, RankedTensorType type,
                        ArrayRef<ReassociationIndices> groups,
                        PatternRewriter &rewriter) {
    OpBuilder::InsertionGuard before(rewriter);
    rewriter.setInsertionPointAfterValue(by);
    Block *block = rewriter.getInsertionBlock();
    auto place = rewriter.getInsertionPoint();
    if (place != block->end())
      if (auto view = dyn_cast<tensor::CollapseShapeOp>(*place))
        if (view.getSrc() == by && view.getType() == type)
          return view;
    return tensor::CollapseShapeOp::create(rewriter, by.getLoc(), type, by,
                                           groups);
  }
};

} // namespace

void mlir::pit::populateDropUnitAxesOfMarksPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropUnitAxesOfMark>(patterns.getContext());
}
