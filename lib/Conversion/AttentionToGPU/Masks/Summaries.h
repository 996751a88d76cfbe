//===- Summaries.h - What modifiers have in each tile -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks that are data are read once, before the attention: of each tile of
// queries and keys, the least and the largest value of each modifier that the
// guards read. That is all that is asked of a mask later where a tile is dead
// or lives as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_SUMMARIES_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_SUMMARIES_H

#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

/// The least and the largest value: both i1, i64, or f32.
struct Interval {
  Value low, high;
};

class Summaries {
public:
  /// For tiles of so many queries and keys.
  Summaries(Problem &problem, int64_t queries, int64_t keys)
      : problem(problem), queries(queries), keys(keys) {}

  /// Launches the kernels that summarise what the guards read.
  void launch(const Guards &guards, gpu::GPUModuleOp module, StringRef name);
  /// Whether a modifier can have bits in tiles of so many queries and keys.
  static bool canHaveBits(Problem &problem, unsigned modifier, int64_t queries,
                          int64_t keys);
  /// Whether rows of keys of a modifier that has queries, too, can be read 16
  /// bytes at a time, in whole steps of `keys` keys.
  static bool hasVectorsOfKeys(Problem &problem, unsigned modifier,
                               int64_t keys);
  /// Whether there is a summary of the modifier.
  bool has(unsigned modifier) const { return buffers.count(modifier); }
  bool empty() const { return buffers.empty(); }
  /// Whether there are bits of the modifier, truth values by query and key: 32
  /// keys of a query are one word, where they were 32 bytes.
  bool hasBits(unsigned modifier) const { return bits.count(modifier); }
  /// The bits of a query's keys from 32 `word` on, an i32; those behind the
  /// last key are of no account.
  Value loadBits(detect::Kernel &b, unsigned modifier, ArrayRef<Value> batch,
                 Value query, Value word);
  /// What the modifier has in a tile.
  Interval load(detect::Kernel &b, unsigned modifier, ArrayRef<Value> batch,
                Value tileOfQueries, Value tileOfKeys);

private:
  void launch(unsigned modifier, bool bitsOfMixed, gpu::GPUModuleOp module,
              StringRef name);
  /// Words of bits of a query's keys: those of whole tiles.
  Value getWordsOfRow();
  /// How many tiles there are along the axis of queries and that of keys; 1 if
  /// the modifier lacks it.
  Value getTiles(unsigned modifier, unsigned axis);

  Problem &problem;
  int64_t queries, keys;
  /// Addresses of two numbers for each tile, by modifier.
  DenseMap<unsigned, Value> buffers;
  /// Addresses of bits, by modifier.
  DenseMap<unsigned, Value> bits;
};

/// The bits of words of four truth values each, up to eight of them.
Value packTruths(detect::Kernel &b, ArrayRef<Value> words);

/// The type that values of a modifier are compared in: i64 or f32.
Type getSummaryType(Type element);
/// A value in that type, or both ends of an interval.
Value widen(detect::Kernel &b, Value value);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_SUMMARIES_H
