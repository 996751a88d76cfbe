//===- SourceSample.h - A look at some of a matrix -------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// About how much of a matrix is live, before all of it has been read. Every
// block looks at the same places, and comes to the same result.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_SOURCESAMPLE_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_SOURCESAMPLE_H

#include "Problem.h"

namespace mlir::pit::detect {

class SourceSample {
public:
  /// Of a matrix [m, k] of 16-bit elements, 8 of which can be read at a time,
  /// and micro-tiles of up to 64 rows, a power of two from 16 on.
  SourceSample(Kernel &kernel, const Problem &problem)
      : b(kernel), problem(problem), stripRows(problem.type.getTile()[0]),
        depth(std::min(problem.type.getTile()[1], kVector)) {}

  /// Emits the loads, of 8 elements of every row of 16 strips (warps
  /// permitting) at places that differ along k; of more, the fewer micro-tiles
  /// these are.
  void load();
  /// Emits whether the thread stands for a live micro-tile there; an i1. Each
  /// micro-tile has a thread.
  Value standsForLive();
  /// How many threads do if `most`/256 of the micro-tiles are live.
  int64_t getThreshold(int64_t most) const;

private:
  static constexpr int64_t kVector = 8, kWords = kVector / 2, kLanes = 32;
  int64_t getNumWarps() const;
  /// A warp reads as many strips as it has lanes for, all rows of each, ...
  int64_t getLanesOfStrip() const { return std::min(stripRows, kLanes); }
  /// ... so often.
  int64_t getNumRounds() const;
  int64_t getNumPlaces() const;
  SmallVector<Value> loadPlace(Value place);

  Kernel &b;
  const Problem &problem;
  /// Of a micro-tile; of more than 8 k, those of its part here.
  const int64_t stripRows, depth;
  SmallVector<Value> words;
};

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_SOURCESAMPLE_H
