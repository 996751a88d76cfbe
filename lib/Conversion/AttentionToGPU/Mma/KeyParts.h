//===- KeyParts.h - Keys that several blocks share --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few queries with many keys do not fill a card with tiles. Keys are cut into
// parts, a block each, as in Flash-Decoding (Dao et al., 2023). A part leaves
// sums of values that are not divided, the largest logit and the sum of
// weights. A second kernel joins them in the order of parts, so that results
// are the same in each run.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_KEYPARTS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_KEYPARTS_H

#include "Conversion/AttentionToGPU/Logits/LogitEmitter.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

/// How many blocks of a plan run on the card at a time, as far as parts are
/// chosen by it.
int64_t getBlocksOfCard(AttentionPlanAttr plan, int64_t sharedBytes,
                        const ChipModel &chip);
/// How many parts `steps` steps of each of `tiles` tiles are cut into, so that
/// so many blocks are not exceeded.
int64_t countParts(int64_t blocks, int64_t tiles, int64_t steps);

class KeyParts {
public:
  /// Parts of `steps` steps of a plan's tiles: as many as it says where all
  /// extents are known, else at most so many that `blocks` blocks run.
  KeyParts(Problem &problem, AttentionPlanAttr plan, int64_t blocks);

  /// How many parts there are, a number of the host, and all tiles and parts.
  Value getParts() { return parts; }
  Value getBlocks();
  /// Of a block: its tile's point of the batch, its tile, and its part.
  struct Block {
    Value point, tile, part;
  };
  Block getBlock(detect::Kernel &b);
  /// The first step of a part, which is the end of the one before.
  Value getFirstStep(detect::Kernel &b, Value part);
  /// What a part leaves of a tile's row, of f32: its sums, its largest logit,
  /// its sum of weights.
  Value getPartial(detect::Kernel &b, Value point, Value tile, Value part,
                   Value row);
  /// Emits, for all threads of a block of the tile, whether any row has no
  /// logit above `deadUpTo` in any part: an i1, and a barrier.
  Value hasDeadRow(detect::Kernel &b, Value point, Value tile, double deadUpTo);
  /// Launches the kernel that joins the parts and stores the result.
  void launchJoin(gpu::GPUModuleOp module, StringRef name, const Guards &guards,
                  Summaries &summaries);

private:
  void joinRow(detect::Kernel &b, LogitEmitter &logits, ArrayRef<Value> batch,
               Value point, Value row, Value exists);
  SmallVector<Value> joinWarps(detect::Kernel &b, ArrayRef<Value> ofWarp);
  int64_t getRowBytes() { return (problem.getValueWidth() + 2) * 4; }

  Problem &problem;
  int64_t rows, keys;
  /// Warps that join the parts of a row.
  int64_t warpsOfRow;
  Value parts, buffer;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_KEYPARTS_H
