//===- ListedKFamily.cpp - GEMM over listed k -----------------------------===//
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

class ListedKFamily : public TileLoopFamily {
public:
  ListedKFamily()
      : TileLoopFamily(KernelFamily::ListedK, "GEMM over listed k") {}

  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    if (auto tiled = dyn_cast<TiledOp>(op))
      return matchListedSum(tiled, taken, needs.log);
    return failure();
  }
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createListedKFamily() {
  return std::make_unique<ListedKFamily>();
}
