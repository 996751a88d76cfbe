//===- Number.cpp - Values and how far they are promised ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

thread_local bool Scalar::allAreDouble = false;

Scalar Scalar::of(Type type) {
  Scalar scalar;
  if (allAreDouble && isa<FloatType>(type))
    scalar = {Float, 64, 52, -1022, 1023};
  else if (type.isF16())
    scalar = {Float, 16, 10, -14, 15};
  else if (type.isBF16())
    scalar = {Float, 16, 7, -126, 127};
  else if (type.isF64())
    scalar = {Float, 64, 52, -1022, 1023};
  else if (!type.isF32())
    scalar = {Integer, type.isIndex() ? 64 : type.getIntOrFloatBitWidth()};
  return scalar;
}

double Scalar::round(double value) const {
  if (mantissa == 52 || !std::isfinite(value) || value == 0)
    return value;
  if (mantissa == 23)
    return double(float(value));
  double rounded = std::nearbyint(value / ulp(value)) * ulp(value);
  if (std::fabs(rounded) >= std::ldexp(1.0, maxExponent + 1))
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

double Scalar::ulp(double value) const {
  int exponent = minExponent;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(std::ilogb(value), minExponent);
  return std::ldexp(1.0, exponent - mantissa);
}

int64_t Scalar::wrap(int64_t value) const {
  if (width >= 64)
    return value;
  // i1 is signed here, too: true is -1.
  unsigned shift = 64 - width;
  return int64_t(uint64_t(value) << shift) >> shift;
}

uint64_t Scalar::zeroExtend(int64_t value) const {
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}
