//===- LowerSparse.h - What marks mean, densely -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKS_LOWERSPARSE_H
#define PIT_DIALECT_PIT_TRANSFORMS_MARKS_LOWERSPARSE_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Creates the tensor that a mark by anything but values stands for: its
/// source, with the absent value in place of what is dead. `undefFill` is what
/// undef elements hold.
Value lowerMark(OpBuilder &builder, SparseOp mark, double undefFill = 0);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKS_LOWERSPARSE_H
