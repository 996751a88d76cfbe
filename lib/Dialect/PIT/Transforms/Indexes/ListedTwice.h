//===- ListedTwice.h - Rows that are listed more than once ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXES_LISTEDTWICE_H
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXES_LISTEDTWICE_H

#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// Whether a number is among the first `count` of the list `coords` twice, i1.
/// All are below `numRows`.
Value createIsListedTwice(OpBuilder &builder, Location loc, Value coords,
                          Value count, OpFoldResult numRows);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_LISTEDTWICE_H
