//===- Scheduler.h - Which block computes which tiles -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_SCHEDULER_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_SCHEDULER_H

#include "ContractionKernel.h"

#include <memory>

namespace mlir::pit::hopper {

/// Blocks take the tiles numbered `blockIdx`, `blockIdx + gridDim`, ...; a
/// scheduler says how many there are and where each one lies.
class Scheduler {
public:
  virtual ~Scheduler() = default;

  /// Emits, once, what does not depend on the tile.
  virtual void prepare(KernelBuilder &builder, const KernelState &state) = 0;
  virtual Value getNumTiles() = 0;
  virtual TilePosition getPosition(KernelBuilder &builder, Value tile) = 0;
};

/// Tiles of one dense output, in groups that are `groupM` tiles high and as
/// wide as the output, column by column within a group.
std::unique_ptr<Scheduler> createGroupedScheduler(const ContractionKernel &k);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_SCHEDULER_H
