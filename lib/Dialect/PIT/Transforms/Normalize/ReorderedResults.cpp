//===- ReorderedResults.cpp - Sums in the order of who reads them ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Autograd writes the gradient of experts' weights as one product whose columns
// are those of all experts, [dim, experts, hidden], and then transposes it to
// [experts, dim, hidden].
//
//===----------------------------------------------------------------------===//

#include "ReorderedResults.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ReorderResult : OpRewritePattern<linalg::GenericOp> {
  ReorderResult(MLIRContext *context, StringRef excluded)
      : OpRewritePattern(context), excluded(excluded) {}

  LogicalResult matchAndRewrite(linalg::GenericOp reader,
                                PatternRewriter &rewriter) const override;

private:
  StringRef excluded;
};

} // namespace

/// A product that starts from a constant everywhere, which nothing else reads.
static linalg::GenericOp getProduct(OpOperand &operand, StringRef excluded) {
  auto product = operand.get().getDefiningOp<linalg::GenericOp>();
  if (!product || !operand.get().hasOneUse() || product->getNumResults() != 1 ||
      product.getNumReductionLoops() == 0 || product.getNumDpsInputs() < 2 ||
      product->hasAttr(excluded) || !product.hasPureTensorSemantics())
    return nullptr;
  auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>()
             ? product
             : nullptr;
}

/// Whether a map changes the order of axes, but for the last one.
static bool permutesFrontAxes(AffineMap map) {
  return map.isPermutation() && !map.isIdentity() &&
         map.getDimPosition(map.getNumResults() - 1) == map.getNumResults() - 1;
}

LogicalResult ReorderResult::matchAndRewrite(linalg::GenericOp reader,
                                             PatternRewriter &rewriter) const {
  if (!reader.hasPureTensorSemantics() || reader->hasAttr(excluded) ||
      reader.getNumReductionLoops() != 0 || reader.getNumDpsInits() != 1 ||
      !reader.getMatchingIndexingMap(reader.getDpsInitOperand(0)).isIdentity())
    return failure();
  for (OpOperand *input : reader.getDpsInputOperands()) {
    linalg::GenericOp product = getProduct(*input, excluded);
    AffineMap read = reader.getMatchingIndexingMap(input);
    if (!product || !permutesFrontAxes(read))
      continue;
    // Axis i of the new result is the one that the reader's loop i runs along.
    SmallVector<unsigned> places(read.getNumResults());
    for (unsigned axis = 0; axis < read.getNumResults(); ++axis)
      places[read.getDimPosition(axis)] = axis;
    auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    auto type = cast<RankedTensorType>(fill.getResult(0).getType());
    Location loc = product.getLoc();
    rewriter.setInsertionPoint(product);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, fill.getOutputs()[0]);
    SmallVector<OpFoldResult> newSizes;
    for (unsigned place : places)
      newSizes.push_back(sizes[place]);
    Value empty = tensor::EmptyOp::create(rewriter, fill.getLoc(), newSizes,
                                          type.getElementType());
    Value zeros =
        linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(), empty)
            .getResult(0);
    SmallVector<AffineMap> maps = product.getIndexingMapsArray();
    SmallVector<AffineExpr> stored;
    for (unsigned place : places)
      stored.push_back(maps.back().getResult(place));
    maps.back() = AffineMap::get(maps.back().getNumDims(), 0, stored,
                                 rewriter.getContext());
    auto reordered = linalg::GenericOp::create(
        rewriter, loc, TypeRange(zeros.getType()), product.getInputs(), zeros,
        rewriter.getAffineMapArrayAttr(maps), product.getIteratorTypes(),
        /*doc=*/StringAttr(), /*library_call=*/StringAttr());
    reordered->setDiscardableAttrs(
        llvm::to_vector(product->getDiscardableAttrs()));
    rewriter.inlineRegionBefore(product.getRegion(), reordered.getRegion(),
                                reordered.getRegion().end());
    SmallVector<AffineMap> readMaps = reader.getIndexingMapsArray();
    readMaps[input->getOperandNumber()] =
        rewriter.getMultiDimIdentityMap(read.getNumResults());
    rewriter.modifyOpInPlace(reader, [&] {
      reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(readMaps));
      input->set(reordered.getResult(0));
    });
    rewriter.eraseOp(product);
    return success();
  }
  return failure();
}

void pit::populateReorderedResultsPatterns(RewritePatternSet &patterns,
                                           StringRef excluded) {
  patterns.add<ReorderResult>(patterns.getContext(), excluded);
}
