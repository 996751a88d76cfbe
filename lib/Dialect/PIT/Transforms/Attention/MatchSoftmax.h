//===- MatchSoftmax.h - Softmax along keys ----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_MATCHSOFTMAX_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_MATCHSOFTMAX_H

#include "ElementValues.h"

namespace mlir::pit {

/// Matches scalars of an `ElementValues` with
///
///   exp(logit - max(logit)) / sum(exp(logit - max(logit)))
///
/// in any form: by exp2, with a factor behind the difference, the quotient as a
/// product with the reciprocal or applied later, and guards for rows whose
/// logits are all -inf. The largest and the sum may be those of one more logit,
/// a sink.
class SoftmaxMatcher {
public:
  explicit SoftmaxMatcher(ElementValues &elements) : elements(elements) {}

  /// Matches weights, or a numerator of them: `isDivided` tells.
  LogicalResult matchWeights(Value weights);
  /// Matches what the sum of products of numerators and values is divided by.
  /// `sum` stands for that sum in `quotient`.
  LogicalResult matchQuotient(Value quotient, Value sum);

  bool isDivided() const { return divided; }
  /// What the exponential is taken of, but for what all of a row have. In
  /// scalars; its type is that of scores.
  Value getLogit() const { return logit; }
  /// One more logit of the row, which belongs to no key: in scalars, of the
  /// type of scores; null if there is none.
  Value getSink() const { return sink; }
  /// Whether a value of a row is the logarithm of the sum of exponentials of
  /// its logits: the largest of them, and the logarithm of the sum of weights.
  bool isLse(Value value);
  /// Whether rows whose logits are all -inf are 0.
  bool zeroesRows() const;
  StringRef getReason() const { return reason; }

private:
  LogicalResult matchNumerator(Value value);
  LogicalResult matchDivisor(Value value);
  bool isDead(Value value, RowReduction::Kind kind);
  void skipShifts();
  bool isLike(Value ofSink, Value ofKey);
  LogicalResult refuse(StringRef why) {
    reason = why;
    return failure();
  }

  ElementValues &elements;
  Value numerator, logit, plainLogit, sink;
  /// As the program subtracts the largest from them.
  Value shiftedLogit, shiftedSink;
  bool divided = false, guardsLargest = false, guardsSum = false,
       selectsRows = false;
  StringRef reason;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_MATCHSOFTMAX_H
