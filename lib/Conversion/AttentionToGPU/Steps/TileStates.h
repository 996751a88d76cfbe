//===- TileStates.h - Which tiles of scores are dead ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards are evaluated over a tile as a whole, by interval arithmetic: numbers
// of queries and keys lie between the tile's first and last, modifiers between
// the least and the largest that their summaries have. A guard that kills all
// of the interval kills the tile; one that lets all of it live need not be
// asked again. What interval arithmetic does not know is asked element by
// element.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_TILESTATES_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_TILESTATES_H

#include "Conversion/AttentionToGPU/Logits/LogitEmitter.h"
#include "Conversion/AttentionToGPU/Masks/Summaries.h"

namespace mlir::pit::attention {

class TileStates {
public:
  TileStates(detect::Kernel &b, Problem &problem, const Guards &guards,
             Summaries &summaries, LogitEmitter &emitter, ArrayRef<Value> batch)
      : b(b), problem(problem), guards(guards), summaries(summaries),
        emitter(emitter), batch(batch) {}

  /// Queries and keys from a first to a last one, i32, and the numbers of the
  /// tile.
  struct Tile {
    Value firstI, lastI, firstJ, lastJ, i, j;
  };
  /// Two i1: whether all logits of the tile are dead, and whether all of them
  /// live.
  struct State {
    Value isDead, isLive;
  };
  State evaluate(const Tile &tile);

private:
  std::optional<Interval> get(Value value);
  std::optional<Interval> compute(Value value);
  std::optional<Interval> getArgument(BlockArgument argument);
  std::optional<Interval> compare(arith::CmpIOp op);
  std::optional<Interval> compare(arith::CmpFOp op);
  std::optional<Interval> computeBits(Operation *op, Interval x, Interval y);
  std::optional<Interval> computeNumber(Operation *op, Interval x, Interval y);
  std::optional<Interval> cast(Operation *op, Interval x);
  bool isUniform(Value value);
  Value truth(bool value);

  detect::Kernel &b;
  Problem &problem;
  const Guards &guards;
  Summaries &summaries;
  LogitEmitter &emitter;
  SmallVector<Value> batch;
  Tile tile;
  DenseMap<Value, std::optional<Interval>> known;
  DenseMap<Value, bool> uniform;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_TILESTATES_H
