//===- DoublePrecisionMath.cpp - Functions of f64 as arithmetic -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's polynomials are of f32. Here, arguments are reduced to where a
// power series of double precision is short, and what is reduced is put
// together again; there are no branches, only selections.
//
//===----------------------------------------------------------------------===//

#include "DoublePrecisionMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace {

/// ln 2 in two parts; multiples of the first one by exponents are exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1,
                 kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// erfc(x) exp(x^2) for x in [1, 6] as a polynomial of 14.4 / (x + 3) - 2.6,
/// which is in [-1, 1]: interpolated at Chebyshev's points, with a relative
/// error below 2^-52.
constexpr double kScaledErfc[] = {
    0.20798329133342885,    0.15436117429436919,     0.04969844540339464,
    0.012713147695692198,   0.002479314697078186,    0.0003316029605764125,
    1.9563583246137112e-05, -2.4255574719050315e-06, -5.541274478467714e-07,
    4.526700764248741e-09,  1.1339538061744706e-08,  2.6381508985080735e-10,
    -2.571511429603255e-10, -6.047405945991704e-12,  6.0857915906870915e-12};

class Functions {
public:
  Functions(PatternRewriter &rewriter, Location loc) : b(loc, rewriter) {}

  Value exp(Value x);
  Value log(Value x);
  Value tanh(Value x);
  Value erf(Value x);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  Value abs(Value x) { return math::AbsFOp::create(b, x); }
  Value is(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value toBits(Value x) {
    return arith::BitcastOp::create(b, b.getI64Type(), x);
  }
  Value fromBits(Value bits) {
    return arith::BitcastOp::create(b, b.getF64Type(), bits);
  }
  /// 2^exponent, where that is normal.
  Value power(Value exponent) {
    Value biased = arith::AddIOp::create(b, exponent, integer(1023));
    return fromBits(arith::ShLIOp::create(b, biased, integer(52)));
  }
  /// The sum of coefficient(i) x^i for i up to `degree`.
  template <typename Coefficient>
  Value polynomial(Value x, int degree, Coefficient coefficient) {
    Value sum = constant(coefficient(degree));
    for (int i = degree; i-- > 0;)
      sum = fma(sum, x, constant(coefficient(i)));
    return sum;
  }

  ImplicitLocOpBuilder b;
};

double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i)
    product *= i;
  return product;
}

} // namespace

/// x = k ln 2 + r with |r| <= ln 2 / 2.
Value Functions::exp(Value x) {
  // Beyond, the result is the same; NaN is put back below.
  Value low = constant(-746.0), high = constant(710.0);
  Value clamped = select(is(arith::CmpFPredicate::OGT, x, low), x, low);
  clamped = select(is(arith::CmpFPredicate::OLT, clamped, high), clamped, high);
  Value k = math::RoundEvenOp::create(
      b, mul(clamped, constant(llvm::numbers::log2e)));
  Value r = fma(k, constant(-kLn2High), clamped);
  r = fma(k, constant(-kLn2Low), r);
  Value series = polynomial(r, 13, [](int i) { return 1.0 / factorial(i); });
  // 2^k in two factors: the result may be denormal, or overflow.
  Value exponent = arith::FPToSIOp::create(b, b.getI64Type(), k);
  Value half = arith::ShRSIOp::create(b, exponent, integer(1));
  Value rest = arith::SubIOp::create(b, exponent, half);
  Value result = mul(mul(series, power(half)), power(rest));
  return select(is(arith::CmpFPredicate::UNO, x, x), x, result);
}

/// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and with s = f / (2 + f)
/// log(1 + f) = 2 atanh(s) = f - s (f - (2 s^2 / 3 + 2 s^4 / 5 + ...)).
Value Functions::log(Value x) {
  Value isDenormal = is(arith::CmpFPredicate::OLT, x, constant(0x1p-1022));
  Value normal = select(isDenormal, mul(x, constant(0x1p54)), x);
  Value bits = toBits(normal);
  // The bits of sqrt(1/2): what is added makes the exponent round there.
  Value shifted = arith::SubIOp::create(b, bits, integer(0x3fe6a09e667f3bcd));
  Value exponent = arith::ShRSIOp::create(b, shifted, integer(52));
  Value mantissa = fromBits(arith::SubIOp::create(
      b, bits, arith::ShLIOp::create(b, exponent, integer(52))));
  Value k = arith::SIToFPOp::create(b, b.getF64Type(), exponent);
  k = select(isDenormal, sub(k, constant(54.0)), k);
  Value f = sub(mantissa, constant(1.0));
  Value s = div(f, add(f, constant(2.0)));
  Value square = mul(s, s);
  Value tail = mul(
      square, polynomial(square, 9, [](int i) { return 2.0 / (2 * i + 3); }));
  // k ln 2 + f - s (f - tail), small terms first.
  Value small =
      fma(k, constant(kLn2Low), arith::NegFOp::create(b, mul(s, sub(f, tail))));
  Value result = fma(k, constant(kLn2High), add(f, small));
  Value zero = constant(0.0), infinity = constant(kInfinity);
  result = select(is(arith::CmpFPredicate::OEQ, x, infinity), infinity, result);
  result = select(is(arith::CmpFPredicate::OEQ, x, zero), constant(-kInfinity),
                  result);
  return select(is(arith::CmpFPredicate::UGE, x, zero),
                select(is(arith::CmpFPredicate::UNO, x, x), x, result),
                constant(kNaN));
}

/// With e = exp(2 |x|) - 1 it is e / (e + 2); e is a series where x is small.
Value Functions::tanh(Value x) {
  Value twice = mul(abs(x), constant(2.0)), one = constant(1.0);
  // From there on the series would need more terms.
  Value isSmall = is(arith::CmpFPredicate::OLT, twice, one);
  Value bounded = select(isSmall, twice, one);
  Value e = mul(bounded, polynomial(bounded, 18, [](int i) {
                  return 1.0 / factorial(i + 1);
                }));
  Value small = div(e, add(e, constant(2.0)));
  Value large = sub(one, div(constant(2.0), add(exp(twice), one)));
  return math::CopySignOp::create(b, select(isSmall, small, large), x);
}

/// The power series below 1, and 1 - erfc(x) above.
Value Functions::erf(Value x) {
  Value magnitude = abs(x), one = constant(1.0);
  Value isSmall = is(arith::CmpFPredicate::OLT, magnitude, one);
  Value low = select(isSmall, magnitude, one);
  Value small = mul(low, polynomial(mul(low, low), 18, [](int i) {
                      return (i % 2 ? -2.0 : 2.0) * llvm::numbers::inv_sqrtpi /
                             (factorial(i) * (2 * i + 1));
                    }));
  // NaN stays: it is neither below 1 nor above 6.
  Value six = constant(6.0);
  Value high = select(isSmall, one, magnitude);
  high = select(is(arith::CmpFPredicate::OGT, high, six), six, high);
  Value at = add(div(constant(14.4), add(high, constant(3.0))), constant(-2.6));
  Value scaled = polynomial(at, std::size(kScaledErfc) - 1,
                            [](int i) { return kScaledErfc[i]; });
  Value square = arith::NegFOp::create(b, mul(high, high));
  Value large = sub(one, mul(scaled, exp(square)));
  return math::CopySignOp::create(b, select(isSmall, small, large), x);
}

namespace {

template <typename Op, Value (Functions::*function)(Value)>
struct ExpandFunction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return failure();
    Functions functions(rewriter, op.getLoc());
    rewriter.replaceOp(op, (functions.*function)(op.getOperand()));
    return success();
  }
};

} // namespace

void pit::populateDoublePrecisionMath(RewritePatternSet &patterns) {
  patterns.add<ExpandFunction<math::ExpOp, &Functions::exp>,
               ExpandFunction<math::LogOp, &Functions::log>,
               ExpandFunction<math::TanhOp, &Functions::tanh>,
               ExpandFunction<math::ErfOp, &Functions::erf>>(
      patterns.getContext());
}
