//===- LogitEmitter.h - Logits of a thread's scores -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITEMITTER_H

#include "Guards.h"
#include "Problem.h"
#include "Summaries.h"

namespace mlir::pit::attention {

/// Emits the op's region for one score after the other, as far as the logit
/// depends on it. Numbers of axes are of i32 in kernels.
class LogitEmitter {
public:
  LogitEmitter(detect::Kernel &b, Problem &problem, const Guards &guards,
               Summaries &summaries, ArrayRef<Value> batch)
      : b(b), problem(problem), guards(guards), summaries(summaries),
        scale(findScale(problem.op)), batch(batch) {}

  /// What all logits that are emitted are to be multiplied with.
  double getScale() const { return scale.factor; }

  /// The logit of the score of query `i` and key `j`; where `isLive`, all
  /// guards are known to let it live.
  Value emit(Value score, Value i, Value j, bool isLive);
  /// Says that keys of the elements that come are at `start`, a multiple of 32,
  /// `ofLane`, less than 8, and a number that `setColumn` has: then words of
  /// bits of masks are loaded once, and read at places that are known.
  void beginStep(Value start, Value ofLane);
  void setColumn(int64_t column) { this->column = column; }
  /// Says where the words of a query begin that the step's bits are in, of all
  /// masks that have bits; for steps whose keys do not lie side by side.
  void setWords(Value query, Value pointer) { wordsOfQuery[query] = pointer; }
  void endStep() {
    start = Value();
    wordsOfQuery.clear();
  }
  /// Any value of the region that does not depend on the score.
  Value emit(Value value, Value i, Value j);
  /// The element of a modifier, at numbers that may lie behind its end.
  Value loadModifier(unsigned modifier, Value i, Value j);

private:
  Value get(Value value);
  Value getArgument(BlockArgument argument);
  Value clone(Operation *op);
  Value loadBit(unsigned modifier);

  detect::Kernel &b;
  Problem &problem;
  const Guards &guards;
  Summaries &summaries;
  ScoreScale scale;
  SmallVector<Value> batch;
  /// Of the element that is being emitted.
  Value score, i, j;
  DenseMap<Value, Value> known;
  /// Of the step, see beginStep: words by modifier and number, and query.
  Value start, ofLane;
  int64_t column = 0;
  DenseMap<std::pair<std::pair<unsigned, int64_t>, Value>, Value> words;
  DenseMap<Value, Value> wordsOfQuery;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITEMITTER_H
