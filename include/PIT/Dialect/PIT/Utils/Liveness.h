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

/// Whether an index lists each row of the pattern's first dimension once at
/// most. This holds if coordinates are single rows, and the pattern has at most
/// one live point a row. Detection reports rows with more.
bool listsRowsOnce(PatternAttr pattern, SparseIndexType type);

/// Creates an `i1`: whether an element of the pattern's source is live. For
/// values and routing it is compared; for masks and blocks it is the bit
/// itself.
Value createIsLive(OpBuilder &builder, Location loc, PatternAttr pattern,
                   Value element);

/// Creates an `i1` tensor: where elements of `source`, which are integers,
/// indices or floats, are not 0. NaN is not. Of a constant it is a constant.
Value createNonZero(OpBuilder &builder, Location loc, Value source);

/// Creates an `i1`: whether `position` lies inside a sequence of `length`,
/// which is padded to `extent`. All three have type index.
Value createIsInside(OpBuilder &builder, Location loc, Padding pad,
                     Value position, Value length, Value extent);

/// Creates the pattern as an `i1` tensor with the extents of the pattern space.
/// Null for blocks, which have no bit per point. `source` is the tensor that
/// the pattern is read from: the marked one for values, `by` otherwise. A point
/// of a values pattern is live if any element along the other dimensions is.
Value createPatternMask(OpBuilder &builder, Location loc, PatternAttr pattern,
                        Value source, ArrayRef<OpFoldResult> extents);

/// Creates the OR of an `i1` tensor over all dimensions except `kept`, which
/// are ascending.
Value createAnyOf(OpBuilder &builder, Location loc, Value mask,
                  ArrayRef<int64_t> kept);

/// Creates `mask` where `other` is true as well; dimension `i` of the latter is
/// dimension `dims[i]` of the former.
Value createMaskWithin(OpBuilder &builder, Location loc, Value mask,
                       Value other, ArrayRef<int64_t> dims);

/// Creates where one of two masks of the same space is true.
Value createUnitedMask(OpBuilder &builder, Location loc, Value mask,
                       Value other);

/// Creates `mask` in a larger space, with so many places in front along each
/// dimension: false around.
Value createPaddedMask(OpBuilder &builder, Location loc, Value mask,
                       ArrayRef<OpFoldResult> extents,
                       ArrayRef<int64_t> before);

/// Creates `mask` in rows of these extents, of which one at most is dynamic:
/// the same points in the same order.
Value createReshapedMask(OpBuilder &builder, Location loc, Value mask,
                         ArrayRef<int64_t> extents);

/// Creates `mask` with all points of a line along `dims` live if the line has
/// no live point.
Value createCompletedMask(OpBuilder &builder, Location loc, Value mask,
                          ArrayRef<int64_t> dims);

/// A mask with more dimensions than another one, whose dimension `i` is
/// dimension `dims[i]` here. Of its lines only those count that are live in
/// `read`, whose dimension `i` is dimension `readDims[i]`; all, where that is
/// null.
struct NarrowerMask {
  Value mask;
  ArrayRef<int64_t> dims;
  Value read;
  ArrayRef<int64_t> readDims;
};

/// The same where a line of a narrower mask that lies in this one has no live
/// point.
Value createCompletedMask(OpBuilder &builder, Location loc, Value mask,
                          ArrayRef<int64_t> dims, const NarrowerMask &narrower);

/// Creates `lengths` with 0 replaced by `extent`, which has type index.
Value createCompletedLengths(OpBuilder &builder, Location loc, Value lengths,
                             Value extent);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_LIVENESS_H
