//===- ChosenPlaces.h - Sums with a term at few places ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice by number is a Kronecker delta: `number[t] == e` holds at one place
// `e` of each token. What a sum adds is zero elsewhere, if the choice reaches
// the term as a factor, a condition, or as the truth value of one. Examples are
// products with a one-hot tensor, and the dispatch and combine tensors of
// experts with a capacity (Lepikhin et al., "GShard", 2020), which are products
// of two one-hot tensors, or sums of those.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_CHOSENPLACES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_CHOSENPLACES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// One place along the chosen loops.
struct ChosenPlace {
  /// The number along each chosen loop, in the body of the op.
  SmallVector<Value> numbers;
  /// What holds at this place because of them.
  SmallVector<Operation *> conditions;
};

/// A sum whose terms are zero, except where loops are at one of some places.
struct ChosenPlaces {
  /// A copy of the sum that computes its choices itself. Nobody reads it; who
  /// asked erases it.
  linalg::GenericOp op;
  /// What it adds to its one output, in its body.
  Value term;
  /// The loops that choices fix, ascending.
  SmallVector<unsigned> dims;
  /// The loops that numbers depend on, ascending; none of `dims`.
  SmallVector<unsigned> choosers;
  SmallVector<ChosenPlace> places;
};

/// The value that the body of a sum adds to its output; null if the op is no
/// such sum on tensors.
Value getTerm(linalg::GenericOp op);

/// Finds the places of a sum along loops of one kind. The copy is made where
/// the op stands. If data is `finite`, factors of zero make terms zero.
std::optional<ChosenPlaces> findChosenPlaces(RewriterBase &rewriter,
                                             linalg::GenericOp op,
                                             utils::IteratorType kind,
                                             bool finite);

/// Whether an operand of the copy runs along one of the loops.
bool runsAlongAny(linalg::GenericOp op, OpOperand *operand,
                  ArrayRef<unsigned> loops);

/// Calls a function, which says whether it has replaced the op, for all
/// structured ops below `root`, and drops what nobody reads any more.
void rewriteSums(
    Operation *root,
    function_ref<bool(RewriterBase &rewriter, linalg::GenericOp op)> rewrite);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_CHOSENPLACES_H
