//===- ProvenAsserts.cpp - Asserts that hold ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch-mlir writes `assert x != 0` where it divides by x.
//
//===----------------------------------------------------------------------===//

#include "ProvenAsserts.h"

#include "Dialect/PIT/Analysis/FiniteNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// Whether the comparison holds of all positive numbers and zero.
static bool tellsPositive(arith::CmpFPredicate predicate) {
  using Predicate = arith::CmpFPredicate;
  return llvm::is_contained({Predicate::ONE, Predicate::UNE, Predicate::OGT,
                             Predicate::UGT, Predicate::OGE, Predicate::UGE},
                            predicate);
}

namespace {

struct DropProvenAssert : public OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(cf::AssertOp op,
                                PatternRewriter &rewriter) const override {
    auto body = dyn_cast_or_null<linalg::LinalgOp>(op->getParentOp());
    auto compared = op.getArg().getDefiningOp<arith::CmpFOp>();
    if (!body || !compared || !tellsPositive(compared.getPredicate()) ||
        !matchPattern(compared.getRhs(), m_AnyZeroFloat()) ||
        !pit::isPositive(compared.getLhs(), body))
      return rewriter.notifyMatchFailure(op, "may not hold");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void pit::populateProvenAssertPatterns(RewritePatternSet &patterns) {
  patterns.add<DropProvenAssert>(patterns.getContext());
}
