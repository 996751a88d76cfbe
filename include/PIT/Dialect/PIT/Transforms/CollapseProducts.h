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

/// Makes one axis of several axes of batches, of each product on tensors in the
/// function's own block whose inputs and result have them side by side in the
/// same order, and of elementwise ops behind it. Only of inputs whose elements
/// `isMultiplied` accepts, [b, h, m, k] and [b, h, k, n] for instance. Fails
/// where patterns do not converge.
LogicalResult collapseBatches(func::FuncOp function,
                              function_ref<bool(Type)> isMultiplied);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_COLLAPSEPRODUCTS_H
