//===- ChoiceMarks.h - Marks of what choices are made of --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOICEMARKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOICEMARKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Marks for choices of several experts, which say less one by one.
class ChoiceMarks {
public:
  /// `finite`: 0 * x = 0.
  explicit ChoiceMarks(bool finite) : finite(finite) {}

  /// Marks the gate that is made of truth values [row..., choice, expert], and
  /// its gradient. Returns whether they are such.
  bool markGateAndGradient(Value truth);

  /// Choices that are made one after another, each a tensor of truth values,
  /// share a pattern in an op that makes a gate of them: where one is true.
  void markChoicesOfGate(linalg::LinalgOp op);

  /// Whether a mark of its own would add nothing: to a gate, or a choice.
  bool isMarked(Value value) const;

private:
  /// Choices that are made one after another, and what they are with marks.
  struct Choices {
    SmallVector<Value> truths, marked;
  };

  bool finite;
  std::vector<Choices> choices;
  llvm::SmallDenseSet<Value> gates;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOICEMARKS_H
