//===- ApproximateMathForGPU.cpp - Math functions without a device library -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_APPROXIMATEMATHFORGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// What has an instruction, or becomes a few of them in the back end.
static bool hasInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundEvenOp, math::FmaOp, math::SqrtOp,
             math::CopySignOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op);
}

namespace {

struct ApproximateMathForGPUPass
    : pit::impl::ApproximateMathForGPUBase<ApproximateMathForGPUPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    math::populateExpansionPatterns(
        patterns, {"rsqrt", "sinh", "cosh", "tan", "asinh", "acosh", "atanh",
                   "powf", "fpowi", "ipowi", "exp2", "round"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    bool isComplete = true;
    getOperation().walk([&](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) || hasInstruction(op))
        return;
      op->emitOpError("on ")
          << op->getOperand(0).getType() << " has no code for the device";
      isComplete = false;
    });
    if (!isComplete)
      signalPassFailure();
  }
};

} // namespace
