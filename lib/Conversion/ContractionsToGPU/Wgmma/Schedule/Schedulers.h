//===- Schedulers.h - Persistent tile schedulers ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_SCHEDULE_SCHEDULERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_SCHEDULE_SCHEDULERS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Scheduler.h"

#include <memory>

namespace mlir::pit::hopper {

/// Tiles of listed blocks of an output.
std::unique_ptr<Scheduler>
createSampledScheduler(const ContractionKernel &kernel,
                       const KernelState &state);

/// Tiles of one dense output. Blocks take the tiles numbered `blockIdx`,
/// `blockIdx + gridDim`, ...
std::unique_ptr<Scheduler>
createGroupedScheduler(const ContractionKernel &kernel,
                       const KernelState &state);

/// Tiles of segments of rows, whose lengths are read on the device: segment by
/// segment, each with tiles of its own, none for an empty one.
std::unique_ptr<Scheduler>
createSegmentScheduler(const ContractionKernel &kernel,
                       const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_SCHEDULE_SCHEDULERS_H
