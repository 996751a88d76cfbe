//===- FormScans.h - Sums under triangles as running sums -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_FORMSCANS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_FORMSCANS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Brings running sums to the form that `Scan::match` knows. They are written
/// as reductions under a triangle: a product with a tensor of ones on one side
/// of the diagonal, or a choice by one of truth values. The comparison of
/// positions moves into the body, and the tensor is gone. Products of integers
/// with 0 or 1 become choices; those of floats stay, as inf times 0 is not 0.
void formScans(Operation *root);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_FORMSCANS_H
