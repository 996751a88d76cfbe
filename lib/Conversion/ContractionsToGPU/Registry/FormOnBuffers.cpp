//===- FormOnBuffers.cpp - pit.contract formed on buffers -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormOnBuffers.h"

#include "Conversion/ContractionsToGPU/Match/MatchContract.h"
#include "Conversion/ContractionsToGPU/Match/ReportMatch.h"
#include "GPU/Host/DeviceAnalysis.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// Matches all ops before one is replaced: what comes behind an op decides what
/// becomes of it.
class Former {
public:
  Former(func::FuncOp function, const FamilyRegistry &families,
         MatchRequirements needs, const FormTarget &target)
      : function(function), families(families), needs(needs), target(target),
        analysis(function) {}

  unsigned run();

private:
  FailureOr<ContractionMatch> match(Operation &op, Refusals &refusals);
  void take(Operation &op);

  func::FuncOp function;
  const FamilyRegistry &families;
  MatchRequirements needs;
  const FormTarget &target;
  DeviceAnalysis analysis;
  DenseSet<Operation *> taken;
  std::vector<std::pair<ContractionMatch, TiledOp>> formed;
};

} // namespace

/// What the first family makes of the op that can take it.
FailureOr<ContractionMatch> Former::match(Operation &op, Refusals &refusals) {
  for (const auto &family : families.getAll()) {
    if (!target.isOfWarpgroups && !family->hasWarpKernels())
      continue;
    MatchRequirements own = needs;
    own.log = MatchLog(refusals, family->getName());
    own.elements &= target.isOfWarpgroups ? family->getElements()
                                          : family->getWarpElements();
    FailureOr<ContractionMatch> match = family->match(&op, taken, own);
    if (failed(match))
      continue;
    if (analysis.isCrossedByScalar(match->ops.back()))
      return own.log.refuse(kCrossedByScalar);
    if (target.accepts && !target.accepts(*match, own.log))
      return failure();
    return match;
  }
  return failure();
}

void Former::take(Operation &op) {
  auto tiled = dyn_cast<TiledOp>(op);
  if (!tiled && !isa<linalg::LinalgOp>(op))
    return;
  Refusals refusals(&op);
  FailureOr<ContractionMatch> found = match(op, refusals);
  if (failed(found))
    return refusals.tell(&op, target.kernels, target.next);
  reportEpilogueEnd(*found);
  taken.insert_range(found->ops);
  formed.emplace_back(std::move(*found), tiled);
}

unsigned Former::run() {
  for (Operation &op : function.getBody().front())
    if (!taken.contains(&op))
      take(op);
  for (const auto &[match, tiled] : formed) {
    reportParts(match);
    formContract(match, tiled);
  }
  return formed.size();
}

unsigned mlir::pit::hopper::formKernels(func::FuncOp function,
                                        const FamilyRegistry &families,
                                        MatchRequirements needs,
                                        const FormTarget &target) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return 0;
  return Former(function, families, needs, target).run();
}

unsigned mlir::pit::hopper::formWgmmaKernels(func::FuncOp function,
                                             const FamilyRegistry &families,
                                             MatchRequirements needs) {
  return formKernels(function, families, needs, {"a wgmma kernel", "mma.sync"});
}
