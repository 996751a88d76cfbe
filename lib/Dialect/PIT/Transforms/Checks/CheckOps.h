//===- CheckOps.h - Ops that no pipeline takes ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKOPS_H
#define PIT_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Reports what no pass can compile: numbers that are known and outside of
/// their tensors, constants without data, types that have no arithmetic. Passes
/// from elsewhere fail on them later, with words of their own or without any.
LogicalResult checkOp(Operation *op);

/// Removes what an op says of memory, a layout or a memory space, and warns
/// that it has no effect: both are the compiler's to choose.
void dropPlaces(Operation *op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKOPS_H
