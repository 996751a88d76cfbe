//===- PipelineShape.h - A ring of stages in shared memory ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_PIPELINESHAPE_H
#define PIT_LIB_GPU_PIPELINE_PIPELINESHAPE_H

#include <cstdint>
#include <optional>

namespace mlir::pit::hopper {

/// The stages that loads run ahead by, and the barriers that say whose turn it
/// is. Offsets are bytes in the block's dynamic shared memory, which starts
/// with the stages.
struct PipelineShape {
  int64_t stages = 0;
  int64_t stageBytes = 0;
  /// A barrier per stage for when it may be filled, ...
  int64_t emptyOffset = 0;
  /// ... for when it is, ...
  int64_t fullOffset = 0;
  /// ... and, if something is done to it before it is multiplied, for when that
  /// is done.
  std::optional<int64_t> readyOffset;
  /// Arrivals that give a stage back, and those that say that it is ready.
  int64_t emptyArrivals = 1, readyArrivals = 0;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_PIPELINESHAPE_H
