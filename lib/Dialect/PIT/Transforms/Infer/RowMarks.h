//===- RowMarks.h - Marks that are inferred ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ROWMARKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ROWMARKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Dimensions with more than one place.
SmallVector<int64_t> getWideDims(Value value);

/// A tensor of truth values without the dimensions of extent 1, as a mark reads
/// it; `kept` are the others.
Value dropUnitDims(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> kept);

/// A mark of elements that are zero where `by` is not true, or where `value` is
/// zero if that is null. It lies along `dims`, and a row has `atMost` of them,
/// or any number if that is 0.
SparseOp createInferredMark(OpBuilder &builder, Value value, Value by,
                            PatternKind kind, ArrayRef<int64_t> dims,
                            int64_t atMost);

/// Marks along all wide dimensions. With a bound, all but the last are one for
/// the mark, as rows of experts are; of one dimension, a bound says nothing.
/// Returns what is marked, with the value's own dimensions.
Value markRows(OpBuilder &builder, Value value, Value by, int64_t atMost);

/// Replaces a value by what was made of it in all ops behind that.
void replaceBehind(Value value, Value made);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ROWMARKS_H
