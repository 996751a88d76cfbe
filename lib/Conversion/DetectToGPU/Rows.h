//===- Rows.h - ORs of the rows of a micro-tile ----------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_ROWS_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_ROWS_H

#include "Problem.h"

namespace mlir::pit::detect {

/// Some of the rows that a thread ORs: `first`, `first + step`, ... below
/// `count`. Reading a row twice does no harm, so threads stay together by
/// reading the last one again.
struct RowLoop {
  /// i32, at least 1 unless `numIterations` is not known.
  Value count;
  /// Iterations of every thread, if the compiler knows; those beyond `count`
  /// read the last row.
  std::optional<int64_t> numIterations;
  /// Whether iterations may lie beyond `count`.
  bool clamps = false;
  Value first;
  int64_t step = 1;
  /// i64, bytes from row to row.
  Value stride;
};

/// Loads vectors of elements and ORs the bits that make them live.
class VectorReader {
public:
  VectorReader(Kernel &kernel, const LivenessTest &test, int64_t length)
      : b(kernel), test(test), length(length) {}

  int64_t getBytes() const { return length * test.bits / 8; }
  /// To be called if lanes that follow each other read vectors that do, so that
  /// they read whole sectors.
  void setContiguous() { isContiguous = true; }

  /// The OR, as words of i32, of all combinations of rows from `pointer` on.
  SmallVector<Value> readRows(Value pointer, ArrayRef<RowLoop> loops);
  /// Whether any of `count` elements from `first` on is live, as i1.
  Value isAnyLive(ArrayRef<Value> words, int64_t first, int64_t count);

private:
  SmallVector<Value> accumulate(Value pointer, ArrayRef<RowLoop> loops,
                                SmallVector<Value> words);
  SmallVector<Value> load(Value pointer);
  SmallVector<Value> combine(ArrayRef<Value> words, ArrayRef<Value> loaded);
  unsigned getNumWords() const { return std::max<int64_t>(1, getBytes() / 4); }
  /// The part of a pattern repeated per element that lies in a word.
  uint32_t getWordOf(uint64_t elementBits, unsigned word) const;

  Kernel &b;
  LivenessTest test;
  int64_t length;
  bool isContiguous = false;
};

/// Iterations that a loop has in all, or a large number.
int64_t estimateIterations(const RowLoop &loop);

/// The rows of a micro-tile along one axis, from element `begin` (i32) on.
RowLoop createTileRows(Kernel &kernel, const Axis &axis, Value begin,
                       int64_t elementBytes);
/// All of an axis.
RowLoop createAllRows(Kernel &kernel, const Axis &axis, int64_t elementBytes);

/// Spreads a loop over `count` threads, of which this is number `number`.
void splitRows(RowLoop &loop, Value number, int64_t count);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_ROWS_H
