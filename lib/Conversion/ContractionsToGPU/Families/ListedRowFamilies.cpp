//===- ListedRowFamilies.cpp - Gather GEMM and grouped GEMM ---------------===//
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

/// Both come from tiled ops over lists of rows, and differ in whether these are
/// in segments.
class ListedRowFamily : public TileLoopFamily {
public:
  ListedRowFamily(KernelFamily id, StringRef name, bool segmented)
      : TileLoopFamily(id, name), segmented(segmented) {}

  bool hasWarpKernels() const override { return true; }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    auto tiled = dyn_cast<TiledOp>(op);
    if (!tiled)
      return failure();
    // What one of both refuses, the other one has said already.
    if (segmented)
      needs.log = {};
    FailureOr<ContractionMatch> match = matchTiledContraction(tiled, needs);
    if (succeeded(match) && match->segmented != segmented)
      return failure();
    return match;
  }

private:
  bool segmented;
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createGatherFamily() {
  return std::make_unique<ListedRowFamily>(KernelFamily::Gather,
                                           "GEMM of listed rows",
                                           /*segmented=*/false);
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createGroupedFamily() {
  return std::make_unique<ListedRowFamily>(KernelFamily::Grouped,
                                           "grouped GEMM", /*segmented=*/true);
}
