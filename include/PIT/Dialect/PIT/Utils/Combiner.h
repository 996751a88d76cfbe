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

/// How a reduction combines two partial results. There are three kinds:
///
/// * Each result is combined on its own, by an associative and commutative op
///   with a neutral element: `addf`, `mulf`, `maximumf`, `minsi`, `andi`, ...
/// * An arg-max or arg-min: result 0 is the largest or smallest value. Result 1
///   is its position, computed by the op or read from an operand. Of equal
///   values, the one with the lowest position wins.
/// * A maximum or minimum written as a comparison and a choice, which is an
///   arg-max whose position nobody asks for. It leaves out NaNs.
class Combiner {
public:
  /// None if the body is of neither kind; `log` says why. With
  /// `numbersAreInputs`, an arg-max may read positions from an operand. They
  /// must ascend along the loop, as those of partial results do.
  static std::optional<Combiner> match(linalg::LinalgOp op, MatchLog log,
                                       bool numbersAreInputs = false);

  /// Whether it compares: an arg-max, or its value alone.
  bool isArgument() const { return bool(compare); }
  /// The neutral element of the i-th result. None for the two kinds that
  /// compare, which may start from the initial value any number of times.
  TypedAttr getNeutral(unsigned i) const;
  /// Whether the result may depend on the order, or on how the loop is split.
  bool dependsOnOrder() const;

  /// Combines two partial results, given as one value for each result.
  SmallVector<Value> combine(OpBuilder &builder, Location loc, ValueRange left,
                             ValueRange right) const;
  /// The same if all positions of `left` are before all of `right`.
  SmallVector<Value> append(OpBuilder &builder, Location loc, ValueRange left,
                            ValueRange right) const;

private:
  Value takesRight(OpBuilder &builder, Location loc, ValueRange left,
                   ValueRange right) const;
  Value chooseValue(OpBuilder &builder, Location loc, Value takes, Value left,
                    Value right) const;

  /// The combining op of each result, for the first kind.
  SmallVector<Operation *> ops;
  /// For those that compare: the comparison, and the op that yields the value
  /// (null if that is a select by the comparison).
  Operation *compare = nullptr, *extremum = nullptr;
  bool isLargest = false, isSigned = true;
  /// The operands of these ops: the value so far, and the next one.
  Value before, candidate;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_COMBINER_H
