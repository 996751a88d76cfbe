//===- WgmmaShape.h - Shared memory of attention with wgmma -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of Q, K and V lie in panels of 64 elements, 128 bytes, as the copy
// engine swizzles them and matrix descriptors find them. What a panel has
// beyond the last element of a row is zero.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMASHAPE_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMASHAPE_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"

namespace mlir::pit::attention {

struct WgmmaShape {
  WgmmaShape(AttendOp op, AttentionPlanAttr plan)
      : queries(plan.getQueries()), keys(plan.getKeys()),
        stages(plan.getStages()), consumers(queries / kRowsOfWarpgroup),
        scoreWidth(op.getAxisExtent(op.getScoreAxis())),
        valueWidth(op.getAxisExtent(op.getValueAxis())) {}

  static constexpr int64_t kRowsOfWarpgroup = 64, kPanel = 64, kRowBytes = 128,
                           kBarrierBytes = 8;

  int64_t queries, keys, stages, consumers, scoreWidth, valueWidth;

  /// Those that multiply come first, then the warpgroup that loads: the
  /// scheduler prefers low numbers. Measured: 2 to 5 % of causal and dense
  /// heads of 64 to 128, and 8 % where two blocks share the multiprocessor.
  static constexpr int64_t kLoading = 128;
  int64_t getMultiplying() const { return consumers * 128; }
  int64_t getThreads() const { return getMultiplying() + kLoading; }
  /// Blocks that a multiprocessor runs at a time: two where registers hold them
  /// all. Then the start and the end of one lie beside products of the other,
  /// which is what counts where a block has few steps; four warpgroups overlap
  /// products and weights enough without doing so each by itself.
  int64_t getBlocksAtOnce() const {
    return consumers == 2 && keys + valueWidth <= 128 ? 2 : 1;
  }
  /// Registers of a thread, which the warpgroup that loads gives to the others:
  /// of 65536, or half of them, as many as a block is given at its start.
  int64_t getLoadingRegisters() const {
    return consumers == 2 && getBlocksAtOnce() == 1 ? 40 : 32;
  }
  int64_t getMultiplyingRegisters() const {
    return consumers > 2 ? 160 : getBlocksAtOnce() > 1 ? 104 : 232;
  }
  /// Those of numbers that are loaded while scores are computed, see RowTile:
  /// what scores, sums, weights of the step before if products still read them,
  /// and others leave. Where two blocks share the multiprocessor, more of them
  /// pay than there is room for: a bias of bf16 takes .423 ms with 16 of them
  /// and some registers in memory, .463 ms without (H200).
  int64_t getRegistersAhead() const {
    bool isShared = getBlocksAtOnce() > 1;
    int64_t weights = isShared ? 0 : keys / 4, others = isShared ? 24 : 64;
    return std::max<int64_t>(getMultiplyingRegisters() - keys / 2 -
                                 valueWidth / 2 - weights - others,
                             0);
  }
  int64_t getScorePanels() const {
    return llvm::divideCeil(scoreWidth, kPanel);
  }
  int64_t getValuePanels() const {
    return llvm::divideCeil(valueWidth, kPanel);
  }
  int64_t getQueryBytes() const {
    return getScorePanels() * queries * kRowBytes;
  }
  int64_t getKeyBytes() const { return getScorePanels() * keys * kRowBytes; }
  int64_t getValueBytes() const { return getValuePanels() * keys * kRowBytes; }

  // Offsets in shared memory: Q, then K of all stages, V of all stages, and
  // barriers. Those that say that a stage is empty come first, see
  // hopper::getPipelineShape.
  int64_t getKeys() const { return getQueryBytes(); }
  int64_t getValues() const { return getKeys() + stages * getKeyBytes(); }
  int64_t getBarriers() const { return getValues() + stages * getValueBytes(); }
  int64_t getEmptyKeys() const { return getBarriers(); }
  int64_t getEmptyValues() const {
    return getEmptyKeys() + stages * kBarrierBytes;
  }
  int64_t getFullKeys() const {
    return getEmptyValues() + stages * kBarrierBytes;
  }
  int64_t getFullValues() const {
    return getFullKeys() + stages * kBarrierBytes;
  }
  int64_t getFullQueries() const {
    return getFullValues() + stages * kBarrierBytes;
  }
  /// A word that says whether to go over the keys again.
  int64_t getAgain() const { return getFullQueries() + kBarrierBytes; }
  int64_t getBytes() const { return getAgain() + kBarrierBytes; }
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMASHAPE_H
