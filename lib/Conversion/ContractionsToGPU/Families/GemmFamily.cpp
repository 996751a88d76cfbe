//===- GemmFamily.cpp - Dense GEMM, and batched GEMM ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Form/ProductLoops.h"
#include "Families.h"
#include "TileLoopKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// Families of whole matrices, which are loaded by the copy engine alone.
class WholeMatrixFamily : public TileLoopFamily {
public:
  using TileLoopFamily::TileLoopFamily;

  MatrixElement getElements() const override {
    return TileLoopFamily::getElements() | MatrixElement::FP8 |
           MatrixElement::I8;
  }
};

class GemmFamily : public WholeMatrixFamily {
public:
  GemmFamily() : WholeMatrixFamily(KernelFamily::Gemm, "dense GEMM") {}

  bool hasWarpKernels() const override { return true; }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      return failure();
    needs.dynamic = !needs.aligned;
    if (!hasBatches(structured))
      return matchDenseContraction(structured, taken, needs);
    // Their family says what it refuses.
    return needs.log.pass();
  }
};

class BatchedFamily : public WholeMatrixFamily {
public:
  BatchedFamily() : WholeMatrixFamily(KernelFamily::Batched, "batched GEMM") {}

  bool hasWarpKernels() const override { return true; }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !hasBatches(structured))
      return failure();
    needs.dynamic = !needs.aligned;
    return matchBatchedContraction(structured, taken, needs);
  }
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createGemmFamily() {
  return std::make_unique<GemmFamily>();
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createBatchedFamily() {
  return std::make_unique<BatchedFamily>();
}
