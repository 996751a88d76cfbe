//===- ChosenExperts.h - Several experts for each row -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOSENEXPERTS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOSENEXPERTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// Truth values [row..., choice, expert] that say which expert a choice of a
/// row is, as of top-k, in a program with its backward: weights are summed over
/// choices there, for the gate, and gradients of the gate over experts.
struct ChosenExperts {
  /// How many experts a row has, at most.
  int64_t atMost;
  /// [row..., expert]: sums over the choices, which are zero where no choice is
  /// true, ...
  SmallVector<Value> gates;
  /// ... and operands that are multiplied by zero there.
  SmallVector<OpOperand *> gradients;
};

/// What truth values say, if they are such and leave half of the experts or
/// more without a row's choice; `finite`: 0 * x = 0.
std::optional<ChosenExperts> findChosenExperts(Value truth, bool finite);

/// Where some choice is true: [row..., expert].
Value createAnyChoice(OpBuilder &builder, Location loc, Value truth);

/// Operands of an elementwise op that are the choices of a row, each a tensor
/// of truth values [row..., expert], if the op's result is zero where all are
/// false, and depends on the others where one is. So is a gate that weights are
/// scattered to, one choice after another, and that is multiplied right away.
SmallVector<OpOperand *> findChoicesOfGate(linalg::LinalgOp op, bool finite);

/// Where some of the tensors is true.
Value createAnyOf(OpBuilder &builder, Location loc, ArrayRef<Value> truths);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_CHOSENEXPERTS_H
