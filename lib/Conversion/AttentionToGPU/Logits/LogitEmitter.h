//===- LogitEmitter.h - Logits of a thread's scores -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_LOGITEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_LOGITEMITTER_H

#include "ColumnBits.h"
#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

/// Emits the op's region for one score after the other, as far as the logit
/// depends on it. Numbers of axes are of i32 in kernels.
class LogitEmitter {
public:
  LogitEmitter(detect::Kernel &b, Problem &problem, const Guards &guards,
               Summaries &summaries, ArrayRef<Value> batch)
      : b(b), problem(problem), guards(guards),
        scale(getScaleOfLogits(problem.op, guards)), batch(batch),
        summaries(summaries), bits(b, problem, summaries, batch,
                                   [this](Value value) { return get(value); }) {
  }

  /// What all logits that are emitted are to be multiplied with.
  double getScale() const { return scale.factor; }

  /// The logit of the score of query `i` and key `j`; where `isLive`, all
  /// guards are known to let it live. With `condition`, that is the value of
  /// the only guard's.
  Value emit(Value score, Value i, Value j, bool isLive,
             Value condition = Value());
  /// Conditions on 32 keys at a time; see there for what a step says.
  ColumnBits &getBits() { return bits; }
  void setColumn(int64_t column) { this->column = column; }
  /// Says what modifiers have at the elements that come, by modifier; null, or
  /// an empty list, if they are to be loaded.
  void setNumbers(ArrayRef<Value> ofModifiers) {
    numbers.assign(ofModifiers.begin(), ofModifiers.end());
  }
  /// Says that keys of the elements that come are of the 32 from 32 `word` on,
  /// an i32: a mask's words of its queries then have their bits.
  void beginWordOfKeys(Value word) {
    wordOfKeys = word;
    wordsOfQueries.clear();
  }
  /// The sink of a row, whose numbers of the batch these are, in the units of
  /// emitted logits; null if there is none.
  Value emitSink(ArrayRef<Value> batch, Value i);
  /// Any value of the region, of the score that was emitted last.
  Value emitAlso(Value value) { return get(value); }
  /// Any value of the region that does not depend on the score.
  Value emit(Value value, Value i, Value j);
  /// The element of a modifier, at numbers that may lie behind its end.
  Value loadModifier(unsigned modifier, Value i, Value j);

private:
  /// Dead values that are finite are not to be multiplied where the logit of a
  /// row that has no others is told.
  static ScoreScale getScaleOfLogits(AttendOp op, const Guards &guards) {
    return op.getLse() && guards.mayBeFinite ? ScoreScale() : findScale(op);
  }
  Value get(Value value);
  Value getArgument(BlockArgument argument);
  Value clone(Operation *op);

  detect::Kernel &b;
  Problem &problem;
  const Guards &guards;
  ScoreScale scale;
  SmallVector<Value> batch;
  Summaries &summaries;
  SmallVector<Value> numbers;
  Value wordOfKeys;
  DenseMap<std::pair<unsigned, Value>, Value> wordsOfQueries;
  /// Of the element that is being emitted.
  Value score, i, j;
  DenseMap<Value, Value> known;
  /// Of the element, counted from that of the lane.
  int64_t column = 0;
  ColumnBits bits;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_LOGITEMITTER_H
