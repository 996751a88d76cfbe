//===- MaskSample.h - A look at some of a mask -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// About how many micro-tiles a mask names, before all of it has been read.
// Every block looks at the same places, and comes to the same result. A byte
// stands for a micro-tile, so that this costs less than to look at a matrix.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_MASKSAMPLE_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_MASKSAMPLE_H

#include "Problem.h"

namespace mlir::pit::detect {

class MaskSample {
public:
  /// Of a contiguous mask of `numTiles` (i64) bytes, aligned to 16.
  MaskSample(Kernel &kernel, Value mask, Value numTiles)
      : b(kernel), mask(mask), numTiles(numTiles) {}

  /// Emits the loads: 16 bytes of each thread of a few warps, or none where
  /// there are fewer.
  void load();
  /// Emits, for all threads, whether more than `most`/256 of what they see is
  /// live; an i1. Ends with a barrier.
  Value isMoreLive(int64_t most);

private:
  static constexpr int64_t kVector = 16, kWords = kVector / 4;
  /// 1024 micro-tiles: at half of them live, they say so within 1.6 %. All
  /// blocks look at the same ones, and more take longer to come.
  static constexpr int64_t kMostLooks = 64;

  Kernel &b;
  Value mask, numTiles;
  /// How many threads look, and a live one per byte of what each sees.
  Value numLooks;
  SmallVector<Value> words;
};

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_MASKSAMPLE_H
