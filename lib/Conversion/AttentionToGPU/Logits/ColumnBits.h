//===- ColumnBits.h - Conditions on 32 keys at a time -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition on a key by its number, or by a mask, is a word for 32 keys in a
// row: comparisons of the key's number with what does not depend on it are
// intervals, and `and`, `or` and `xor` of conditions are those of words. An
// element then tests a bit, where it computed the condition.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_COLUMNBITS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_COLUMNBITS_H

#include "Conversion/AttentionToGPU/Masks/Summaries.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

#include <functional>

namespace mlir::pit::attention {

class ColumnBits {
public:
  /// `emit` computes a value of the op's region that does not depend on the
  /// key, of the query that the words are asked for.
  ColumnBits(detect::Kernel &b, Problem &problem, Summaries &summaries,
             ArrayRef<Value> batch, std::function<Value(Value)> emit)
      : b(b), problem(problem), summaries(summaries), batch(batch),
        emit(std::move(emit)) {}

  /// Says that keys of the elements that come are at `start`, a multiple of 32,
  /// `ofLane`, less than 8, and a column that the compiler knows.
  void beginStep(Value start, Value ofLane);
  void endStep();

  /// The condition, an i1 of the region, of a query at a column; null if it
  /// does not depend on the key, or cannot be known in words.
  Value get(Value condition, Value query, int64_t column);
  /// Whether the key at a column is below a number.
  Value isBelow(Value bound, int64_t column);

  /// Whether a word has the bit of a column.
  Value getBit(Value word, int64_t column);

private:
  /// A number that grows with that of the key, or falls, or neither: its
  /// factor, terms that are added or subtracted, and a constant.
  struct Affine {
    int64_t factor = 0, constant = 0;
    SmallVector<std::pair<Value, bool>> terms;
  };

  bool dependsOnKey(Value value);
  bool isKnown(Value condition);
  std::optional<Affine> getAffine(Value value);
  std::optional<Affine> getDifference(arith::CmpIOp compare);
  Value getWord(Value condition, Value query, int64_t number);
  Value loadWord(unsigned modifier, Value query, int64_t number);
  Value compare(arith::CmpIOp op, int64_t number);
  Value getBelow(Value bound, int64_t number);
  Value getBound(const Affine &difference);

  detect::Kernel &b;
  Problem &problem;
  Summaries &summaries;
  SmallVector<Value> batch;
  std::function<Value(Value)> emit;
  Value start, ofLane;
  DenseMap<std::pair<std::pair<Value, int64_t>, Value>, Value> words;
  DenseMap<Value, bool> dependent;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_LOGITS_COLUMNBITS_H
