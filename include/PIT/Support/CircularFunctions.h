//===- CircularFunctions.h - sin, cos and atan of f32 -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_CIRCULARFUNCTIONS_H
#define PIT_SUPPORT_CIRCULARFUNCTIONS_H

namespace mlir {
class RewritePatternSet;
namespace pit {

/// Patterns for `sin`, `cos` and `atan` of f32 and of vectors of it, in front
/// of upstream's polynomials. Those reduce arguments in f32, so that a sine of
/// 10^4 is off by 10^-3, and their `atan` has 18 bits.
///
/// These are right to two units in the last place; sines and cosines up to
/// |x| = 2^28, behind which they lose digits.
void populateCircularFunctions(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_SUPPORT_CIRCULARFUNCTIONS_H
