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

/// Of one list, or of one for each segment.
class ListedKFamily : public TileLoopFamily {
public:
  ListedKFamily(KernelFamily id, StringRef name, bool segmented)
      : TileLoopFamily(id, name), segmented(segmented) {}

  bool hasWarpKernels() const override { return true; }
  /// wgmma takes what lies along m and n of 16 bits alone.
  MatrixElement getElements() const override {
    return MatrixElement::F16 | MatrixElement::BF16;
  }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    auto tiled = dyn_cast<TiledOp>(op);
    bool isSegmented = tiled && tiled.getIndexType().getRank() > 1;
    if (!tiled || isSegmented != segmented)
      return failure();
    return matchListedSum(tiled, taken, needs);
  }

private:
  bool segmented;
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createListedKFamily() {
  return std::make_unique<ListedKFamily>(
      KernelFamily::ListedK, "GEMM over listed k", /*segmented=*/false);
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createRaggedKFamily() {
  return std::make_unique<ListedKFamily>(KernelFamily::RaggedK,
                                         "grouped GEMM of ragged k",
                                         /*segmented=*/true);
}
