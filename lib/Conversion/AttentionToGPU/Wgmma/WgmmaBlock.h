//===- WgmmaBlock.h - A block of attention with wgmma -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the warpgroups of a block share: the tile that it computes, and shared
// memory with its barriers.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMABLOCK_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMABLOCK_H

#include "Conversion/AttentionToGPU/Masks/StepLists.h"
#include "Conversion/AttentionToGPU/Steps/StepWalk.h"
#include "WgmmaShape.h"

namespace mlir::pit::attention {

struct WgmmaBlock {
  /// Emits the start of a kernel: tensor maps become its parameters.
  WgmmaBlock(Problem &problem, AttentionPlanAttr plan, detect::Kernel &b);

  /// A stage of a ring, and the phase of its barriers.
  struct Place {
    Value stage, phase;
  };
  Place advance(Place place);
  /// Emits `body` for each step from the first one on, and its place in the
  /// rings; returns the place behind the last. For warps that compute nothing.
  Place forEachStep(StepWalk &walk, const StepWalk::Step &first,
                    ArrayRef<Value> state, Place place,
                    function_ref<void(const StepWalk::Step &, Place)> body);

  Value barrier(int64_t offset) { return b.advance(shared, offset); }
  Value barrier(int64_t offset, Value stage) {
    return b.advance(shared,
                     b.add(b.mul(stage, WgmmaShape::kBarrierBytes), offset));
  }
  Value truth(bool value) {
    return arith::ConstantOp::create(b, b.getBoolAttr(value));
  }
  void initBarriers();

  Problem &problem;
  detect::Kernel &b;
  const WgmmaShape shape;
  Value maps[3];
  Value shared, address;
  /// The numbers of its batch, and its first query, of no account if `listed`.
  SmallVector<Value> batch;
  Value first;

  /// Where steps are listed, see StepLists.
  struct Listed {
    StepLists *lists;
    /// Points of the mask's batch and of all of it.
    Value point, pointOfBatch;
    /// Whether the tile is one of packed queries. Of those, its number and the
    /// part of its steps; else its number. The other is 0.
    Value isPacked, packedTile, part, tile;
    /// How many queries are packed; the largest number if the tile is not.
    Value numRows;
    /// Whether numbers that are added are more than a mask; null if none are.
    Value readsAdded;
    ListedSteps steps;
  };
  std::optional<Listed> listed;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMABLOCK_H
