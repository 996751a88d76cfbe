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

static bool isDropped(SparseOp mark, int64_t axis) {
  return cast<RankedTensorType>(mark.getType()).getDimSize(axis) == 1 &&
         !llvm::is_contained(mark.getPattern().getAxes().asArrayRef(), axis);
}

bool pit::hasUnitAxes(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getType());
  return llvm::any_of(llvm::seq<int64_t>(0, type.getRank()),
                      [&](int64_t axis) { return isDropped(mark, axis); });
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
                     (!isDropped(op, axis) && kept.size() == groups.size());
      if (isFirst)
        groups.emplace_back();
      groups.back().push_back(axis);
      if (isDropped(op, axis))
        continue;
      kept.push_back(axis);
      shape.push_back(type.getDimSize(axis));
    }
    if (!hasUnitAxes(op))
      return rewriter.notifyMatchFailure(op, "no unit axis beside the pattern");
    SmallVector<int64_t> axes;
    for (int64_t axis : pattern.getAxes().asArrayRef())
      axes.push_back(llvm::find(kept, axis) - kept.begin());
    auto narrow = PatternAttr::get(op.getContext(), pattern.getKind(),
                                   rewriter.getDenseI64ArrayAttr(axes),
                                   pattern.getAbsent(), pattern.getPad(),
                                   pattern.getTile(), pattern.getAtMost());
    Location loc = op.getLoc();
    auto narrowType =
        RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
    Value source = tensor::CollapseShapeOp::create(rewriter, loc, narrowType,
                                                   op.getSource(), groups);
    auto mark =
        SparseOp::create(rewriter, loc, narrowType, source, op.getBy(), narrow);
    mark->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getSource());
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, mark, groups,
                                                       sizes);
    return success();
  }
};

} // namespace

void mlir::pit::populateDropUnitAxesOfMarksPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropUnitAxesOfMark>(patterns.getContext());
}
