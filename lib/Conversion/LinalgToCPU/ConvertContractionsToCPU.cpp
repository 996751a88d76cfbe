//===- ConvertContractionsToCPU.cpp - Contractions to blocked vector loops ===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "PIT/Conversion/LinalgToCPU/Contraction.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "FilledResults.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTCONTRACTIONSTOCPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ConvertContractionsToCPUPass
    : pit::impl::ConvertContractionsToCPUBase<ConvertContractionsToCPUPass> {
  using ConvertContractionsToCPUBase::ConvertContractionsToCPUBase;

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    CPUTarget target = CPUTarget::get(features, vectorBits);
    // These take subnormal numbers as zero.
    target.hasBF16Products &= !strict;
    if (!target.isValid()) {
      emitError(getOperation().getLoc(),
                "vector-bits must be 128, 256 or 512, not ")
          << vectorBits.getValue();
      return signalPassFailure();
    }
    // Fills are found before loops hide who reads what.
    struct Found {
      linalg::LinalgOp op;
      Contraction contraction;
      linalg::FillOp fill;
    };
    SmallVector<Found, 0> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      Refusals refusals(op);
      MatchLog log(refusals, "vectorised GEMM");
      FailureOr<Contraction> contraction = matchContraction(op, log);
      bool isConvolution = false;
      if (failed(contraction)) {
        // Of windows of single channels, as in a depthwise convolution, there
        // are no matrices.
        contraction = matchWindows(op);
        isConvolution = succeeded(contraction) && !contraction->m.empty() &&
                        !contraction->n.empty();
        if (!isConvolution)
          contraction = failure();
      }
      // Nothing is read twice; partial sums of loops are more exact.
      if (succeeded(contraction) && contraction->m.empty() &&
          contraction->n.empty())
        contraction = log.refuse("no loop is on one of its inputs alone");
      if (failed(contraction))
        return refusals.tell(op, "a GEMM of vectors", "loops");
      remarks::kernel(op, isConvolution ? "convolution as vectorised GEMM"
                                        : "vectorised GEMM")
          << remarks::metric("VectorBits", target.vectorBits);
      linalg::FillOp fill = findFillOfResult(op);
      if (fill && remarks::areCollected(op))
        remarks::passed(fill, remarks::kFusion, "start")
            << "sums start there in the product at " +
                   remarks::spell(op->getLoc());
      contractions.push_back({op, *contraction, fill});
    });
    for (auto &[op, contraction, fill] : contractions)
      lowerContraction(op, contraction, target, threadWork, fill);
    numContractions += contractions.size();
  }
};

} // namespace
