//===- PackedValues.h - Values in packed form while ops are converted -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_PACKEDVALUES_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_PACKEDVALUES_H

#include "PatternIndexes.h"

namespace mlir::pit {

/// The packed form of a value of the original program.
struct PackedValue {
  unsigned pattern;
  /// Dimensions of the original value, per dimension of the pattern space.
  SmallVector<int64_t> dims;
  Value packed;
};

/// Keeps, for values of the original program, their packed form and their full
/// form. The full form of a packed value is made only when somebody asks for
/// it.
class PackedValues {
public:
  PackedValues(const SparsityPropagation &propagation, PatternIndexes &indexes)
      : propagation(propagation), indexes(indexes) {}

  void setPacked(Value original, PackedValue packed);
  const PackedValue *getPacked(Value original) const;
  /// The value with all its elements: dead ones hold what propagation knows of
  /// them, 0 where nobody reads them. Where only the op knows what they hold,
  /// it is computed once more.
  Value getFull(Value original);
  /// A packed tensor type for a value of this type, and the extents of its
  /// dynamic dimensions.
  RankedTensorType getPackedType(OpBuilder &builder, unsigned pattern,
                                 Value original, ArrayRef<int64_t> dims,
                                 SmallVectorImpl<OpFoldResult> &extents);

private:
  /// The value of the original program that this is the full form of: an op
  /// that stays dense reads those, of which propagation knows nothing.
  Value getOriginal(Value value) const;
  Value createDense(OpBuilder &builder, Value original);
  std::optional<int64_t> countReadWhole(Value original) const;
  bool isPartOfWhole(Value original);
  Value createDeadFill(OpBuilder &builder, Value original,
                       const PackedValue &packed);
  Value createSliceOfPoints(OpBuilder &builder, Value original,
                            unsigned pattern, ArrayRef<int64_t> dims);
  Value createDeadSlice(OpBuilder &builder, Value original, unsigned pattern,
                        ArrayRef<int64_t> dims);
  Value createMovedSlice(OpBuilder &builder, Value original, unsigned pattern,
                         ArrayRef<int64_t> dims);
  Value createSliceOf(OpBuilder &builder, Location loc, Value read,
                      unsigned pattern, ArrayRef<int64_t> dims,
                      ArrayRef<OpFoldResult> extents);
  /// Extents of the dimensions that are not among `dims`.
  SmallVector<OpFoldResult> getSliceExtents(OpBuilder &builder, Value value,
                                            ArrayRef<int64_t> dims);

  const SparsityPropagation &propagation;
  PatternIndexes &indexes;
  llvm::DenseMap<Value, PackedValue> packedForms;
  llvm::DenseMap<Value, Value> fullForms, originals;
  /// What views are parts of: whether it is written whole for them.
  llvm::DenseMap<Value, bool> areWrittenWhole;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_PACKEDVALUES_H
