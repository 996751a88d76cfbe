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

/// What contractions these kernels can take: any alignment, f32, f64 and i8.
hopper::MatchRequirements getRequirements();

/// What kernels are planned for.
struct MMATarget {
  const ChipModel &chip;
  /// That a block may have.
  int64_t sharedBytes;
  /// How f32 are multiplied.
  F32Products products;

  MMATarget(const ChipModel &chip, F32Products products,
            int64_t sharedBytes = 0)
      : chip(chip),
        sharedBytes(sharedBytes ? sharedBytes : chip.getSharedBytes()),
        products(products) {}
};

/// The kernel for a match. None if no tiles fit.
std::optional<MMAKernel> describeKernel(const hopper::ContractionMatch &match,
                                        const MMATarget &target);

/// What is chosen of a kernel.
PlanParts getPlan(const MMAKernel &kernel, KernelFamily family);

/// The kernel that computes a match as planned.
MMAKernel bindKernel(const hopper::ContractionMatch &match, PlanAttr plan,
                     const ChipModel &chip);

/// Forms contract ops on buffers that such kernels can compute. Returns how
/// many.
unsigned formKernels(func::FuncOp function,
                     const hopper::FamilyRegistry &families,
                     const MMATarget &target);

/// Gives each contract op of the function's body that has no plan one with
/// `mma.sync`, or with threads for f32 as they are, if one can compute it.
void planKernels(func::FuncOp function, const hopper::FamilyRegistry &families,
                 const MMATarget &target);

} // namespace mlir::pit::mma

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAPLAN_H
