//===- IndexExtents.h - Extents of the pattern space of an index ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXES_INDEXEXTENTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXES_INDEXEXTENTS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// The extents of the pattern space of an index of type `type`, in elements.
/// `index` is the index itself or its `!pit.index_buffer`.
SmallVector<OpFoldResult> getIndexExtents(OpBuilder &builder, Location loc,
                                          SparseIndexType type, Value index);

/// Small expressions over OpFoldResults, folded where they are constant.
class ExtentMath {
public:
  ExtentMath(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands);
  OpFoldResult ceilDiv(OpFoldResult a, int64_t b);
  OpFoldResult mul(OpFoldResult a, OpFoldResult b);
  OpFoldResult add(OpFoldResult a, OpFoldResult b);
  OpFoldResult sub(OpFoldResult a, OpFoldResult b);
  OpFoldResult min(OpFoldResult a, OpFoldResult b);
  Value value(OpFoldResult a);

private:
  AffineExpr symbol(unsigned i) { return builder.getAffineSymbolExpr(i); }

  OpBuilder &builder;
  Location loc;
};

/// Where the micro-tiles of one segment lie: per segment dimension of the
/// index, ascending, the offset and the size in elements, cut at the end of the
/// pattern space.
struct SegmentSlice {
  SmallVector<OpFoldResult> offsets, sizes;
};
SegmentSlice createSegmentSlice(OpBuilder &builder, Location loc,
                                SparseIndexType type,
                                ArrayRef<OpFoldResult> extents, Value segment);

/// The number of segments.
OpFoldResult createNumSegments(OpBuilder &builder, Location loc,
                               SparseIndexType type,
                               ArrayRef<OpFoldResult> extents);

/// How many micro-tiles an index of the pattern has room for.
OpFoldResult createCapacity(OpBuilder &builder, Location loc,
                            PatternAttr pattern, SparseIndexType type,
                            ArrayRef<OpFoldResult> extents);

/// `for i in begin .. end`, its body built inside the loop: composing affine
/// maps needs to see the ops around it, which the body callbacks of scf.for do
/// not offer. `body` returns what the next iteration carries.
SmallVector<Value>
createLoop(OpBuilder &builder, Location loc, Value begin, Value end, Value step,
           ValueRange inits,
           function_ref<SmallVector<Value>(Value, ValueRange)> body);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_INDEXEXTENTS_H
