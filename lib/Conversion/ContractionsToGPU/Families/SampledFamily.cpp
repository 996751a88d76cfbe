//===- SampledFamily.cpp - SDDMM of listed blocks -------------------------===//
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

class SampledFamily : public TileLoopFamily {
public:
  SampledFamily()
      : TileLoopFamily(KernelFamily::Sampled, "SDDMM of listed blocks") {}

  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    if (auto tiled = dyn_cast<TiledOp>(op))
      return matchSampledProduct(tiled, needs.log);
    return failure();
  }
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createSampledFamily() {
  return std::make_unique<SampledFamily>();
}
