//===- StepWalk.h - From one live step of a tile to the next ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp evaluates 32 steps at a time, one in each lane, and walks the bits of
// those that are not dead. So no list of them is in memory, and warps of all
// kinds that walk the same steps need not tell each other.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_STEPWALK_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_STEPWALK_H

#include "TileStates.h"

namespace mlir::pit::attention {

/// Bits of a tile's steps in memory, see StepLists: addresses of those that
/// live and of those that are full, and how many words there are. Steps from
/// `firstPacked` on are packed ones. Where all are walked, an i1 or what
/// StepWalk::begin says, they are those from a first one to an end, none of
/// them full.
struct ListedSteps {
  Value live, full, numWords, firstPacked, all, first, end;
};

/// The steps of a block.
class StepWalk {
public:
  /// What steps follow each other along: a block has rows along the other axis.
  enum class Along { Keys, Queries };
  /// `states` may be null: then no step is dead. `rows` is the extent of the
  /// block's tile, of number `tile`, and `columns` that of a step.
  StepWalk(detect::Kernel &b, Problem &problem, TileStates *states, Value tile,
           int64_t rows, int64_t columns, Along along = Along::Keys);
  /// Says that steps are only those from a first one to an end, of i32.
  void setRange(Value first, Value end) {
    firstStep = first;
    endOfSteps = end;
  }
  /// Steps of `keys` keys that are listed; keys behind the last one are dead.
  StepWalk(detect::Kernel &b, const ListedSteps &listed, int64_t columns);

  /// A step: whether there is one, its number, and whether all logits of it are
  /// known to live and to be those of keys.
  struct Step {
    Value exists, number, isFull;
  };
  /// What a loop carries.
  using State = SmallVector<Value>;
  /// Before the first step. Where `all`, an i1, is true, no step is dead.
  State begin(Value all);
  std::pair<Step, State> next(ValueRange state);
  static SmallVector<Value> flatten(const Step &step) {
    return {step.exists, step.number, step.isFull};
  }
  static Step restore(ValueRange values) {
    return {values[0], values[1], values[2]};
  }

  /// Whether full steps and others have to be told apart.
  bool hasPartialSteps() const { return states || listed || hasTail; }
  bool mayEndInside() const { return hasTail; }

private:
  std::pair<Value, Value> evaluate(Value word, Value all);
  std::pair<Value, Value> load(Value word, Value all);

  detect::Kernel &b;
  TileStates *states = nullptr;
  std::optional<ListedSteps> listed;
  Along along = Along::Keys;
  Value tile, firstStep, endOfSteps, lastRow, numColumns;
  int64_t rows = 0, columns;
  bool hasTail = false;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_STEPS_STEPWALK_H
