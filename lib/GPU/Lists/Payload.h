//===- Payload.h - What a structured op does with scalars -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_LISTS_PAYLOAD_H
#define PIT_LIB_GPU_LISTS_PAYLOAD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::sums {

/// Whether the payload of the op is arithmetic on its arguments and constants
/// alone, that a thread can do for itself.
bool isArithmetic(linalg::LinalgOp op);

/// Emits the payload for `arguments`; returns what it yields.
Value emitPayload(OpBuilder &builder, linalg::LinalgOp op,
                  ValueRange arguments);

/// Whether elements of the type can be loaded and stored by a kernel.
bool isElement(Type type);

/// Whether the one op of the block that does anything is `op`, the rest being
/// views and constants that it does not use.
bool isOnlyOp(linalg::LinalgOp op, Block &block);

} // namespace mlir::pit::sums

#endif // PIT_LIB_GPU_LISTS_PAYLOAD_H
