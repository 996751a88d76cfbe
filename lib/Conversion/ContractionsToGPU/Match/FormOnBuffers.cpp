//===- FormOnBuffers.cpp - Contract ops on buffers ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormOnBuffers.h"
#include "MatchContract.h"

#include "GPU/Host/DeviceAnalysis.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// Matches all ops before one is replaced: what comes behind an op decides what
/// becomes of it.
class Former {
public:
  Former(func::FuncOp function, MatchRequirements needs,
         llvm::function_ref<bool(const ContractionMatch &)> accepts)
      : function(function), needs(needs), accepts(accepts), analysis(function) {
  }

  unsigned run();

private:
  struct Formed {
    ContractionMatch match;
    std::optional<WantedMatch> wanted;
    TiledOp tiled;
  };

  FailureOr<ContractionMatch> matchMicroTiles(TiledOp op);
  FailureOr<ContractionMatch> match(Operation &op);
  void take(Operation &op);

  func::FuncOp function;
  MatchRequirements needs;
  llvm::function_ref<bool(const ContractionMatch &)> accepts;
  DeviceAnalysis analysis;
  DenseSet<Operation *> taken;
  std::vector<Formed> formed;
};

} // namespace

/// Where a family of kernels can take them.
FailureOr<ContractionMatch> Former::matchMicroTiles(TiledOp op) {
  FailureOr<ContractionMatch> match = matchSumOfStrips(op, taken);
  if (failed(match))
    return failure();
  SparseIndexType index = op.getIndexType();
  ContractionMatch asPacked = *match, asBlocks = *match;
  if (succeeded(takeAsPieces(*match, index)) ||
      succeeded(takeAsPacked(asPacked, index, op)) ||
      succeeded(takeAsBlocks(asBlocks, index, op)))
    return match;
  return failure();
}

FailureOr<ContractionMatch> Former::match(Operation &op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return matchDenseContraction(structured, taken, needs);
  auto tiled = dyn_cast<TiledOp>(op);
  if (!tiled)
    return failure();
  FailureOr<ContractionMatch> match = matchTiledContraction(tiled, needs);
  // Only kernels with the copy engine have the others.
  if (succeeded(match) || !needs.aligned)
    return match;
  if (failed(match = matchListedSum(tiled, taken)))
    if (failed(match = matchMicroTiles(tiled)))
      match = matchSampledProduct(tiled);
  return match;
}

void Former::take(Operation &op) {
  auto tiled = dyn_cast<TiledOp>(op);
  if (tiled && needs.aligned && !analysis.isCrossedByScalar(tiled))
    if (FailureOr<WantedMatch> wanted = matchWantedProduct(tiled);
        succeeded(wanted)) {
      taken.insert_range(wanted->product.ops);
      formed.push_back({{}, std::move(*wanted), tiled});
      return;
    }
  FailureOr<ContractionMatch> found = match(op);
  if (failed(found) || analysis.isCrossedByScalar(found->ops.back()) ||
      (accepts && !accepts(*found)))
    return;
  taken.insert_range(found->ops);
  formed.push_back({std::move(*found), std::nullopt, tiled});
}

unsigned Former::run() {
  for (Operation &op : function.getBody().front())
    if (!taken.contains(&op))
      take(op);
  for (const Formed &kernel : formed)
    if (kernel.wanted)
      formContract(*kernel.wanted, kernel.tiled);
    else
      formContract(kernel.match, kernel.tiled);
  return formed.size();
}

unsigned mlir::pit::hopper::formKernels(
    func::FuncOp function, MatchRequirements needs,
    llvm::function_ref<bool(const ContractionMatch &)> accepts) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return 0;
  return Former(function, needs, accepts).run();
}
