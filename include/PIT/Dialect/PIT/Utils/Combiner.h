//===- Combiner.h - How partial results of a reduction are one --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_COMBINER_H
#define PIT_DIALECT_PIT_UTILS_COMBINER_H

#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::pit {

/// What a structured op does with two partial results. There are two kinds:
///
/// * Each result for itself, by an op that is associative and commutative and
///   has a neutral element: `addf`, `mulf`, `maximumf`, `minsi`, `andi`, ...
/// * An arg-max or arg-min: the result 0 is the largest or smallest value, the
///   result 1 where it is first, or one of an operand that says so. Of equal
///   values, the one that stands first has the lowest number.
class Combiner {
public:
  /// Null if the body is of no such kind; `log` says why. With
  /// `numbersAreInputs`, the number of an arg-max may come from an operand:
  /// numbers that rise along the loop, as those of parts do.
  static std::optional<Combiner> match(linalg::LinalgOp op, MatchLog log,
                                       bool numbersAreInputs = false);

  bool isArgument() const { return bool(compare); }
  /// What the i-th result starts from where nothing was combined; none for an
  /// arg-max, which starts from what was there, however often.
  TypedAttr getNeutral(unsigned i) const;
  /// Whether another order, or other pieces, may give another result.
  bool dependsOnOrder() const;

  /// One result of two: `left` and `right` have one value for each result.
  SmallVector<Value> combine(OpBuilder &builder, Location loc, ValueRange left,
                             ValueRange right) const;
  /// The same where all of `left` stands before all of `right`.
  SmallVector<Value> append(OpBuilder &builder, Location loc, ValueRange left,
                            ValueRange right) const;

private:
  Value takesRight(OpBuilder &builder, Location loc, ValueRange left,
                   ValueRange right) const;
  Value chooseValue(OpBuilder &builder, Location loc, Value takes, Value left,
                    Value right) const;

  /// Of each result for itself.
  SmallVector<Operation *> ops;
  /// Of an arg-max: the comparison, whether larger values win, and the op that
  /// yields the value with its operands; null if that is a choice by the
  /// comparison.
  Operation *compare = nullptr, *extremum = nullptr;
  bool isLargest = false, isSigned = true;
  /// What the ops above have for the value before and the next one.
  Value before, candidate;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_COMBINER_H
