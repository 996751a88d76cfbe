//===- Normalize.cpp - The form that patterns travel through --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITNORMALIZE
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Copies its only input to its output through permuting, broadcasting or slicing maps.
static bool isDataMovement(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() && op.getBlock()->getOperations().size() == 1 &&
         op.getBlock()->getTerminator()->getOperand(0) == op.getBlock()->getArgument(0);
}

static bool optedOut(Operation *op) { return op && op->hasAttr(PITDialect::kOptOutAttrName); }

namespace {

/// Replaces softmax and its like by the structured ops they stand for.
struct DecomposeAggregated : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op, PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return failure();
    rewriter.replaceOp(op, *parts);
    return success();
  }
};

struct PITNormalize : pit::impl::PITNormalizeBase<PITNormalize> {
  LogicalResult generalize() {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeAggregated>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return failure();
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) && op.hasPureTensorSemantics())
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      DictionaryAttr discardable = op->getDiscardableAttrDictionary();
      FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
      if (succeeded(generic))
        (*generic)->setDiscardableAttrs(discardable);
    }
    return success();
  }

  LogicalResult fold() {
    MLIRContext *ctx = &getContext();
    RewritePatternSet patterns(ctx);
    auto isFree = [](OpOperand *fused) {
      return !optedOut(fused->getOwner()) && !optedOut(fused->get().getDefiningOp());
    };
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isFree);
    tensor::populateReassociativeReshapeFoldingPatterns(patterns);
    linalg::populateElementwiseOpsFusionPatterns(patterns, [=](OpOperand *fused) {
      auto producer = fused->get().getDefiningOp<linalg::LinalgOp>();
      auto consumer = dyn_cast<linalg::LinalgOp>(fused->getOwner());
      if (!producer || !consumer || !isFree(fused))
        return false;
      if (isDataMovement(producer))
        return true;
      bool elementwise = consumer.getNumParallelLoops() == consumer.getNumLoops();
      return elementwise && producer->hasOneUse();
    });
    linalg::GenericOp::getCanonicalizationPatterns(patterns, ctx);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, ctx);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, ctx);
    tensor::EmptyOp::getCanonicalizationPatterns(patterns, ctx);
    ctx->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void runOnOperation() override {
    if (failed(generalize()) || failed(fold()))
      signalPassFailure();
  }
};
} // namespace
