//===- ZeroPoints.h - Quantised products with zero points -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_ZEROPOINTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_ZEROPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// Takes zero points out of products of i8 on tensors in the function's body:
///
///   sum of (a - p) * (b - q) =
///       sum of a * b - q * sum of a - p * sum of b + k * p * q
///
/// so that matrix units multiply what is in memory, and the rest is elementwise
/// work of sums along rows of A and columns of B. All is modulo 2^32, and so
/// the same to the bit. (B. Jacob et al., "Quantization and Training of Neural
/// Networks for Efficient Integer-Arithmetic-Only Inference", 2018, 2.3.)
/// Returns how many there are.
unsigned separateZeroPoints(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_ZEROPOINTS_H
