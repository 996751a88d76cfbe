//===- DoublePrecisionMath.h - Functions of f64 as arithmetic ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_DOUBLEPRECISIONMATH_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_DOUBLEPRECISIONMATH_H

namespace mlir {
class RewritePatternSet;
namespace pit {

/// Patterns for `exp`, `log`, `tanh` and `erf` of f64, of at most 4 units in
/// the last place.
void populateDoublePrecisionMath(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_DOUBLEPRECISIONMATH_H
