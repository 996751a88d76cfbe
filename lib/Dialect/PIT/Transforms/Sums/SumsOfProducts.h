//===- SumsOfProducts.h - Ops that add up products --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSOFPRODUCTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSOFPRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Whether the op, on tensors, adds products of floats of its two inputs to its
/// output, which is added to as it is and may be by nothing else: what it
/// starts from is then a summand as any other. Not of an op that opts out.
bool addsUpProducts(linalg::GenericOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSOFPRODUCTS_H
