//===- FamilyPlans.cpp - Plans of row-piece SpMM and masked SDDMM ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FamilyPlans.h"
#include "KernelPlan.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

PlanParts mlir::pit::hopper::planPieces(const ContractionMatch &match,
                                        const DeviceModel &device) {
  RowSumKernel kernel = describeRowSum(match, device);
  MLIRContext *context = kernel.inputType.getContext();
  PlanParts plan;
  plan.family = KernelFamily::Pieces;
  plan.tile = {RowSumKernel::kTileRows, RowSumKernel::kTileColumns};
  plan.stages = kernel.stages;
  plan.consumers = RowSumKernel::kConsumers;
  plan.pieces = kernel.piecesOfGroup;
  if (kernel.dense)
    plan.addVariant(
        VariantGuard::Live, kernel.mostLive,
        getPlan(*kernel.dense, KernelFamily::Gemm, context).get(context));
  return plan;
}

RowSumKernel mlir::pit::hopper::bindPieces(const ContractionMatch &match,
                                           PlanAttr plan) {
  RowSumKernel kernel = describeRowSumOperands(match);
  kernel.piecesOfGroup = plan.getPieces();
  if (VariantAttr variant = findVariant(plan, VariantGuard::Live)) {
    kernel.mostLive = variant.getLimit();
    kernel.dense = bindDenseVariant(match, variant.getPlan());
  }
  return kernel;
}

PlanParts mlir::pit::hopper::planWanted(const WantedMatch &match,
                                        const DeviceModel &device) {
  WantedKernel kernel = describeWanted(match, device);
  MLIRContext *context = kernel.tiles.inputType.getContext();
  PlanParts plan = getPlan(kernel.tiles, KernelFamily::Wanted, context);
  if (kernel.dense)
    plan.addVariant(
        VariantGuard::Wanted, kernel.mostWanted,
        getPlan(*kernel.dense, KernelFamily::Gemm, context).get(context));
  return plan;
}

WantedKernel mlir::pit::hopper::bindWanted(const WantedMatch &match,
                                           PlanAttr plan,
                                           int64_t numMultiprocessors) {
  WantedKernel kernel = describeGrid(match, numMultiprocessors);
  kernel.tiles = *bindDenseVariant(match.product, plan);
  if (VariantAttr variant = findVariant(plan, VariantGuard::Wanted)) {
    kernel.mostWanted = variant.getLimit();
    kernel.dense = bindDenseVariant(match.product, variant.getPlan());
  }
  return kernel;
}
