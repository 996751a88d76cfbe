//===- ConvolutionFamily.cpp - Convolutions as implicit GEMM --------------===//
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

class ConvolutionFamily : public TileLoopFamily {
public:
  ConvolutionFamily()
      : TileLoopFamily(KernelFamily::Convolution, "convolution") {}

  bool hasWarpKernels() const override { return true; }
  MatrixElement getElements() const override {
    return MatrixElement::F16 | MatrixElement::BF16;
  }
  /// They are formed on tensors, where what is not read as it lies can be
  /// transposed: FormWindows.h.
  FailureOr<ContractionMatch> match(Operation *, const DenseSet<Operation *> &,
                                    MatchRequirements) const override {
    return failure();
  }
};

} // namespace

std::unique_ptr<ContractionFamily>
mlir::pit::hopper::createConvolutionFamily() {
  return std::make_unique<ConvolutionFamily>();
}
