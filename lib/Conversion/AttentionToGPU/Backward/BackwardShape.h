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
// steps. Rows lie in panels, see Wgmma/RowPanels.h. For the gradient of a
// modifier it has one tile, and steps are points of the batch that are added
// up: then both kinds of rows come with each step.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDSHAPE_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDSHAPE_H

#include "Conversion/AttentionToGPU/Wgmma/WgmmaShape.h"

namespace mlir::pit::attention {

/// Which gradients a kernel computes. Each has sums of its own rows alone, so
/// that no two blocks add to the same element, and the order of sums is fixed;
/// scores are computed in all of them. Wide rows have a kernel each for keys
/// and for values, as registers hold one of the sums.
enum class BackwardPass { Queries, KeysAndValues, Keys, Values, Modifier };

struct BackwardShape {
  BackwardShape(AttendBackwardOp op, AttentionPlanAttr plan, BackwardPass pass)
      : pass(pass), rows(plan.getQueries()), columns(plan.getKeys()),
        // Stages with rows are as large as two without.
        stages(pass == BackwardPass::Modifier
                   ? std::max<int64_t>(plan.getStages() / 2, 1)
                   : plan.getStages()),
        consumers(rows / 64), scoreWidth(op.getAxisExtent(op.getScoreAxis())),
        valueWidth(op.getAxisExtent(op.getValueAxis())) {}

  BackwardPass pass;
  int64_t rows, columns, stages, consumers, scoreWidth, valueWidth;

  /// Whether rows of a block are queries, or keys.
  bool rowsAreQueries() const {
    return pass == BackwardPass::Queries || pass == BackwardPass::Modifier;
  }
  bool isOfModifier() const { return pass == BackwardPass::Modifier; }
  /// Whether gradients of weights are needed; those of values are sums of
  /// weights alone.
  bool hasOfWeights() const { return pass != BackwardPass::Values; }
  bool hasKeys() const {
    return pass == BackwardPass::Keys || pass == BackwardPass::KeysAndValues;
  }
  bool hasValues() const {
    return pass == BackwardPass::Values || pass == BackwardPass::KeysAndValues;
  }

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
  // both of the columns, and of rows that come with them; two numbers for each
  // column of a stage; barriers.
  int64_t getSecondOfRows() const { return getBytes(rows, scoreWidth); }
  int64_t getRowBytes() const {
    return getSecondOfRows() +
           (hasOfWeights() ? getBytes(rows, valueWidth) : 0);
  }
  int64_t getColumns() const { return isOfModifier() ? 0 : getRowBytes(); }
  int64_t getSecondOfColumns() const { return getBytes(columns, scoreWidth); }
  int64_t getColumnBytes() const {
    return getSecondOfColumns() + getBytes(columns, valueWidth);
  }
  int64_t getStageBytes() const {
    return getColumnBytes() + (isOfModifier() ? getRowBytes() : 0);
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
