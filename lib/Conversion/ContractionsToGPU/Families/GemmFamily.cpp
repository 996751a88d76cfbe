//===- GemmFamily.cpp - Dense GEMM ----------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TileLoopKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class GemmFamily : public TileLoopFamily {
public:
  GemmFamily() : TileLoopFamily(KernelFamily::Gemm, "dense GEMM") {}

  bool hasWarpKernels() const override { return true; }
  MatrixElement getElements() const override {
    return TileLoopFamily::getElements() | MatrixElement::FP8;
  }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      return matchDenseContraction(structured, taken, needs);
    return failure();
  }
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createGemmFamily() {
  return std::make_unique<GemmFamily>();
}
