//===- Conversions.h - 8-bit floats from and to wider ones ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_SMALLFLOATS_CONVERSIONS_H
#define PIT_CONVERSION_SMALLFLOATS_CONVERSIONS_H

#include "FloatFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir::pit {

/// The value of an 8-bit float as f32, which holds all of them exactly. NaN
/// becomes the quiet NaN of the same sign. `value` and the result are scalars
/// or vectors of the same shape.
Value createExtension(OpBuilder &builder, Location loc,
                      const FloatFormat &format, Value value);

/// `value`, of f32 or f64 or vectors of these, rounded to the nearest value of
/// `type`, ties to even, with its sign; subnormals are rounded to as well. This
/// rounds once, as APFloat::convert does.
Value createRounding(OpBuilder &builder, Location loc,
                     const FloatFormat &format, Value value, Type type);

} // namespace mlir::pit

#endif // PIT_CONVERSION_SMALLFLOATS_CONVERSIONS_H
