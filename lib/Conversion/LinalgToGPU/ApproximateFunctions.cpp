//===- ApproximateFunctions.cpp - By special instructions -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApproximateFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

Value ApproximateFunctions::call(StringRef name, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(b, b.getF32Type(), b.getStringAttr(name),
                                       arguments)
      .getResult(0);
}

Value ApproximateFunctions::constant(double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(float(value)));
}

Value ApproximateFunctions::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}

Value ApproximateFunctions::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}

Value ApproximateFunctions::exp2(Value x) {
  return call("llvm.nvvm.ex2.approx.ftz.f", x);
}

Value ApproximateFunctions::exp(Value x) {
  return exp2(mul(x, constant(llvm::numbers::log2e)));
}

Value ApproximateFunctions::rsqrt(Value x) {
  return call("llvm.nvvm.rsqrt.approx.ftz.f", x);
}

// 1 - erf(x) = 2^p(x) for x >= 0, with a polynomial p that is 0 at 0; its
// coefficients are listed from the first power on. Those here were fitted so
// that the greatest error up to 4.2 is least; from there on, p is less than
// -28, and falls until it is less than -127. There is one function that the
// special function unit computes, which is what limits kernels that compute
// many.

/// The absolute error is least: with all that is rounded, at most 1e-7, and
/// 3e-7 if the function of two is off by 2^-22.
static constexpr double kFull[] = {
    -1.62790859,     -9.18416381e-01, -1.48481622e-01, 2.82536857e-02,
    -7.74633489e-04, -1.48944044e-03, 4.45507612e-04,  -4.5358629e-05};
/// The relative error is least: 4.5e-5 and 4e-4.
static constexpr double kOf11Bits[] = {-1.62708047,     -9.21514461e-01,
                                       -1.45695000e-01, 2.91799383e-02,
                                       -3.53880532e-03, 1.90371619e-04};
static constexpr double kOf8Bits[] = {-1.62140968, -9.41106456e-01,
                                      -1.23819795e-01, 1.85604926e-02,
                                      -1.20516731e-03};

/// 2^factorLog2 (1 - erf(scale x)) for x >= 0.
Value ApproximateFunctions::complementOfErf(Value x,
                                            ArrayRef<double> coefficients,
                                            double scale, double factorLog2) {
  SmallVector<double> scaled;
  double power = 1;
  for (double coefficient : coefficients)
    scaled.push_back(coefficient * (power *= scale));
  Value sum = constant(scaled.pop_back_val());
  for (double coefficient : llvm::reverse(scaled))
    sum = fma(sum, x, constant(coefficient));
  return exp2(factorLog2 ? fma(sum, x, constant(factorLog2)) : mul(sum, x));
}

Value ApproximateFunctions::erf(Value x) {
  Value complement = complementOfErf(math::AbsFOp::create(b, x), kFull, 1, 0);
  return math::CopySignOp::create(
      b, arith::SubFOp::create(b, constant(1), complement), x);
}

// 1 - 2 / (1 + exp(2 |x|)), which loses the bits of small x: those have a
// polynomial.
Value ApproximateFunctions::tanh(Value x) {
  constexpr double kSmall = .3;
  // The Taylor series at 0.
  constexpr double kCoefficients[] = {62. / 2835, -17. / 315, 2. / 15, -1. / 3};
  Value size = math::AbsFOp::create(b, x);
  Value power = exp2(mul(size, constant(2 * llvm::numbers::log2e)));
  Value inverse = call("llvm.nvvm.rcp.approx.ftz.f",
                       Value(arith::AddFOp::create(b, power, constant(1))));
  Value large =
      math::CopySignOp::create(b, fma(inverse, constant(-2), constant(1)), x);
  Value square = mul(x, x);
  Value sum = constant(kCoefficients[0]);
  for (double coefficient : ArrayRef(kCoefficients).drop_front())
    sum = fma(sum, square, constant(coefficient));
  Value small = fma(mul(sum, square), x, x);
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, size,
                                        constant(kSmall));
  return arith::SelectOp::create(b, isSmall, small, large);
}

Value ApproximateFunctions::gelu(Value x, double scale,
                                 unsigned significantBits) {
  // By then, all polynomials gave 0, and infinity is not multiplied by that.
  constexpr double kEnd = 11;
  ArrayRef<double> coefficients = kFull;
  if (significantBits <= 11)
    coefficients = kOf11Bits;
  if (significantBits <= 8)
    coefficients = kOf8Bits;
  // The other number if one is NaN.
  Value size = call("llvm.nvvm.fmin.f",
                    {math::AbsFOp::create(b, x), constant(kEnd / scale)});
  Value half = complementOfErf(size, coefficients, scale, -1);
  Value limit = call("llvm.nvvm.fmax.nan.f", {x, constant(0)});
  return fma(arith::NegFOp::create(b, size), half, limit);
}
