//===- WgmmaLoader.h - The warpgroup that loads -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMALOADER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMALOADER_H

#include "WgmmaBlock.h"

namespace mlir::pit::attention {

/// Fills the rings of K and V with steps that live, by the copy engine, and
/// with packed steps row by row.
class WgmmaLoader {
public:
  WgmmaLoader(WgmmaBlock &block, const Guards &guards)
      : block(block), problem(block.problem), guards(guards), b(block.b),
        shape(block.shape) {}

  void emit(StepWalk &walk);

private:
  using Place = WgmmaBlock::Place;
  using Vector = SmallVector<Value>;
  /// The rows of an operand that a stage holds: how many, in how many panels,
  /// where the first stage lies, and how many bytes each has.
  struct Target {
    unsigned operand, axis;
    int64_t rows, panels, offset, stageBytes, emptyBarriers, fullBarriers;
  };

  Target getTarget(unsigned operand);
  Place load(StepWalk &walk, Value all, Place place);
  void loadQueries(Value loader);
  void fill(const Target &target, const StepWalk::Step &step, Place place);
  void copyStage(const Target &target, Value first, Value stage, Value barrier);
  void gatherRows(const Target &target, Value numbers, Value stage,
                  Value barrier);

  WgmmaBlock &block;
  Problem &problem;
  const Guards &guards;
  detect::Kernel &b;
  const WgmmaShape &shape;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMALOADER_H
