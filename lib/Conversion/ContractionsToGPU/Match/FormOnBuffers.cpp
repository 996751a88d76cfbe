//===- FormOnBuffers.cpp - pit.contract formed on buffers -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormOnBuffers.h"
#include "MatchContract.h"
#include "ReportMatch.h"

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
         const FormTarget &target)
      : function(function), needs(needs), target(target), analysis(function) {}

  unsigned run();

private:
  struct Formed {
    ContractionMatch match;
    std::optional<WantedMatch> wanted;
    TiledOp tiled;
  };

  FailureOr<ContractionMatch> matchMicroTiles(TiledOp op, Refusals &refusals);
  FailureOr<ContractionMatch> match(Operation &op, Refusals &refusals);
  bool takeWanted(TiledOp op, Refusals &refusals);
  void take(Operation &op);

  func::FuncOp function;
  MatchRequirements needs;
  const FormTarget &target;
  DeviceAnalysis analysis;
  DenseSet<Operation *> taken;
  std::vector<Formed> formed;
};

} // namespace

/// Where a family of kernels can take them.
FailureOr<ContractionMatch> Former::matchMicroTiles(TiledOp op,
                                                    Refusals &refusals) {
  auto log = [&](StringRef family) { return MatchLog(refusals, family); };
  FailureOr<ContractionMatch> match =
      matchSumOfStrips(op, taken, log("SpMM of live blocks"));
  if (failed(match))
    return failure();
  SparseIndexType index = op.getIndexType();
  ContractionMatch asPacked = *match, asBlocks = *match;
  if (succeeded(takeAsPieces(*match, index, log("SpMM of gathered pieces"))) ||
      succeeded(takeAsPacked(asPacked, index, op,
                             log("SpMM of packed micro-tiles"))) ||
      succeeded(takeAsBlocks(asBlocks, index, op, log("SpMM of live blocks"))))
    return match;
  return failure();
}

FailureOr<ContractionMatch> Former::match(Operation &op, Refusals &refusals) {
  auto tiled = dyn_cast<TiledOp>(op);
  MatchRequirements own = needs;
  own.log = MatchLog(refusals, tiled ? "GEMM of listed rows" : "dense GEMM");
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return matchDenseContraction(structured, taken, own);
  if (!tiled)
    return failure();
  FailureOr<ContractionMatch> match = matchTiledContraction(tiled, own);
  // Only kernels with the copy engine have the others.
  if (succeeded(match) || !needs.aligned)
    return match;
  auto log = [&](StringRef family) { return MatchLog(refusals, family); };
  if (failed(match = matchListedSum(tiled, taken, log("GEMM over listed k"))))
    if (failed(match = matchMicroTiles(tiled, refusals)))
      match = matchSampledProduct(tiled, log("SDDMM of listed blocks"));
  return match;
}

bool Former::takeWanted(TiledOp op, Refusals &refusals) {
  if (!needs.aligned || analysis.isCrossedByScalar(op))
    return false;
  FailureOr<WantedMatch> wanted =
      matchWantedProduct(op, MatchLog(refusals, "SDDMM of a mask"));
  if (failed(wanted))
    return false;
  reportEpilogueEnd(wanted->product);
  taken.insert_range(wanted->product.ops);
  formed.push_back({{}, std::move(*wanted), op});
  return true;
}

void Former::take(Operation &op) {
  auto tiled = dyn_cast<TiledOp>(op);
  if (!tiled && !isa<linalg::LinalgOp>(op))
    return;
  Refusals refusals(&op);
  if (tiled && takeWanted(tiled, refusals))
    return;
  FailureOr<ContractionMatch> found = match(op, refusals);
  if (succeeded(found)) {
    MatchLog log(refusals, getKindName(*found));
    if (analysis.isCrossedByScalar(found->ops.back()))
      found = log.refuse(kCrossedByScalar);
    else if (target.accepts && !target.accepts(*found, log))
      found = failure();
  }
  if (failed(found))
    return refusals.tell(&op, target.kernels, target.next);
  reportEpilogueEnd(*found);
  taken.insert_range(found->ops);
  formed.push_back({std::move(*found), std::nullopt, tiled});
}

unsigned Former::run() {
  for (Operation &op : function.getBody().front())
    if (!taken.contains(&op))
      take(op);
  for (const Formed &kernel : formed) {
    reportParts(kernel.wanted ? kernel.wanted->product : kernel.match);
    if (kernel.wanted)
      formContract(*kernel.wanted, kernel.tiled);
    else
      formContract(kernel.match, kernel.tiled);
  }
  return formed.size();
}

unsigned mlir::pit::hopper::formKernels(func::FuncOp function,
                                        MatchRequirements needs,
                                        const FormTarget &target) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return 0;
  return Former(function, needs, target).run();
}

unsigned mlir::pit::hopper::formWgmmaKernels(func::FuncOp function,
                                             MatchRequirements needs) {
  return formKernels(function, needs, {"a wgmma kernel", "mma.sync"});
}
