//===- CollapseProducts.h - Several axes of products as one -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_COLLAPSEPRODUCTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_COLLAPSEPRODUCTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// Makes one axis of each kind of a product, as kernels take them, and of those
/// of elementwise ops behind it: [b, h, m, k] times [b, h, k, n] becomes a
/// product of one batch axis of extent b * h. Operands that do not have axes of
/// a kind side by side, in the same order, are copied. Takes products on
/// tensors in the function's own block whose element types `isMultiplied`
/// accepts. Fails if the rewrite patterns do not converge.
LogicalResult collapseAxes(func::FuncOp function,
                           function_ref<bool(Type)> isMultiplied);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_COLLAPSEPRODUCTS_H
