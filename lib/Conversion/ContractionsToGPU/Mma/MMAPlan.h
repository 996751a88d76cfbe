//===- MMAPlan.h - #pit.plan of kernels with mma.sync -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAPLAN_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAPLAN_H

#include "Conversion/ContractionsToGPU/Match/MatchContract.h"
#include "Conversion/ContractionsToGPU/Plan/PlanParts.h"
#include "Conversion/ContractionsToGPU/Registry/FamilyRegistry.h"
#include "MMAKernel.h"

namespace mlir::pit::mma {

/// What contractions these kernels can take: any alignment, and f32.
hopper::MatchRequirements getRequirements();

/// The kernel for a match, in so much shared memory, and how f32 are
/// multiplied. None if no tiles fit.
std::optional<MMAKernel> describeKernel(const hopper::ContractionMatch &match,
                                        int64_t sharedBytes,
                                        F32Products products);

/// What is chosen of a kernel.
PlanParts getPlan(const MMAKernel &kernel, KernelFamily family);

/// The kernel that computes a match as planned.
MMAKernel bindKernel(const hopper::ContractionMatch &match, PlanAttr plan);

/// Forms contract ops on buffers that such kernels can compute. Returns how
/// many.
unsigned formKernels(func::FuncOp function,
                     const hopper::FamilyRegistry &families,
                     int64_t sharedBytes, F32Products products);

/// Gives each contract op of the function's body that has no plan one with
/// `mma.sync`, or with threads for f32 as they are, if one can compute it.
void planKernels(func::FuncOp function, const hopper::FamilyRegistry &families,
                 int64_t sharedBytes, F32Products products);

} // namespace mlir::pit::mma

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAPLAN_H
