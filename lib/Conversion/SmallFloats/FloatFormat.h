//===- FloatFormat.h - Layout of 8-bit floats -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_SMALLFLOATS_FLOATFORMAT_H
#define PIT_CONVERSION_SMALLFLOATS_FLOATFORMAT_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>

namespace mlir::pit {

/// A float of 8 bits: a sign, an exponent and a mantissa, with signed zeros
/// and subnormals. A code is such a number's bits without the sign. Codes are
/// in the order of the magnitudes that they stand for.
struct FloatFormat {
  unsigned mantissaBits;
  /// Of the smallest normal number, as a power of two.
  int minExponent;
  /// The code of the largest finite number.
  int64_t largest;
  /// What infinity and what is rounded to more than the largest become:
  /// infinity, or NaN in formats without infinities.
  int64_t overflow;
  int64_t nan;
  bool hasInfinity;

  /// The format of an 8-bit type whose conversions are expanded; none for all
  /// other types.
  static std::optional<FloatFormat> get(Type type);

  /// The types that have a format.
  static SmallVector<Type> getTypes(MLIRContext *context);
};

} // namespace mlir::pit

#endif // PIT_CONVERSION_SMALLFLOATS_FLOATFORMAT_H
