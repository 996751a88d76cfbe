//===- OnlineSoftmax.h - Sums of a row while its scores come ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018):
// the largest logit so far, and the sum of exp() of the differences to it,
// which shrinks when a larger one comes. Any number near the largest serves in
// its place, so sums of many columns shrink for much larger ones alone, as in
// Zadouri et al., "FlashAttention-4" (2026). A thread has two rows of which
// four lanes next to each other have the elements, as matrix units leave them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ONLINESOFTMAX_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ONLINESOFTMAX_H

#include "GPU/Host/Kernel.h"

namespace mlir::pit::attention {

/// What is known of the thread's two rows: the logit that differences are to,
/// which is -inf until one lives, and sums of its own elements.
struct RowState {
  Value top[2], sum[2];
};

/// 2 to the power of an f32, as one instruction has it.
Value powerOfTwo(detect::Kernel &b, Value x);

class OnlineSoftmax {
public:
  /// Logits are still to be multiplied with `scale`.
  explicit OnlineSoftmax(detect::Kernel &b, double scale = 1.0)
      : b(b), scale(scale) {}

  RowState begin();
  /// Logits, element 4 n + 2 r + c that of row r and column 8 n + c, become
  /// weights, not yet divided by their sum. Returns by what earlier sums of the
  /// rows shrink; with `seldom`, mostly by 1. With `farBelow`, logits may be so
  /// low that a multiple of them is not finite; that takes an instruction more
  /// for each.
  std::array<Value, 2> step(RowState &state, SmallVectorImpl<Value> &logits,
                            bool farBelow, bool seldom);
  /// By what sums shrink when the largest logit becomes `top`.
  Value getShrink(Value before, Value top);
  /// Whether a row whose largest logit is `top` has no live one: all are -inf.
  Value hasNone(Value top);
  /// Adds one more logit to a row, of which lane 0 of those that have the row
  /// counts the weight, or all if `inAllLanes`. Returns by what sums of values
  /// shrink.
  Value addSink(Value &top, Value &sum, Value sink, bool inAllLanes);
  /// The sum of a row, of all lanes that have it.
  Value getSum(const RowState &state, unsigned row);
  /// The natural logarithm of the sum of a row's exponentials, of its largest
  /// logit and its sum of weights: -inf if no logit lives.
  Value getLse(Value top, Value sum);
  /// One over the sum of a row; 0 if `zeroRows` and the row has no live logit.
  Value getInverse(const RowState &state, unsigned row, bool zeroRows);

private:
  Value constant(float value);
  Value shuffleMax(Value value);

  detect::Kernel &b;
  double scale;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ONLINESOFTMAX_H
