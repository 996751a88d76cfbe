//===- CausalMask.h - Masks of what comes later -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_CAUSALMASK_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_CAUSALMASK_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether a value of the op's region is 0 where the number of axis `row` is
/// that of axis `column` or larger, and -inf elsewhere: an operand that is such
/// a matrix, or a select by operands that hold 0, 1, 2, ...
bool isCausalMask(Value value, GenericOp op, unsigned row, unsigned column);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_CAUSALMASK_H
