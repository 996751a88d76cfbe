//===- WidenedMath.h - Functions of small floats through f64 ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_WIDENEDMATH_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_WIDENEDMATH_H

namespace mlir {
class RewritePatternSet;
namespace pit {

/// Patterns for `sinh`, `cosh`, `asinh`, `acosh`, `atanh`, `exp2` and `powf` of
/// f32 and smaller floats: computed in f64 by its `exp` and `log`, whose
/// cancellation and scaled errors stay below what rounding to f32 keeps. Those
/// of f64 have no code.
void populateWidenedMath(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_WIDENEDMATH_H
