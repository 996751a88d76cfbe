//===- ReportMatch.cpp - Which ops a match takes --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportMatch.h"

#include "Conversion/ContractionsToGPU/Form/ReportParts.h"

#include "PIT/Support/Remarks.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

Operation *mlir::pit::hopper::getProduct(const ContractionMatch &match) {
  auto *it = llvm::find_if(match.ops, [](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return isa<TiledOp>(op) ||
           (structured && structured.getNumReductionLoops() > 0);
  });
  return it == match.ops.end() ? match.ops.back() : *it;
}

void mlir::pit::hopper::reportParts(const ContractionMatch &match) {
  pit::reportParts(match.ops, getProduct(match));
}

void mlir::pit::hopper::reportEpilogueEnd(const ContractionMatch &match) {
  if (match.epilogueEnd)
    remarks::missed(match.epilogueEnd, remarks::kFusion, "epilogue")
        << ("not in the epilogue of the product at " +
            remarks::spell(getProduct(match)->getLoc()))
        << remarks::reason(match.whyEpilogueEnds);
}
