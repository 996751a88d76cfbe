//===- WgmmaEmitter.h - The kernel of attention with wgmma ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAEMITTER_H

#include "Conversion/AttentionToGPU/Rows/RowTile.h"
#include "WgmmaBlock.h"

namespace mlir::pit::attention {

/// Emits the kernel: see WgmmaAttention.cpp for its steps, and WgmmaListed.cpp
/// for what is of tiles whose steps are listed.
class WgmmaEmitter : WgmmaBlock {
public:
  WgmmaEmitter(Problem &problem, AttentionPlanAttr plan, const Guards &guards,
               Summaries &summaries, detect::Kernel &b)
      : WgmmaBlock(problem, plan, b), guards(guards), summaries(summaries) {}
  /// Returns how many blocks there are to be, see Problem::forEachTile.
  Value run(int64_t cachedBytes);
  /// The same of tiles whose steps are listed.
  Value run(int64_t cachedBytes, StepLists &lists);

private:
  using Vector = SmallVector<Value>;

  void emitListedBlock(int64_t cachedBytes, StepLists &lists, Value ofLying,
                       Value ofPacked);
  void emitTile(Value tile);
  void emitConsumer(StepWalk &walk, LogitEmitter &logits);
  std::optional<ListedRows> getListedRows(Value warp);
  void storeRows(ArrayRef<Value> result, Value warp);
  Vector emitRun(StepWalk &walk, Value all, Place place);
  Vector emitSteps(StepWalk &walk, const StepWalk::Step &first,
                   ArrayRef<Value> state, Place place);
  Place skipSteps(StepWalk &walk, const StepWalk::Step &first,
                  ArrayRef<Value> state, Place place);
  Vector emitPlainSteps(StepWalk &walk, const StepWalk::Step &first,
                        ArrayRef<Value> state, Place place);
  Value issueScores(Place place);
  Value issueSums(Value sums, ArrayRef<Value> words, Place place);
  Value pack(ArrayRef<Value> elements);
  void release(int64_t offset, Value stage);
  /// Whether warpgroups take turns at products, as a block is alone.
  bool takesTurns() const { return shape.getBlocksAtOnce() == 1; }
  void takeTurn();
  void endTurn();

  const Guards &guards;
  Summaries &summaries;
  /// Of the thread: its warpgroup among those that multiply, and whether it is
  /// that one's first.
  Value consumer, isLeader;
  std::unique_ptr<RowTile> rows;
};

/// A row's state among the values that a loop carries.
inline RowState getRowState(ValueRange values) {
  return {{values[0], values[1]}, {values[2], values[3]}};
}

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAEMITTER_H
