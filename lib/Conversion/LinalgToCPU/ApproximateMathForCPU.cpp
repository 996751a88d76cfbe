//===- ApproximateMathForCPU.cpp - Math functions as polynomials ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Support/CircularFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_APPROXIMATEMATHFORCPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

namespace {

/// f64 to bf16 by way of f32: LLVM calls a function that few runtime libraries
/// have. What f32 cannot hold is rounded there to the neighbour with an odd
/// last bit, so that the second rounding decides as one would.
struct RoundTwice : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<arith::RoundingMode> mode = op.getRoundingmode();
    Value x = op.getIn();
    if (!getElementTypeOrSelf(x.getType()).isF64() ||
        !getElementTypeOrSelf(op.getType()).isBF16() ||
        (mode && *mode != arith::RoundingMode::to_nearest_even))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto with = [&](Type element) -> Type {
      auto shaped = dyn_cast<ShapedType>(x.getType());
      return shaped ? shaped.clone(element) : element;
    };
    Type single = with(b.getF32Type()), integer = with(b.getI32Type());
    Value rounded = arith::TruncFOp::create(b, single, x);
    Value back = arith::ExtFOp::create(b, x.getType(), rounded);
    Value isInexact =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, x);
    Value isAbove = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                          math::AbsFOp::create(b, back),
                                          math::AbsFOp::create(b, x));
    Value one = createScalarOrSplatConstant(b, b.getLoc(), integer, 1);
    Value bits = arith::BitcastOp::create(b, integer, rounded);
    Value below = arith::SelectOp::create(
        b, isAbove, arith::SubIOp::create(b, bits, one), bits);
    Value odd = arith::SelectOp::create(
        b, isInexact, arith::OrIOp::create(b, below, one), bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(), arith::BitcastOp::create(b, single, odd));
    return success();
  }
};

struct ApproximateMathForCPUPass
    : pit::impl::ApproximateMathForCPUBase<ApproximateMathForCPUPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    pit::populateCircularFunctions(patterns);
    patterns.add<RoundTwice>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
