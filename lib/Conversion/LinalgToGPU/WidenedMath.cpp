//===- WidenedMath.cpp - Functions of small floats through f64 ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenedMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace {

/// Below, x differs from the functions that begin with x by less than f32 can
/// tell, and what they are computed from has lost it.
constexpr double kSmall = 1e-4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Each function maps f64 to f64.
class WideFunctions {
public:
  WideFunctions(OpBuilder &builder, Location loc) : b(loc, builder) {}

  Value sinh(Value x) {
    Value half = sub(mul(constant(.5), exp(x)), mul(constant(.5), exp(neg(x))));
    return exceptSmall(x, half);
  }
  Value cosh(Value x) {
    return add(mul(constant(.5), exp(x)), mul(constant(.5), exp(neg(x))));
  }
  /// Of |x|, as x + sqrt(x^2 + 1) cancels where x is negative.
  Value asinh(Value x) {
    Value magnitude = math::AbsFOp::create(b, x);
    Value root =
        math::SqrtOp::create(b, add(mul(magnitude, magnitude), constant(1.)));
    Value result = math::CopySignOp::create(b, log(add(magnitude, root)), x);
    return exceptSmall(x, result);
  }
  Value acosh(Value x) {
    Value root = math::SqrtOp::create(b, sub(mul(x, x), constant(1.)));
    Value isBelow = is(CmpFPredicate::OLT, x, constant(1.));
    return select(isBelow, constant(kNaN), log(add(x, root)));
  }
  Value atanh(Value x) {
    Value ratio =
        arith::DivFOp::create(b, add(constant(1.), x), sub(constant(1.), x));
    return exceptSmall(x, mul(constant(.5), log(ratio)));
  }
  Value exp2(Value x) { return exp(mul(x, constant(llvm::numbers::ln2))); }
  Value pow(Value x, Value y);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, x); }
  Value exp(Value x) { return math::ExpOp::create(b, x); }
  Value log(Value x) { return math::LogOp::create(b, x); }
  Value is(CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value exceptSmall(Value x, Value result) {
    Value magnitude = math::AbsFOp::create(b, x);
    return select(is(CmpFPredicate::OLT, magnitude, constant(kSmall)), x,
                  result);
  }

  ImplicitLocOpBuilder b;
};

} // namespace

/// exp(y log |x|), with the sign of an odd power, and what IEEE 754 (9.2.1)
/// says of special values.
Value WideFunctions::pow(Value x, Value y) {
  Value zero = constant(0.), one = constant(1.);
  Value infinity = constant(kInfinity);
  Value magnitude = math::AbsFOp::create(b, x);
  Value result = exp(mul(y, log(magnitude)));
  Value isInteger = is(CmpFPredicate::OEQ, math::FloorOp::create(b, y), y);
  Value half = mul(y, constant(.5));
  Value isEven = is(CmpFPredicate::OEQ, math::FloorOp::create(b, half), half);
  // The sign of a negative zero counts.
  Value isNegative =
      is(CmpFPredicate::OLT, math::CopySignOp::create(b, one, x), zero);
  Value isOdd = arith::AndIOp::create(
      b, isInteger,
      arith::XOrIOp::create(b, isEven,
                            arith::ConstantOp::create(b, b.getBoolAttr(true))));
  result =
      select(arith::AndIOp::create(b, isNegative, isOdd), neg(result), result);
  // Of a finite negative number, only integer powers are real.
  Value isBelow =
      arith::AndIOp::create(b, is(CmpFPredicate::OLT, x, zero),
                            is(CmpFPredicate::OLT, magnitude, infinity));
  Value isReal = arith::OrIOp::create(
      b, isInteger,
      arith::XOrIOp::create(b, isBelow,
                            arith::ConstantOp::create(b, b.getBoolAttr(true))));
  Value nan = constant(kNaN);
  result = select(isReal, result, nan);
  // Where |x| = 1, log gives 0, and 0 times infinity is NaN.
  Value isUnit = arith::AndIOp::create(
      b, is(CmpFPredicate::OEQ, magnitude, one),
      is(CmpFPredicate::OEQ, math::AbsFOp::create(b, y), infinity));
  result = select(isUnit, one, result);
  Value isOne = arith::OrIOp::create(b, is(CmpFPredicate::OEQ, x, one),
                                     is(CmpFPredicate::OEQ, y, zero));
  return select(isOne, one, result);
}

namespace {

template <typename Op, auto function> struct Widen : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() > 32)
      return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(arith::ExtFOp::create(rewriter, op.getLoc(),
                                               rewriter.getF64Type(), operand));
    WideFunctions functions(rewriter, op.getLoc());
    Value wide;
    if constexpr (std::is_same_v<Op, math::PowFOp>)
      wide = (functions.*function)(operands[0], operands[1]);
    else
      wide = (functions.*function)(operands[0]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide);
    return success();
  }
};

} // namespace

void pit::populateWidenedMath(RewritePatternSet &patterns) {
  patterns.add<Widen<math::SinhOp, &WideFunctions::sinh>,
               Widen<math::CoshOp, &WideFunctions::cosh>,
               Widen<math::AsinhOp, &WideFunctions::asinh>,
               Widen<math::AcoshOp, &WideFunctions::acosh>,
               Widen<math::AtanhOp, &WideFunctions::atanh>,
               Widen<math::Exp2Op, &WideFunctions::exp2>,
               Widen<math::PowFOp, &WideFunctions::pow>>(patterns.getContext());
}
