//===- OpRequirements.h - What ops require of extents -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_OPREQUIREMENTS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_OPREQUIREMENTS_H

#include "CheckWriter.h"
#include "EntryValues.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {

/// Writes what one op requires of extents and of indexes. Regions are not
/// looked at.
class OpRequirements {
public:
  OpRequirements(OpValues &values, CheckWriter &writer)
      : values(values), writer(writer) {}

  void write(Operation *op);

private:
  /// A dimension of a value, and what a message calls the value.
  struct Dimension {
    Value tensor;
    int64_t axis;
    std::string name;
  };
  void requireSame(Operation *op, const Dimension &one, const Dimension &other);
  /// All tensors among the values have the extents of the first one.
  void requireSameShapes(Operation *op, ValueRange tensors);

  // Structured ops.
  void writeStructured(linalg::LinalgOp op);
  void writeIndexed(Operation *op, const Dimension &read, AffineExpr index,
                    ArrayRef<Value> extents);
  void writeBody(linalg::LinalgOp op, ArrayRef<std::optional<Dimension>> given);
  void guardElement(Operation *op, int64_t axis, ArrayRef<Value> extents);
  void writePack(linalg::PackOp op);
  void writeUnPack(linalg::UnPackOp op);
  void requireTiled(Operation *op, Value whole, Value packed,
                    ArrayRef<int64_t> innerDims, ArrayRef<int64_t> outerPerm,
                    ArrayRef<OpFoldResult> tiles, bool isPadded);
  void writeMark(Operation *op);

  // Ops on tensors.
  void writeTensorOp(Operation *op);
  void writeSlice(Operation *op, Value whole, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides);
  void writeInserted(Operation *op, Value part, ArrayRef<OpFoldResult> sizes,
                     const llvm::SmallBitVector &dropped);
  void writePad(Operation *op);
  void writeExpansion(Operation *op);
  void writeConcat(Operation *op);
  void writeCast(Operation *op);
  void writeAccess(Operation *op, Value tensor, ValueRange indices);
  void writeSizes(Operation *op);

  OpValues &values;
  CheckWriter &writer;
};

/// The extent of what a padding or a concatenation makes; null where it is not
/// known.
Value getPaddedExtent(tensor::PadOp pad, int64_t axis, OpValues &values,
                      CheckWriter &writer);
Value getJoinedExtent(tensor::ConcatOp concat, int64_t axis, OpValues &values,
                      CheckWriter &writer);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_OPREQUIREMENTS_H
