//===- SlicesOfMarks.cpp - Marks of parts of marked values ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlicesOfMarks.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a slice takes all of an axis.
static bool takesAll(tensor::ExtractSliceOp slice, int64_t axis) {
  RankedTensorType type = slice.getSourceType();
  if (getConstantIntValue(slice.getMixedOffsets()[axis]) != 0 ||
      getConstantIntValue(slice.getMixedStrides()[axis]) != 1)
    return false;
  OpFoldResult size = slice.getMixedSizes()[axis];
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant == type.getDimSize(unsigned(axis));
  auto dim = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  return dim && dim.getSource() == slice.getSource() &&
         dim.getConstantIndex() == axis;
}

namespace {

struct MarkSliceOfValues : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto mark = slice.getSource().getDefiningOp<SparseOp>();
    if (!mark || mark.getPattern().getKind() != PatternKind::Values)
      return rewriter.notifyMatchFailure(slice, "no slice of marked values");
    PatternAttr pattern = mark.getPattern();
    ArrayRef<int64_t> before = pattern.getAxes().asArrayRef();
    // Otherwise the pattern is that of the whole, and passes.
    if (llvm::all_of(before,
                     [&](int64_t axis) { return takesAll(slice, axis); }))
      return rewriter.notifyMatchFailure(slice, "the pattern is not cut");
    if (llvm::any_of(slice->getUsers(), llvm::IsaPred<SparseOp>))
      return rewriter.notifyMatchFailure(slice, "the slice is marked");
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<int64_t> axes;
    for (auto [i, axis] : llvm::enumerate(before)) {
      // Micro-tiles of the whole may begin in the middle of the slice.
      if (pattern.getTileExtent(unsigned(i)) != 1)
        return rewriter.notifyMatchFailure(slice, "has micro-tiles");
      if (dropped.test(unsigned(axis)))
        continue;
      int64_t place = axis;
      for (int64_t other = 0; other < axis; ++other)
        place -= dropped.test(unsigned(other));
      axes.push_back(place);
    }
    if (axes.empty())
      return rewriter.notifyMatchFailure(slice, "no axis is left");
    auto part = PatternAttr::get(rewriter.getContext(), PatternKind::Values,
                                 rewriter.getDenseI64ArrayAttr(axes),
                                 pattern.getAbsent(), pattern.getPad(),
                                 DenseI64ArrayAttr(), /*at_most=*/0);
    rewriter.setInsertionPointAfter(slice);
    auto marked = SparseOp::create(rewriter, slice.getLoc(), slice.getType(),
                                   slice.getResult(), Value(), part);
    marked->setDiscardableAttrs(mark->getDiscardableAttrDictionary());
    rewriter.replaceAllUsesExcept(slice.getResult(), marked.getResult(),
                                  marked);
    return success();
  }
};

} // namespace

void mlir::pit::populateSlicesOfMarksPatterns(RewritePatternSet &patterns) {
  patterns.add<MarkSliceOfValues>(patterns.getContext());
}
