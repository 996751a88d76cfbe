//===- DeadRows.h - Dead rows zeroed in shared memory -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where pieces of single rows are dead, a step has whole rows of A in shared
// memory that must not be multiplied, as they may hold anything. The copy
// engine brings them nevertheless, as it does not pay to ask for rows one by
// one. Warps that have nothing to do while one thread loads clear them, before
// those that multiply take the stage.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_DEADROWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_DEADROWS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Ring.h"
#include "GPU/Pipeline/Scheduler.h"

namespace mlir::pit::hopper {

/// Emits their loop over the scheduler's tiles. A is k-major, and a bit for
/// each row and step, in words across rows, says what is live.
void emitClearing(Ring &ring, const ContractionKernel &kernel,
                  const KernelState &state, Scheduler &scheduler);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_DEADROWS_H
