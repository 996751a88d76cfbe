//===- CollapseProducts.cpp - Products of tensors as those of matrices ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear layer on [batch, position, feature] has two axes of rows, whether it
// is written so or on a collapsed tensor: reshapes are folded into ops, so that
// axes can be told apart where rules look for them. What no rule took becomes
// a product of matrices again here. The reshape behind it moves behind the
// elementwise ops that follow, so that they stay next to the product.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCOLLAPSEPRODUCTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// The loops in the order in which the map has them.
static ReassociationIndices getInOrder(ArrayRef<unsigned> loops,
                                       AffineMap map) {
  ReassociationIndices ordered;
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      if (llvm::is_contained(loops, dim.getPosition()))
        ordered.push_back(dim.getPosition());
  return ordered;
}

/// Loops that may be one: those of rows, of columns, and of the sum, where all
/// operands have them side by side in the same order.
static SmallVector<ReassociationIndices> getGroups(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // A convolution reads at sums of loops.
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || !dims->batch.empty() || !llvm::all_of(maps, isPlain))
    return {};
  std::pair<ArrayRef<unsigned>, AffineMap> kinds[] = {
      {dims->m, maps.back()}, {dims->n, maps.back()}, {dims->k, maps.front()}};
  SmallVector<ReassociationIndices> groups;
  for (auto [loops, map] : kinds) {
    ReassociationIndices group = getInOrder(loops, map);
    if (group.size() > 1 && linalg::areDimSequencesPreserved(maps, group))
      groups.push_back(group);
  }
  return groups;
}

/// Whether the op computes each element from others at the same place and
/// stands in the function itself: what is in tiles has matrices of its own.
static bool isElementwiseInFunction(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && linalg::isElementwise(structured) &&
         isa<func::FuncOp>(op->getParentOp());
}

namespace {

struct PITCollapseProducts
    : pit::impl::PITCollapseProductsBase<PITCollapseProducts> {
  void runOnOperation() override;
};

} // namespace

void PITCollapseProducts::runOnOperation() {
  IRRewriter rewriter(&getContext());
  SmallVector<linalg::GenericOp> products;
  for (auto op : getOperation().getOps<linalg::GenericOp>())
    if (op.hasPureTensorSemantics() && !op.hasIndexSemantics() &&
        !getGroups(op).empty())
      products.push_back(op);
  if (products.empty())
    return;
  for (linalg::GenericOp op : products) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> collapsed =
        linalg::collapseOpIterationDims(op, getGroups(op), rewriter);
    if (failed(collapsed))
      continue;
    rewriter.replaceOp(op, collapsed->results);
    ++numCollapsed;
  }
  RewritePatternSet patterns(&getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [](OpOperand *use) {
        return use->get().getDefiningOp<tensor::ExpandShapeOp>() &&
               isElementwiseInFunction(use->getOwner());
      });
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    signalPassFailure();
}
