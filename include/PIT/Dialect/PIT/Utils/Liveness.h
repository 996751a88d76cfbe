//===- Liveness.h - What makes a point live ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_LIVENESS_H
#define PIT_DIALECT_PIT_UTILS_LIVENESS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether an index lists no row of the pattern's first dimension twice: single
/// rows as coordinates, of which at most one point each is live. Detection
/// reports a row with more.
bool listsRowsOnce(PatternAttr pattern, SparseIndexType type);

/// Whether an element of the tensor that a pattern is read from is live
/// (values, routing), or its own bit (mask, blocks).
Value createIsLive(OpBuilder &builder, Location loc, PatternAttr pattern,
                   Value element);

/// Whether `position` lies inside a sequence of `length` out of `extent`, all
/// of them of type index.
Value createIsInside(OpBuilder &builder, Location loc, Padding pad,
                     Value position, Value length, Value extent);

/// The pattern as an `i1` tensor of the pattern space's extents, or null for
/// blocks, which have no bit per point. `source` is the tensor that the pattern
/// is read from: the marked one for values, `by` otherwise. A point of a values
/// pattern is live when any element behind it is.
Value createPatternMask(OpBuilder &builder, Location loc, PatternAttr pattern,
                        Value source, ArrayRef<OpFoldResult> extents);

/// ORs an `i1` tensor over all of its dimensions but `kept`, which are
/// ascending.
Value createAnyOf(OpBuilder &builder, Location loc, Value mask,
                  ArrayRef<int64_t> kept);

/// `mask`, with every line along `dims` that has no live point made live as a
/// whole.
Value createCompletedMask(OpBuilder &builder, Location loc, Value mask,
                          ArrayRef<int64_t> dims);

/// `lengths`, with those of empty sequences replaced by `extent`, of type
/// index.
Value createCompletedLengths(OpBuilder &builder, Location loc, Value lengths,
                             Value extent);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_LIVENESS_H
