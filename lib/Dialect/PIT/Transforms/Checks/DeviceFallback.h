//===- DeviceFallback.h - Ops of devices that do not fit --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_DEVICEFALLBACK_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_DEVICEFALLBACK_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {

/// Extents that what says which points are live has by those of what is marked.
SmallVector<OpFoldResult> getMarkedExtents(OpBuilder &builder, SparseOp mark);

/// Changes what an op without a destination is given, so that it stays in its
/// tensors where a condition does not hold. A branch would have results of
/// other extents, of which a kernel has no buffer.
///
/// Along dynamic dimensions of the result nothing is taken then. A result whose
/// extents are all in its type is a new tensor, into which nothing is copied.
class DeviceFallback {
public:
  DeviceFallback(Operation *op, Value holds)
      : op(op), holds(holds), builder(op), loc(op->getLoc()) {}

  /// Whether `apply` knows what to do with the op.
  static bool isKnown(Operation *op);
  void apply();

private:
  using Sizes = SmallVector<OpFoldResult>;

  Value constant(int64_t number);
  /// The number, or the other one where the condition does not hold.
  OpFoldResult choose(OpFoldResult number, int64_t otherwise = 0);
  OpFoldResult getExtent(Value tensor, int64_t axis);
  /// The first elements along each dimension.
  Value take(Value tensor, const Sizes &sizes);
  /// A new tensor of the type, with the part at its begin.
  Value placeInto(RankedTensorType type, Value part, const Sizes &sizes);
  void replace(Value value);

  void guard(tensor::PadOp pad);
  void guard(tensor::ConcatOp concat);
  void guard(tensor::CastOp cast);
  void guard(tensor::ExpandShapeOp expand);
  void guard(tensor::ExtractSliceOp slice);
  void guard(SparseOp mark);
  void guardElementwise();

  Operation *op;
  Value holds;
  OpBuilder builder;
  Location loc;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_DEVICEFALLBACK_H
