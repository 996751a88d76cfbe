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

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMASHAPE_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMASHAPE_H

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

  int64_t getThreads() const { return (consumers + 1) * 128; }
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
  int64_t getEmptyQueries() const {
    return getEmptyValues() + stages * kBarrierBytes;
  }
  int64_t getFullKeys() const { return getEmptyQueries() + kBarrierBytes; }
  int64_t getFullValues() const {
    return getFullKeys() + stages * kBarrierBytes;
  }
  int64_t getFullQueries() const {
    return getFullValues() + stages * kBarrierBytes;
  }
  /// Words that say whether to go over the keys again, of this tile and the
  /// next.
  int64_t getAgain() const { return getFullQueries() + kBarrierBytes; }
  int64_t getBytes() const { return getAgain() + kBarrierBytes; }
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMASHAPE_H
