//===- FloatFormat.cpp - Layout of 8-bit floats ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::pit;
using llvm::APFloat;

/// One line a type. Types without signed zeros (FNUZ) or without a mantissa
/// (E8M0) are not of this kind.
SmallVector<Type> FloatFormat::getTypes(MLIRContext *context) {
  return {
      Float8E4M3FNType::get(context),
      Float8E5M2Type::get(context),
      Float8E4M3Type::get(context),
      Float8E3M4Type::get(context),
  };
}

static int64_t getCode(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue() & 0x7f;
}

/// The code of what a value of f32 is rounded to.
static int64_t getCode(APFloat value, const llvm::fltSemantics &semantics) {
  bool losesInfo;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return getCode(value);
}

std::optional<FloatFormat> FloatFormat::get(Type type) {
  if (!llvm::is_contained(getTypes(type.getContext()), type))
    return std::nullopt;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  FloatFormat format;
  format.mantissaBits = APFloat::semanticsPrecision(semantics) - 1;
  format.minExponent = APFloat::semanticsMinExponent(semantics);
  format.largest = getCode(APFloat::getLargest(semantics));
  format.overflow = getCode(APFloat::getInf(APFloat::IEEEsingle()), semantics);
  format.nan = getCode(APFloat::getQNaN(APFloat::IEEEsingle()), semantics);
  format.hasInfinity = APFloat::semanticsHasInf(semantics);
  return format;
}
