//===- PlanParts.cpp - Fields of #pit.plan while it is made ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanParts.h"

using namespace mlir;
using namespace mlir::pit;

PlanParts::PlanParts(PlanAttr plan)
    : family(plan.getFamily()), engine(plan.getEngine()),
      tile(plan.getTile().asArrayRef()), stages(plan.getStages()),
      consumers(plan.getConsumers()), producer(plan.getProducer()),
      blocksPerSM(plan.getBlocksPerSm()), splitK(plan.getSplitK()),
      groupM(plan.getGroupM()), swapAB(plan.getSwapAb()),
      swapTails(plan.getSwapTails()), extraRows(plan.getExtraRows()),
      tmaStore(plan.getTmaStore()), boxColumns(plan.getBoxColumns()),
      dynamic(plan.getDynamic()), copiesRows(plan.getCopiesRows()),
      streamsB(plan.getStreamsB()), pieces(plan.getPieces()),
      mask(plan.getMask()), group(plan.getGroup()), part(plan.getPart()),
      rowsFrom(plan.getRowsFrom()), bitsFrom(plan.getBitsFrom()),
      tf32(plan.getTf32()) {
  if (plan.getWarpTile())
    warpTile.assign(plan.getWarpTile().asArrayRef().begin(),
                    plan.getWarpTile().asArrayRef().end());
  if (plan.getVariants())
    llvm::append_range(variants, plan.getVariants());
}

PlanAttr PlanParts::get(MLIRContext *context) const {
  Builder b(context);
  auto extents = [&](ArrayRef<int64_t> values) {
    return values.empty() ? DenseI64ArrayAttr()
                          : b.getDenseI64ArrayAttr(values);
  };
  return PlanAttr::get(
      context, family, engine, extents(tile), extents(warpTile), stages,
      consumers, producer, blocksPerSM, splitK, groupM, swapAB, swapTails,
      extraRows, tmaStore, boxColumns, dynamic, streamsB, copiesRows, pieces,
      mask, group, part, rowsFrom, bitsFrom, tf32,
      variants.empty() ? ArrayAttr() : b.getArrayAttr(variants));
}
