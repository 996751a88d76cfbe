//===- KernelPlan.cpp - Wgmma kernels from #pit.plan and back -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "DescribePacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static PlanMask getMask(const ContractionKernel &kernel) {
  return kernel.maskedByBytes ? PlanMask::Bytes
         : kernel.masksRows() ? PlanMask::Rows
         : kernel.masked      ? PlanMask::Blocks
                              : PlanMask::None;
}

void mlir::pit::hopper::addDenseVariant(PlanParts &plan, VariantGuard guard,
                                        int64_t limit,
                                        const ContractionKernel &dense) {
  plan.addVariant(
      guard, limit,
      getPlan(dense, KernelFamily::Gemm).get(dense.inputType.getContext()));
}

PlanParts mlir::pit::hopper::getPlan(const ContractionKernel &kernel,
                                     KernelFamily family) {
  MLIRContext *context = kernel.inputType.getContext();
  PlanParts plan;
  plan.family = family;
  plan.tile = {kernel.tileM, kernel.tileN};
  plan.stages = kernel.stages;
  plan.consumers = kernel.consumers;
  plan.producer = kernel.hasProducer;
  plan.blocksPerSM = kernel.blocksAtOnce;
  plan.splitK = kernel.splitsK;
  plan.groupM = kernel.groupM;
  plan.swapAB = kernel.swapped;
  plan.swapTails = kernel.swapsTails;
  plan.extraRows = kernel.extraRows;
  plan.tmaStore = kernel.storesBoxes;
  plan.boxColumns = kernel.columnsOfBox;
  plan.dynamic = kernel.drawsTiles;
  plan.streamsB = kernel.largeBytesOfA;
  plan.copiesRows = kernel.packed && kernel.packed->copiesRows;
  plan.mask = getMask(kernel);
  int64_t rows = kernel.mostRows;
  for (const ContractionKernel *few = kernel.few.get(); few;
       few = few->few.get()) {
    ContractionKernel alone = *few;
    alone.few = nullptr;
    plan.addVariant(VariantGuard::Rows, rows,
                    getPlan(alone, family).get(context));
    rows = few->mostRows;
  }
  if (kernel.dense)
    addDenseVariant(
        plan, kernel.followsPacking ? VariantGuard::Packed : VariantGuard::Live,
        kernel.mostLive, *kernel.dense);
  return plan;
}

VariantAttr mlir::pit::hopper::findVariant(PlanAttr plan, VariantGuard guard) {
  if (plan.getVariants())
    for (auto variant : plan.getVariants().getAsRange<VariantAttr>())
      if (variant.getGuard() == guard)
        return variant;
  return nullptr;
}

/// What the plan says of tiles and the loop over them.
static void setLoop(PlanAttr plan, ContractionKernel &kernel) {
  kernel.tileM = plan.getTile()[0];
  kernel.tileN = plan.getTile()[1];
  kernel.stages = plan.getStages();
  kernel.consumers = plan.getConsumers();
  kernel.hasProducer = plan.getProducer();
  kernel.blocksAtOnce = plan.getBlocksPerSm();
  kernel.splitsK = plan.getSplitK();
  kernel.groupM = plan.getGroupM();
  kernel.swapped = plan.getSwapAb();
  kernel.swapsTails = plan.getSwapTails();
  kernel.extraRows = plan.getExtraRows();
  kernel.storesBoxes = plan.getTmaStore();
  kernel.columnsOfBox = plan.getBoxColumns();
  kernel.drawsTiles = plan.getDynamic();
  kernel.largeBytesOfA = plan.getStreamsB();
}

std::shared_ptr<ContractionKernel>
mlir::pit::hopper::bindDenseVariant(const ContractionMatch &match,
                                    PlanAttr plan) {
  ContractionMatch dense = withNothingSkipped(match);
  auto kernel = std::make_shared<ContractionKernel>(describeOperands(dense));
  setLoop(plan, *kernel);
  setMask(match, plan.getMask(), *kernel);
  setTails(dense, *kernel);
  return kernel;
}

/// The variants for fewer and fewer rows.
static void bindVariantsOfRows(const ContractionMatch &match, PlanAttr plan,
                               ContractionKernel &kernel) {
  ContractionKernel *last = &kernel;
  if (!plan.getVariants())
    return;
  for (auto variant : plan.getVariants().getAsRange<VariantAttr>()) {
    if (variant.getGuard() != VariantGuard::Rows)
      continue;
    auto few = std::make_shared<ContractionKernel>(kernel);
    few->few = nullptr;
    setLoop(variant.getPlan(), *few);
    setTails(match, *few);
    last->mostRows = variant.getLimit();
    last->few = few;
    last = few.get();
  }
}

ContractionKernel mlir::pit::hopper::bindKernel(const ContractionMatch &match,
                                                PlanAttr plan, int64_t parts) {
  ContractionKernel kernel = describeOperands(match);
  kernel.parts = parts;
  kernel.blocks = match.blocks;
  kernel.exchanged = match.blocks && match.exchanged;
  kernel.packed = match.packed;
  if (kernel.packed)
    kernel.packed->copiesRows = plan.getCopiesRows();
  kernel.sampled = match.sampled;
  setLoop(plan, kernel);
  setLists(match, kernel);
  setTails(match, kernel);
  bindVariantsOfRows(match, plan, kernel);
  for (VariantGuard guard : {VariantGuard::Live, VariantGuard::Packed})
    if (VariantAttr variant = findVariant(plan, guard)) {
      kernel.mostLive = variant.getLimit();
      kernel.followsPacking = guard == VariantGuard::Packed;
      kernel.dense = bindDenseVariant(match, variant.getPlan());
    }
  return kernel;
}
