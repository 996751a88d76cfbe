//===- ApproximateMathForGPU.cpp - Math functions without a device library ===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "ApproximateFunctions.h"
#include "DoublePrecisionMath.h"
#include "GaussianUnits.h"
#include "WidenedMath.h"

#include "PIT/Support/CircularFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_APPROXIMATEMATHFORGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// Functions that have an instruction, or become a few of them in the back end,
/// by their LLVM intrinsic. Empty for others.
static StringRef getIntrinsic(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::AbsFOp>([](auto) { return "llvm.fabs"; })
      .Case<math::CeilOp>([](auto) { return "llvm.ceil"; })
      .Case<math::CopySignOp>([](auto) { return "llvm.copysign"; })
      .Case<math::FloorOp>([](auto) { return "llvm.floor"; })
      .Case<math::FmaOp>([](auto) { return "llvm.fma"; })
      .Case<math::RoundEvenOp>([](auto) { return "llvm.roundeven"; })
      .Case<math::SqrtOp>([](auto) { return "llvm.sqrt"; })
      .Case<math::TruncOp>([](auto) { return "llvm.trunc"; })
      .Default([](Operation *) { return ""; });
}

/// What the conversion to NVVM turns into instructions by itself.
static bool isConvertedLater(Operation *op) {
  return isa<math::AbsIOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op);
}

/// Calls the intrinsic by name: the conversion to NVVM would turn both the math
/// op and the intrinsic's op into calls of libdevice, which is not at hand.
static void replaceByIntrinsic(Operation *op, StringRef name) {
  OpBuilder builder(op);
  Type type = op->getResult(0).getType();
  std::string overload;
  llvm::raw_string_ostream(overload)
      << name << '.'
      << (type.isBF16() ? "bf16"
                        : "f" + std::to_string(type.getIntOrFloatBitWidth()));
  auto call = LLVM::CallIntrinsicOp::create(builder, op->getLoc(), type,
                                            builder.getStringAttr(overload),
                                            op->getOperands());
  op->replaceAllUsesWith(call->getResults());
  op->erase();
}

static void useApproximateFunction(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isF32() ||
      !isa<math::MathDialect>(op->getDialect()))
    return;
  auto iface = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!iface ||
      !arith::bitEnumContainsAll(iface.getFastMathFlagsAttr().getValue(),
                                 arith::FastMathFlags::afn))
    return;
  pit::ApproximateFunctions functions(op);
  Value x = op->getOperand(0);
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<math::ExpOp>([&](auto) { return functions.exp(x); })
          .Case<math::Exp2Op>([&](auto) { return functions.exp2(x); })
          .Case<math::RsqrtOp>([&](auto) { return functions.rsqrt(x); })
          .Case<math::ErfOp>([&](auto) { return functions.erf(x); })
          .Case<math::TanhOp>([&](auto) { return functions.tanh(x); })
          .Default([](Operation *) { return Value(); });
  if (!result)
    return;
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

namespace {

struct ApproximateMathForGPUPass
    : pit::impl::ApproximateMathForGPUBase<ApproximateMathForGPUPass> {
  void runOnOperation() override {
    pit::replaceGaussianUnits(getOperation());
    getOperation().walk(useApproximateFunction);
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    pit::populateCircularFunctions(patterns);
    pit::populateDoublePrecisionMath(patterns);
    pit::populateWidenedMath(patterns);
    math::populateExpansionPatterns(
        patterns, {"rsqrt", "tan", "fpowi", "ipowi", "round"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // One error is enough: the same op stands in the kernel several times.
    WalkResult walk = getOperation().walk([&](Operation *op) {
      bool isFunction = isa<math::MathDialect>(op->getDialect());
      // Remainders of floats are calls, too.
      if ((!isFunction && !isa<arith::RemFOp>(op)) || isConvertedLater(op))
        return WalkResult::advance();
      StringRef intrinsic = getIntrinsic(op);
      if (!intrinsic.empty() && isa<FloatType>(op->getResult(0).getType())) {
        replaceByIntrinsic(op, intrinsic);
        return WalkResult::advance();
      }
      op->emitOpError("on ")
          << op->getOperand(0).getType() << " has no code for the device";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
