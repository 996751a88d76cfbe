//===- Products.h - Products and the sums over them -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction may be written as a product of two tensors that are broadcast,
// and a sum over it: `(a[:, :, None] * b[None, :, :]).sum(1)`. The product has
// more elements than both together, so they become one op. Where a factor needs
// fewer axes than the sum does, it is computed by itself.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PRODUCTS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Whether fusing an operand's producer makes a contraction of a product that
/// is broadcast and the sum over it.
bool formsContraction(OpOperand &fused);

/// Whether the op is such a product, of which nobody reads anything but the
/// sum. What its factors are computed of stays apart, so that a contraction of
/// two tensors remains.
bool feedsContraction(linalg::LinalgOp op);

/// Takes products that do not need all axes out of sums. Ops with the attribute
/// `optOut` stay as they are.
void populateHoistProductsPatterns(RewritePatternSet &patterns,
                                   StringRef optOut);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PRODUCTS_H
