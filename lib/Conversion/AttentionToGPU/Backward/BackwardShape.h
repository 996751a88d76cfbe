//===- BackwardShape.h - Shared memory of gradients of attention -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has rows of two operands, and goes over rows of two other ones in
// steps. Rows lie in panels, see Wgmma/RowPanels.h.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDSHAPE_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDSHAPE_H

#include "Conversion/AttentionToGPU/Wgmma/WgmmaShape.h"

namespace mlir::pit::attention {

/// Which gradients a kernel computes. Each has sums of its own rows alone, so
/// that no two blocks add to the same element, and the order of sums is fixed;
/// scores are computed in both.
enum class BackwardPass { Queries, KeysAndValues };

struct BackwardShape {
  BackwardShape(AttendBackwardOp op, AttentionPlanAttr plan)
      : rows(plan.getQueries()), columns(plan.getKeys()),
        stages(plan.getStages()), consumers(rows / 64),
        scoreWidth(op.getAxisExtent(op.getScoreAxis())),
        valueWidth(op.getAxisExtent(op.getValueAxis())) {}

  int64_t rows, columns, stages, consumers, scoreWidth, valueWidth;

  int64_t getMultiplying() const { return consumers * 128; }
  int64_t getThreads() const { return getMultiplying() + 128; }
  /// Registers of a thread of the warpgroup that loads, and of others: of
  /// 65536, as many as a block is given at its start.
  int64_t getLoadingRegisters() const { return consumers > 2 ? 32 : 40; }
  int64_t getMultiplyingRegisters() const { return consumers > 2 ? 160 : 232; }

  static int64_t getBytes(int64_t count, int64_t width) {
    return llvm::divideCeil(width, WgmmaShape::kPanel) * count *
           WgmmaShape::kRowBytes;
  }
  // Offsets in shared memory: both operands of the rows, then, stage by stage,
  // both of the columns; two numbers for each column of a stage; barriers.
  int64_t getSecondOfRows() const { return getBytes(rows, scoreWidth); }
  int64_t getColumns() const {
    return getSecondOfRows() + getBytes(rows, valueWidth);
  }
  int64_t getSecondOfColumns() const { return getBytes(columns, scoreWidth); }
  int64_t getStageBytes() const {
    return getSecondOfColumns() + getBytes(columns, valueWidth);
  }
  int64_t getNumbers() const { return getColumns() + stages * getStageBytes(); }
  int64_t getNumbersOfStage() const { return 2 * columns * 4; }
  int64_t getBarriers() const {
    return getNumbers() + stages * getNumbersOfStage();
  }
  int64_t getEmpty() const { return getBarriers(); }
  int64_t getFull() const {
    return getEmpty() + stages * WgmmaShape::kBarrierBytes;
  }
  int64_t getFullRows() const {
    return getFull() + stages * WgmmaShape::kBarrierBytes;
  }
  int64_t getBytes() const { return getFullRows() + WgmmaShape::kBarrierBytes; }
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDSHAPE_H
