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

bool pit::run::isFloat(pit_dtype dtype) {
  return dtype == PIT_DTYPE_F16 || dtype == PIT_DTYPE_BF16 ||
         dtype == PIT_DTYPE_F32 || dtype == PIT_DTYPE_F64;
}

template <typename T> static T loadAs(const void *data, int64_t i) {
  return static_cast<const T *>(data)[i];
}

namespace {
/// A floating-point format of 16 bits.
struct Format {
  int mantissaBits, minExponent;
};
} // namespace

static Format formatOf(pit_dtype dtype) {
  return dtype == PIT_DTYPE_F16 ? Format{10, -14} : Format{7, -126};
}

static double expand(Format format, uint16_t bits) {
  int exponent = (bits & 0x7fff) >> format.mantissaBits;
  int mantissa = bits & ((1 << format.mantissaBits) - 1);
  int special = 0x7fff >> format.mantissaBits;
  double value;
  if (exponent == special)
    value = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(mantissa, format.minExponent - format.mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << format.mantissaBits),
                       exponent - 1 + format.minExponent - format.mantissaBits);
  return bits & 0x8000 ? -value : value;
}

/// Rounds to the nearest, ties to even.
static uint16_t compress(Format format, double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  int infinity = (0x7fff >> format.mantissaBits) << format.mantissaBits;
  if (std::isnan(value))
    return uint16_t(sign | infinity | (1 << (format.mantissaBits - 1)));
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return uint16_t(sign | infinity);
  if (magnitude == 0)
    return sign;
  int exponent = std::max(std::ilogb(magnitude), format.minExponent);
  // Below 2^128, or infinite anyway.
  if (exponent > 1 - format.minExponent)
    return uint16_t(sign | infinity);
  double scaled = std::ldexp(magnitude, format.mantissaBits - exponent);
  // The leading bit of the mantissa counts the exponent up by one.
  int bits = ((exponent - format.minExponent) << format.mantissaBits) +
             int(std::nearbyint(scaled));
  return uint16_t(sign | std::min(bits, infinity));
}

double pit::run::load(pit_dtype dtype, const void *data, int64_t i) {
  switch (dtype) {
  case PIT_DTYPE_F16:
  case PIT_DTYPE_BF16:
    return expand(formatOf(dtype), loadAs<uint16_t>(data, i));
  case PIT_DTYPE_F32:
    return loadAs<float>(data, i);
  case PIT_DTYPE_F64:
    return loadAs<double>(data, i);
  case PIT_DTYPE_I1:
    return loadAs<uint8_t>(data, i) != 0;
  case PIT_DTYPE_I8:
    return loadAs<int8_t>(data, i);
  case PIT_DTYPE_I32:
    return loadAs<int32_t>(data, i);
  case PIT_DTYPE_I64:
    return double(loadAs<int64_t>(data, i));
  case PIT_DTYPE_INVALID:
    break;
  }
  return 0;
}

void pit::run::store(pit_dtype dtype, void *data, int64_t i, double value) {
  switch (dtype) {
  case PIT_DTYPE_F16:
  case PIT_DTYPE_BF16:
    static_cast<uint16_t *>(data)[i] = compress(formatOf(dtype), value);
    return;
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
  case PIT_DTYPE_I32:
    static_cast<int32_t *>(data)[i] = int32_t(value);
    return;
  case PIT_DTYPE_I64:
    static_cast<int64_t *>(data)[i] = int64_t(value);
    return;
  case PIT_DTYPE_INVALID:
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
  switch (dtype) {
  case PIT_DTYPE_F16:
    mantissa = 10, minimum = -14;
    break;
  case PIT_DTYPE_BF16:
    mantissa = 7, minimum = -126;
    break;
  case PIT_DTYPE_F32:
    mantissa = 23, minimum = -126;
    break;
  case PIT_DTYPE_F64:
    mantissa = 52, minimum = -1022;
    break;
  default:
    return 0;
  }
  int exponent = minimum;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(std::ilogb(value), minimum);
  return std::ldexp(1.0, exponent - mantissa);
}
