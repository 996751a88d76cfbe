//===- RowTile.h - A thread's rows of scores and of the result --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matrix units leave, those of warps and of warpgroups alike: a thread has
// two rows, l / 4 and l / 4 + 8 of its warp's 16, l being its lane, and of each
// 8 columns two neighbours, 2 (l % 4) and the next. Element 4 n + 2 r + c is
// that of row r and the c-th of those columns of the n-th 8.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ROWTILE_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ROWTILE_H

#include "Conversion/AttentionToGPU/Steps/StepWalk.h"
#include "ModifierLoads.h"
#include "OnlineSoftmax.h"

#include <functional>
#include <limits>

namespace mlir::pit::attention {

/// The keys that a warp has of a step, where several warps have the same rows.
struct KeyShare {
  /// Keys of a step of all of them, and the first of this one's, an i32.
  int64_t keysOfStep;
  Value first;
};

/// A thread's queries where they are not numbered as they lie, see StepLists.
struct ListedRows {
  /// By half: their numbers, and whether the tile has them.
  Value row[2], exists[2];
  /// The address of the words that the bits of a query in a step are in.
  std::function<Value(unsigned half, const StepWalk::Step &step)> getWords;
  /// Whether numbers are added that may be no more than a mask, which the tile
  /// then has bits of; see setReadsAdded.
  bool mayBeMask = false;
};

/// What a step needs of memory besides keys and values, loaded ahead of its
/// scores, as memory takes as long: where rows are listed, bits of the mask of
/// both in a step that is not full, by key; and numbers of modifiers, those of
/// the first keys, see ModifierLoads.
struct LoadedAhead {
  SmallVector<Value> words, ofLive, ofOthers;
};

class RowTile {
public:
  /// `firstRow` is the number of the row that is the warp's first, see
  /// Problem::getRows; of no account if rows are listed.
  RowTile(detect::Kernel &b, Problem &problem, const Guards &guards,
          LogitEmitter &logits, ArrayRef<Value> batch, Value firstRow,
          std::optional<ListedRows> listed = std::nullopt,
          std::optional<KeyShare> share = std::nullopt)
      : b(b), problem(problem), guards(guards), logits(logits), batch(batch),
        firstRow(firstRow), lane(b.lane()), listed(std::move(listed)),
        share(share),
        ofLive(b, problem, guards, batch, ModifierLoads::Of::Live),
        ofOthers(b, problem, guards, batch, ModifierLoads::Of::Others) {}

  /// Registers of a thread that numbers of modifiers may have while scores are
  /// computed.
  void setRegistersAhead(int64_t registers) { registersAhead = registers; }

  /// What a step makes of its scores: their weights, what is known of the rows
  /// behind it, and by what sums of earlier steps shrink.
  struct Weighed {
    SmallVector<Value> weights;
    RowState state;
    std::array<Value, 2> shrinks;
  };
  /// Of `keys` keys, those of the step or of the warp's share. `ahead` is what
  /// loadAhead gave of the step.
  Weighed weigh(const StepWalk &walk, const StepWalk::Step &step, int64_t keys,
                const LoadedAhead &ahead, ArrayRef<Value> scores,
                const RowState &state);
  /// Earlier sums of the rows, rescaled to the weights' largest logits; element
  /// 4 n + 2 r + c is of row r.
  SmallVector<Value> shrink(const Weighed &weighed, ArrayRef<Value> sums);
  LoadedAhead loadAhead(const StepWalk &walk, const StepWalk::Step &step,
                        int64_t keys);
  /// Where numbers are added that may be a mask: whether the code that comes is
  /// for tiles in which they are more, and are read in steps that are not full.
  /// Else bits say all.
  void setReadsAdded(bool reads) { readsAdded = reads; }
  /// Words of two weights each, rounded: four of them are the factor of a
  /// product with 16 rows of V.
  SmallVector<Value> round(ArrayRef<Value> weights);
  /// An i1 of the thread: a row of its that there is has no logit above those
  /// of dead ones.
  Value hasDeadRow(const RowState &state);
  /// Divides the sums by those of the weights, and stores them; and the
  /// logarithms of sums of exponentials, if the op asks for them.
  void store(const RowState &state, ArrayRef<Value> sums);
  /// Stores sums of a part of the keys, and behind them the largest logit and
  /// the sum of weights, as f32 at the address of a row.
  void storePartial(const RowState &state, ArrayRef<Value> sums,
                    function_ref<Value(unsigned half)> getAddress);
  /// The rows' state, and as many sums, of all parts.
  SmallVector<Value>
  joinPartials(int64_t parts, size_t numSums,
               function_ref<Value(Value part, unsigned half)> getAddress);
  /// The row's number in its tile of the warp's first one, of `half`.
  Value getRowOfWarp(unsigned half) {
    return b.add(b.shiftRight(lane, 2), 8 * half);
  }

private:
  Value getRow(unsigned half);
  Value getQuery(unsigned half);
  Value exists(unsigned half);
  Value emitSink(unsigned half);
  bool shrinksSeldom();
  void storeLse(const RowState &state, unsigned half);
  /// What is known of a step: that all logits live; of the others, which do so
  /// by bits, or that the region says it.
  enum class Known { Full, Bits, Nothing };
  SmallVector<Value> emitLogits(const StepWalk &walk,
                                const StepWalk::Step &step, int64_t keys,
                                const LoadedAhead &ahead,
                                ArrayRef<Value> scores, Known known);
  /// Whether bits say which logits of a step live.
  bool hasBits() const { return listed && !readsAdded; }
  SmallVector<Value> loadWords(const StepWalk::Step &step, int64_t keys);
  Value getStart(const StepWalk::Step &step, int64_t keys);
  int64_t getGroupsAhead(int64_t keys) const;
  /// Numbers of groups of the step, see ModifierLoads.
  SmallVector<Value> loadNumbers(ModifierLoads &loads,
                                 const StepWalk::Step &step, int64_t keys,
                                 int64_t from, int64_t to);
  Value constant(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }

  detect::Kernel &b;
  Problem &problem;
  const Guards &guards;
  LogitEmitter &logits;
  SmallVector<Value> batch;
  Value firstRow, lane;
  std::optional<ListedRows> listed;
  std::optional<KeyShare> share;
  bool readsAdded = false;
  ModifierLoads ofLive, ofOthers;
  int64_t registersAhead = std::numeric_limits<int64_t>::max();
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_ROWTILE_H
