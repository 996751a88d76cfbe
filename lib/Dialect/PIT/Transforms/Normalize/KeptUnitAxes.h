//===- KeptUnitAxes.h - Axes of extent 1 that patterns have -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTUNITAXES_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTUNITAXES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Axes of extent 1 that marks keep as their patterns have them, such as the
/// sequences of lengths, and the same axes of all tensors that ops compute from
/// these or make them of. Ops that lost them would give one sequence another
/// form than two.
class KeptUnitAxes {
public:
  explicit KeptUnitAxes(Operation *root);
  /// Whether there are such marks at all.
  static bool areIn(Operation *root);

  llvm::SmallBitVector getLoops(linalg::GenericOp op) const;

private:
  void add(Value tensor, int64_t axis);
  void follow(Operation *op, Value tensor, int64_t axis);

  DenseSet<std::pair<Value, int64_t>> axes;
  SmallVector<std::pair<Value, int64_t>> next;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTUNITAXES_H
