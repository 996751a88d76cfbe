//===- ApproximateMathForGPU.cpp - Math functions without a device library ===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "DoublePrecisionMath.h"
#include "WidenedMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

namespace {

/// Functions of f32 by the instructions that approximate them, with errors of
/// about 2^-22, for ops that allow it (`afn`).
class ApproximateFunctions {
public:
  explicit ApproximateFunctions(Operation *op) : b(op->getLoc(), op) {}

  Value exp2(Value x) { return call("llvm.nvvm.ex2.approx.ftz.f", x); }
  Value exp(Value x) { return exp2(mul(x, constant(llvm::numbers::log2e))); }
  Value rsqrt(Value x) { return call("llvm.nvvm.rsqrt.approx.ftz.f", x); }
  Value erf(Value x);

private:
  Value call(StringRef name, Value x) {
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr(name), x)
        .getResult(0);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(float(value)));
  }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }

  ImplicitLocOpBuilder b;
};

} // namespace

/// 1 - erf(x) = 2^p(x) for x >= 0, with a polynomial p that is 0 at 0 and was
/// fitted so that the greatest error up to 4.2 is least; from there on, p is
/// less than -28 and falls. With all that is rounded, the absolute error is at
/// most 1e-7, and 3e-7 if the function of two is off by 2^-22. There is one
/// function that the special function unit computes, which is what limits
/// kernels that compute many.
Value ApproximateFunctions::erf(Value x) {
  constexpr double kCoefficients[] = {
      -4.5358629e-05, 4.45507612e-04,  -1.48944044e-03, -7.74633489e-04,
      2.82536857e-02, -1.48481622e-01, -9.18416381e-01, -1.62790859};
  Value magnitude = math::AbsFOp::create(b, x);
  Value sum = constant(kCoefficients[0]);
  for (double coefficient : ArrayRef(kCoefficients).drop_front())
    sum = fma(sum, magnitude, constant(coefficient));
  Value tail = exp2(mul(sum, magnitude));
  return math::CopySignOp::create(
      b, arith::SubFOp::create(b, constant(1.0), tail), x);
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
  ApproximateFunctions functions(op);
  Value x = op->getOperand(0);
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<math::ExpOp>([&](auto) { return functions.exp(x); })
          .Case<math::Exp2Op>([&](auto) { return functions.exp2(x); })
          .Case<math::RsqrtOp>([&](auto) { return functions.rsqrt(x); })
          .Case<math::ErfOp>([&](auto) { return functions.erf(x); })
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
    getOperation().walk(useApproximateFunction);
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    pit::populateDoublePrecisionMath(patterns);
    pit::populateWidenedMath(patterns);
    math::populateExpansionPatterns(
        patterns, {"rsqrt", "tan", "fpowi", "ipowi", "round"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    bool isComplete = true;
    getOperation().walk([&](Operation *op) {
      bool isFunction = isa<math::MathDialect>(op->getDialect());
      // Remainders of floats are calls, too.
      if ((!isFunction && !isa<arith::RemFOp>(op)) || isConvertedLater(op))
        return;
      StringRef intrinsic = getIntrinsic(op);
      if (!intrinsic.empty() && isa<FloatType>(op->getResult(0).getType()))
        return replaceByIntrinsic(op, intrinsic);
      op->emitOpError("on ")
          << op->getOperand(0).getType() << " has no code for the device";
      isComplete = false;
    });
    if (!isComplete)
      signalPassFailure();
  }
};

} // namespace
