//===- ListEmitter.h - The kernel that makes lists of steps -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_LISTEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_LISTEMITTER_H

#include "StepLists.h"

namespace mlir::pit::attention {

/// Emits the kernel that makes the lists: see StepListKernels.cpp for its
/// steps.
class ListEmitter {
public:
  ListEmitter(StepLists &lists, detect::Kernel &b)
      : lists(lists), b(b), words(b.number(lists.getWordsOfRow())),
        steps(b.number(lists.getSteps())), wordsOfStep(lists.keys / 32) {}

  void emit(Value point, Value tile);

private:
  static constexpr int64_t kWarps = kListThreads / 32;

  /// Arrays that `unite` leaves, by word.
  enum Union { AnyOfAll, EachOfAll, AnyOfStaying, EachOfStaying };
  /// Steps of a tile by what they are made of.
  struct Counts {
    Value dense, sparse, columns;
  };

  Value getFirstQuery(Value tile) { return b.mul(tile, lists.queries); }
  Value getNumQueries() {
    auto &problem = lists.problem;
    return b.number(problem.getExtent(problem.getQueryAxis()));
  }
  Value clampQuery(Value query) {
    auto &problem = lists.problem;
    return b.minimum(query, b.number(problem.getLast(problem.getQueryAxis())));
  }
  Value loadWord(Value pointer, Value place) {
    return b.load(b.element(pointer, place, 4), b.getI32Type(), 4);
  }
  void storeWord(Value word, Value pointer, Value place) {
    b.store(word, b.element(pointer, place, 4), 4);
  }
  /// Bits of live keys, of those of the mask, and the other way round.
  Value asLive(Value word) { return lists.liveIf ? word : b.bitXor(word, -1); }
  Value asMask(Value condition) {
    return b.select(condition, b.i32(-1), b.i32(0));
  }
  Value unlessOthers(Value condition) {
    return hasOthers ? b.bitAnd(condition, b.isEqual(asMask(hasOthers), 0))
                     : condition;
  }
  Value ballot(Value condition) {
    return NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), condition,
                                    NVVM::VoteSyncKind::ballot);
  }

  Value loadNumKeys(Value point, Value first);
  void unite(Value point, Value first, Value leaving, Value unions);
  Value countStep(Value ofArray, Value step);
  std::pair<Value, Value> classify(Value count);
  std::array<Counts, 2> countSteps(Value ofAll, Value ofStaying);
  std::pair<Value, Value> price(const Counts &counts);
  void writeSteps(Value point, Value tile, Value any, Value each,
                  Value withoutSparse, Value numPacked);
  Value findOthers(Value point, Value tile, Value keys);
  void writeNumbers(Value bits, Value first, Value numbers, Value place);
  void writeColumns(Value point, Value tile, Value any, Value count);
  void writeBitsOfColumns(Value point, Value tile, Value count, Value padded);
  void packQueries(Value point);
  void sortTiles(Value point);
  Value getMoved(Value point, Value word);

  StepLists &lists;
  detect::Kernel &b;
  Value words, steps;
  int64_t wordsOfStep;
  /// Whether the tile packs nothing, and has no full steps: numbers that are
  /// added have to be read. Null if none are.
  Value hasOthers;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MASKS_LISTEMITTER_H
