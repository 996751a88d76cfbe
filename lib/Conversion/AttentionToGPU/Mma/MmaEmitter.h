//===- MmaEmitter.h - The kernel of attention with mma.sync -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAEMITTER_H

#include "KeyParts.h"

#include "Conversion/AttentionToGPU/Rows/RowTile.h"

#include "GPU/Kernel/MMABuilder.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::pit::attention {

/// Rows of an operand in shared memory.
struct RowShape {
  static constexpr int64_t kChunkBytes = 16, kElementBytes = 2;

  explicit RowShape(int64_t width)
      : chunks(width * kElementBytes / kChunkBytes),
        padded(llvm::PowerOf2Ceil(chunks)) {}
  int64_t getBytes() const { return padded * kChunkBytes; }

  int64_t chunks, padded;
};

/// Emits the kernel: see MmaAttention.cpp for its steps.
class MmaEmitter {
public:
  /// With `parts`, blocks have parts of keys; if it `repairs`, it computes
  /// those of tiles alone of which a row has no live logit in any part.
  MmaEmitter(Problem &problem, AttentionPlanAttr plan, const Guards &guards,
             Summaries &summaries, detect::Kernel &b, KeyParts *parts = nullptr,
             bool repairs = false);
  /// Returns how many blocks there are to be.
  Value run(int64_t cachedBytes);

private:
  using Vector = SmallVector<Value>;

  mma::MMABuilder mma() { return mma::MMABuilder(b.getLoc(), b); }
  Value constant(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value truth(bool value) {
    return arith::ConstantOp::create(b, b.getBoolAttr(value));
  }
  Value chunkAddress(const RowShape &shape, Value tile, Value row, Value chunk);
  Value getStage(Value stage);
  void copyRows(unsigned operand, const RowShape &shape, unsigned axis,
                Value tile, Value first, int64_t count);
  void copyStep(Value stage, Value step);
  void loadQueries();
  void emitTile(Value tile);
  Vector emitRun(StepWalk &walk, Value all);
  Vector joinShares(ArrayRef<Value> sums);
  void storeRows(const RowState &state, ArrayRef<Value> sums);
  Vector emitScores(Value tile);
  Vector emitProducts(StepWalk &walk, const StepWalk::Step &step, Value stage,
                      ValueRange sums);

  Problem &problem;
  AttentionPlanAttr plan;
  const Guards &guards;
  Summaries &summaries;
  detect::Kernel &b;
  KeyParts *parts;
  bool repairs;
  int64_t queries, keys, stages, keysOfWarp;
  RowShape ofQuery, ofValue;
  Value shared;
  /// Of the block: the numbers of its batch, and its first query.
  Vector batch;
  Value first;
  KeyParts::Block block;
  /// Of the thread: its warp's first row in the tile, which of the warps with
  /// these rows it is, and the first of its keys in a step.
  Value lane, warpRow, share, firstKey;
  Vector fragmentsOfQ;
  std::unique_ptr<RowTile> rows;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAEMITTER_H
