//===- GaussianUnits.h - x / 2 (1 + erf(c x)) -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gaussian error linear units (Hendrycks and Gimpel, 2016), as models write
// them. With erf alone, half of the steps are spent on signs, sums and scales:
//
//   x / 2 (1 + erf(c x)) = max(x, 0) - |x| / 2 (1 - erf(c |x|))
//
// needs one polynomial, one function of two, and one more product and sum; nor
// does it lose digits where x is negative. What is rounded to 16 bits behind
// takes a shorter polynomial.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_GAUSSIANUNITS_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_GAUSSIANUNITS_H

namespace mlir {
class Operation;
namespace pit {

/// Replaces all units of f32 inside an op whose erf allows an approximation.
void replaceGaussianUnits(Operation *op);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_GAUSSIANUNITS_H
