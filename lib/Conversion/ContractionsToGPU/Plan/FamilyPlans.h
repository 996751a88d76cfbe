//===- FamilyPlans.h - Plans of row-piece SpMM and masked SDDMM -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_FAMILYPLANS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_FAMILYPLANS_H

#include "PlanParts.h"
#include "RowSumKernel.h"
#include "WantedKernel.h"

namespace mlir::pit::hopper {

/// Of sums over pieces of rows.
PlanParts planPieces(const ContractionMatch &match, const DeviceModel &device);
RowSumKernel bindPieces(const ContractionMatch &match, PlanAttr plan);

/// Of blocks of C that a mask names.
PlanParts planWanted(const WantedMatch &match, const DeviceModel &device);
WantedKernel bindWanted(const WantedMatch &match, PlanAttr plan,
                        int64_t numMultiprocessors);

} // namespace mlir::pit::hopper

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_FAMILYPLANS_H
