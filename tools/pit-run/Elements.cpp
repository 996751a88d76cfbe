//===- Elements.cpp - Element types and values as doubles -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace pit::run;

template <typename T> static T loadAs(const void *data, int64_t i) {
  return static_cast<const T *>(data)[i];
}

namespace {
/// A floating-point format: a sign, an exponent, a mantissa.
struct Format {
  int bits, mantissaBits, minExponent;
  /// Whether the greatest exponent is that of infinity and NaN, as IEEE 754 has
  /// it. Otherwise there is no infinity, and NaN is all ones alone.
  bool isIEEE = true;

  int getSign() const { return 1 << (bits - 1); }
  int getInfinity() const {
    return isIEEE ? (getSign() - 1) >> mantissaBits << mantissaBits
                  : getSign() - 1;
  }
  int getNaN() const {
    return isIEEE ? getInfinity() | 1 << (mantissaBits - 1) : getInfinity();
  }
};
} // namespace

/// Those that C++ has no type for; null for others.
static const Format *findShortFormat(pit_dtype dtype) {
  static constexpr Format kF16{16, 10, -14}, kBF16{16, 7, -126},
      kF8E4M3FN{8, 3, -6, /*isIEEE=*/false}, kF8E5M2{8, 2, -14};
  switch (dtype) {
  case PIT_DTYPE_F16:
    return &kF16;
  case PIT_DTYPE_BF16:
    return &kBF16;
  case PIT_DTYPE_F8E4M3FN:
    return &kF8E4M3FN;
  case PIT_DTYPE_F8E5M2:
    return &kF8E5M2;
  default:
    return nullptr;
  }
}

bool pit::run::isFloat(pit_dtype dtype) {
  return findShortFormat(dtype) || dtype == PIT_DTYPE_F32 ||
         dtype == PIT_DTYPE_F64;
}

static double expand(const Format &format, int bits) {
  int magnitude = bits & (format.getSign() - 1);
  int exponent = magnitude >> format.mantissaBits;
  int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
  double value;
  if (magnitude > format.getInfinity() || magnitude == format.getNaN())
    value = NAN;
  else if (magnitude == format.getInfinity())
    value = INFINITY;
  else if (exponent == 0)
    value = std::ldexp(mantissa, format.minExponent - format.mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << format.mantissaBits),
                       exponent - 1 + format.minExponent - format.mantissaBits);
  return bits & format.getSign() ? -value : value;
}

/// Rounds to the nearest, ties to even. What is too large becomes infinity, or
/// NaN where there is none.
static int compress(const Format &format, double value) {
  int sign = std::signbit(value) ? format.getSign() : 0;
  if (std::isnan(value))
    return sign | format.getNaN();
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return sign | format.getInfinity();
  if (magnitude == 0)
    return sign;
  int exponent = std::max(std::ilogb(magnitude), format.minExponent);
  // Beyond every format's greatest exponent.
  if (exponent > 2 - format.minExponent)
    return sign | format.getInfinity();
  double scaled = std::ldexp(magnitude, format.mantissaBits - exponent);
  // The leading bit of the mantissa counts the exponent up by one.
  int bits = ((exponent - format.minExponent) << format.mantissaBits) +
             int(std::nearbyint(scaled));
  return sign | std::min(bits, format.getInfinity());
}

double pit::run::load(pit_dtype dtype, const void *data, int64_t i) {
  if (const Format *format = findShortFormat(dtype))
    return expand(*format, format->bits == 8 ? loadAs<uint8_t>(data, i)
                                             : loadAs<uint16_t>(data, i));
  switch (dtype) {
  case PIT_DTYPE_F32:
    return loadAs<float>(data, i);
  case PIT_DTYPE_F64:
    return loadAs<double>(data, i);
  case PIT_DTYPE_I1:
    return loadAs<uint8_t>(data, i) != 0;
  case PIT_DTYPE_I8:
    return loadAs<int8_t>(data, i);
  case PIT_DTYPE_I16:
    return loadAs<int16_t>(data, i);
  case PIT_DTYPE_I32:
    return loadAs<int32_t>(data, i);
  case PIT_DTYPE_I64:
    return double(loadAs<int64_t>(data, i));
  default:
    return 0;
  }
}

void pit::run::store(pit_dtype dtype, void *data, int64_t i, double value) {
  if (const Format *format = findShortFormat(dtype)) {
    int bits = compress(*format, value);
    if (format->bits == 8)
      static_cast<uint8_t *>(data)[i] = uint8_t(bits);
    else
      static_cast<uint16_t *>(data)[i] = uint16_t(bits);
    return;
  }
  switch (dtype) {
  case PIT_DTYPE_F32:
    static_cast<float *>(data)[i] = float(value);
    return;
  case PIT_DTYPE_F64:
    static_cast<double *>(data)[i] = value;
    return;
  case PIT_DTYPE_I1:
    static_cast<uint8_t *>(data)[i] = value != 0;
    return;
  case PIT_DTYPE_I8:
    static_cast<int8_t *>(data)[i] = int8_t(value);
    return;
  case PIT_DTYPE_I16:
    static_cast<int16_t *>(data)[i] = int16_t(value);
    return;
  case PIT_DTYPE_I32:
    static_cast<int32_t *>(data)[i] = int32_t(value);
    return;
  case PIT_DTYPE_I64:
    static_cast<int64_t *>(data)[i] = int64_t(value);
    return;
  default:
    return;
  }
}

bool pit::run::sameElement(pit_dtype dtype, const void *a, const void *b,
                           int64_t i) {
  size_t size = pit_dtype_size(dtype);
  size_t at = size_t(i) * size;
  if (std::memcmp(static_cast<const char *>(a) + at,
                  static_cast<const char *>(b) + at, size) == 0)
    return true;
  if (!isFloat(dtype))
    return false;
  double x = load(dtype, a, i), y = load(dtype, b, i);
  return x == y || (std::isnan(x) && std::isnan(y));
}

double pit::run::ulp(pit_dtype dtype, double value) {
  int mantissa, minimum;
  if (const Format *format = findShortFormat(dtype))
    mantissa = format->mantissaBits, minimum = format->minExponent;
  else if (dtype == PIT_DTYPE_F32)
    mantissa = 23, minimum = -126;
  else if (dtype == PIT_DTYPE_F64)
    mantissa = 52, minimum = -1022;
  else
    return 0;
  int exponent = minimum;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(std::ilogb(value), minimum);
  return std::ldexp(1.0, exponent - mantissa);
}
