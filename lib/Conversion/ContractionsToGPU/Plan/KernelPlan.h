//===- KernelPlan.h - Wgmma kernels from #pit.plan and back -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPLAN_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPLAN_H

#include "DescribeKernel.h"
#include "PlanParts.h"

namespace mlir::pit::hopper {

/// What is chosen of a kernel that computes a match.
PlanParts getPlan(const ContractionKernel &kernel, KernelFamily family);
/// Adds the kernel of the same products with nothing skipped.
void addDenseVariant(PlanParts &plan, VariantGuard guard, int64_t limit,
                     const ContractionKernel &dense);

/// The kernel that computes a match as planned. What the match says itself
/// (types, layouts, lists, where extents end inside of tiles) comes from there.
ContractionKernel bindKernel(const ContractionMatch &match, PlanAttr plan,
                             int64_t parts = 1);

/// The kernel with nothing skipped of a match that skips something.
std::shared_ptr<ContractionKernel>
bindDenseVariant(const ContractionMatch &match, PlanAttr plan);

/// The plan's variant of such a guard, or null.
VariantAttr findVariant(PlanAttr plan, VariantGuard guard);

} // namespace mlir::pit::hopper

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPLAN_H
