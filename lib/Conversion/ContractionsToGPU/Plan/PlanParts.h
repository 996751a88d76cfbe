//===- PlanParts.h - Fields of #pit.plan while it is made -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_PLANPARTS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_PLANPARTS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// See `#pit.plan` for what they mean. Their defaults are the attribute's.
struct PlanParts {
  KernelFamily family = KernelFamily::Gemm;
  KernelEngine engine = KernelEngine::Wgmma;
  SmallVector<int64_t> tile, warpTile;
  int64_t stages = 1, consumers = 1;
  bool producer = true;
  int64_t blocksPerSM = 1, splitK = 1, groupM = 16;
  bool swapAB = false, swapTails = false;
  int64_t extraRows = 0;
  bool tmaStore = false;
  int64_t boxColumns = 0;
  bool dynamic = false, copiesRows = false;
  int64_t streamsB = 0;
  int64_t pieces = 1;
  PlanMask mask = PlanMask::None;
  int64_t group = -1, part = 0, rowsFrom = -1, bitsFrom = -1;
  int64_t tf32 = 0;
  SmallVector<Attribute> variants;

  PlanParts() = default;
  explicit PlanParts(PlanAttr plan);

  void addVariant(VariantGuard guard, int64_t limit, PlanAttr plan) {
    variants.push_back(VariantAttr::get(plan.getContext(), guard, limit, plan));
  }
  PlanAttr get(MLIRContext *context) const;
};

} // namespace mlir::pit

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_PLAN_PLANPARTS_H
