//===- Elements.cpp - Element types and values as doubles -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::pit::run;

pit_dtype mlir::pit::run::dtypeOf(Type type) {
  if (type.isF16())
    return PIT_DTYPE_F16;
  if (type.isBF16())
    return PIT_DTYPE_BF16;
  if (type.isF32())
    return PIT_DTYPE_F32;
  if (type.isF64())
    return PIT_DTYPE_F64;
  if (type.isIndex() || type.isSignlessInteger(64))
    return PIT_DTYPE_I64;
  if (type.isSignlessInteger(1))
    return PIT_DTYPE_I1;
  if (type.isSignlessInteger(8))
    return PIT_DTYPE_I8;
  if (type.isSignlessInteger(32))
    return PIT_DTYPE_I32;
  return PIT_DTYPE_INVALID;
}

bool mlir::pit::run::isFloat(pit_dtype dtype) {
  return dtype == PIT_DTYPE_F16 || dtype == PIT_DTYPE_BF16 ||
         dtype == PIT_DTYPE_F32 || dtype == PIT_DTYPE_F64;
}

template <typename T> static T loadAs(const void *data, int64_t i) {
  return static_cast<const T *>(data)[i];
}

static const llvm::fltSemantics &semanticsOf(pit_dtype dtype) {
  return dtype == PIT_DTYPE_F16 ? llvm::APFloat::IEEEhalf()
                                : llvm::APFloat::BFloat();
}

double mlir::pit::run::load(pit_dtype dtype, const void *data, int64_t i) {
  switch (dtype) {
  case PIT_DTYPE_F16: {
    llvm::APFloat value(semanticsOf(dtype),
                        llvm::APInt(16, loadAs<uint16_t>(data, i)));
    return value.convertToDouble();
  }
  case PIT_DTYPE_BF16: {
    uint32_t bits = uint32_t(loadAs<uint16_t>(data, i)) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
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

void mlir::pit::run::store(pit_dtype dtype, void *data, int64_t i,
                           double value) {
  switch (dtype) {
  case PIT_DTYPE_F16:
  case PIT_DTYPE_BF16: {
    llvm::APFloat rounded(value);
    bool lossy;
    rounded.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven,
                    &lossy);
    static_cast<uint16_t *>(data)[i] =
        uint16_t(rounded.bitcastToAPInt().getZExtValue());
    return;
  }
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

bool mlir::pit::run::sameElement(pit_dtype dtype, const void *a, const void *b,
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

double mlir::pit::run::ulp(pit_dtype dtype, double value) {
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
