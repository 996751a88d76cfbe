//===- ApproximateFunctions.h - By special instructions ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_APPROXIMATEFUNCTIONS_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_APPROXIMATEFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// Functions of f32 by the instructions that approximate them, with errors of
/// about 2^-22, for ops that allow it (`afn`). Code is put in front of an op.
class ApproximateFunctions {
public:
  explicit ApproximateFunctions(Operation *op) : b(op->getLoc(), op) {}

  Value exp(Value x);
  Value exp2(Value x);
  Value rsqrt(Value x);
  Value erf(Value x);
  /// The relative error is at most 1e-6.
  Value tanh(Value x);
  /// x / 2 (1 + erf(scale x)) for a scale between 1/16 and 16, to be rounded to
  /// some significant bits: with 24, the absolute error is at most 2e-7 / scale
  /// (3e-7 of a GELU); with fewer, the relative one a fifth of half a unit in
  /// the last place, as long as the result's magnitude is above 1e-8. NaN gives
  /// NaN, infinities the limits.
  Value gelu(Value x, double scale, unsigned significantBits);

private:
  Value call(StringRef name, ValueRange arguments);
  Value constant(double value);
  Value mul(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value complementOfErf(Value x, ArrayRef<double> coefficients, double scale,
                        double factorLog2);

  ImplicitLocOpBuilder b;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_APPROXIMATEFUNCTIONS_H
