//===- PlanKernels.cpp - #pit.plan of wgmma kernels -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanKernels.h"

#include "Conversion/ContractionsToGPU/Match/MatchContract.h"
#include "Conversion/ContractionsToGPU/Match/ReportMatch.h"
#include "FamilyPlans.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "HandOver.h"
#include "JoinProducts.h"
#include "KernelPlan.h"
#include "LiveBits.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class Planner {
public:
  Planner(func::FuncOp function, const PlanOptions &options)
      : function(function), options(options), analysis(function) {}

  void run();

private:
  void match(ContractOp op);
  bool take(ContractOp op, const MatchLog &log);
  void planGroups();
  int64_t getFreeGroup();

  func::FuncOp function;
  const PlanOptions &options;
  DeviceAnalysis analysis;
  std::vector<ContractionMatch> matches;
};

} // namespace

/// The families that compute a domain, the first that takes an op first.
static SmallVector<KernelFamily> getFamilies(ContractDomain domain) {
  switch (domain) {
  case ContractDomain::Dense:
    return {KernelFamily::Gemm};
  case ContractDomain::Rows:
    return {KernelFamily::Gather};
  case ContractDomain::Segments:
    return {KernelFamily::Grouped};
  case ContractDomain::Depth:
    return {KernelFamily::ListedK};
  case ContractDomain::MicroTiles:
    return {KernelFamily::Pieces, KernelFamily::Packed,
            KernelFamily::BlockWalk};
  case ContractDomain::Blocks:
    return {KernelFamily::Sampled};
  }
  return {};
}

void Planner::match(ContractOp op) {
  Refusals refusals(op);
  MatchLog log(refusals, getKindName(op));
  if (!take(op, log))
    refusals.tell(op, "a wgmma kernel", "mma.sync");
}

/// Plans the op, or keeps its match for what becomes of all of them.
bool Planner::take(ContractOp op, const MatchLog &log) {
  if (analysis.isCrossedByScalar(op)) {
    (void)log.refuse(kCrossedByScalar);
    return false;
  }
  if (op.getMask()) {
    FailureOr<WantedMatch> wanted = matchMaskedContract(op, log);
    if (failed(wanted))
      return false;
    op.setPlanAttr(planWanted(*wanted, options.device).get(op.getContext()));
    return true;
  }
  MatchRequirements needs = options.needs;
  needs.log = log;
  FailureOr<ContractionMatch> found = matchContract(op, needs);
  if (failed(found))
    return false;
  for (KernelFamily family : getFamilies(op.getDomain())) {
    ContractionMatch match = *found;
    if (failed(setFamily(match, family, op)))
      continue;
    if (family != KernelFamily::Pieces) {
      matches.push_back(std::move(match));
      return true;
    }
    if (RowSumKernel::kSharedBytes > options.device.chip->getSharedBytes())
      continue;
    op.setPlanAttr(planPieces(match, options.device).get(op.getContext()));
    return true;
  }
  return false;
}

/// A number that no group of the function has yet.
int64_t Planner::getFreeGroup() {
  int64_t free = 0;
  function.walk([&](ContractOp op) {
    if (PlanAttr plan = op.getPlanAttr())
      free = std::max(free, plan.getGroup() + 1);
  });
  return free;
}

static KernelFamily getFamily(const ContractionMatch &match) {
  return match.blocks ? KernelFamily::BlockWalk
         : match.packed
             ? KernelFamily::Packed
             : getFamilies(cast<ContractOp>(match.ops.back()).getDomain())[0];
}

/// What becomes one launch, and what launches have to do with one another.
void Planner::planGroups() {
  auto groups = joinProducts(matches, options.device);
  std::vector<ContractionKernel> kernels;
  std::vector<PlanParts> plans;
  // Groups that others name, or that have several parts, have numbers.
  int64_t free = getFreeGroup();
  auto getNumber = [&](size_t i) {
    if (plans[i].group < 0)
      plans[i].group = free++;
    return plans[i].group;
  };
  for (auto [i, joined] : llvm::enumerate(groups)) {
    const ContractionMatch &match = *joined.front();
    kernels.push_back(describeKernel(match, options.device, joined.size()));
    kernels.back().hasProducer =
        options.specialise || !canLoadBesideProducts(kernels.back());
    plans.push_back(
        getPlan(kernels.back(), getFamily(match), function.getContext()));
    if (joined.size() > 1)
      getNumber(i);
    for (size_t before = i; before-- > 0;) {
      const ContractionMatch &first = *groups[before].front();
      if (handOver(first, kernels[before], match, kernels[i], options.device))
        plans[i].rowsFrom = getNumber(before);
      if (plans[i].bitsFrom < 0 &&
          tellLiveMicroTiles(first, kernels[before], match, kernels[i]))
        plans[i].bitsFrom = getNumber(before);
    }
  }
  for (auto [joined, plan] : llvm::zip_equal(groups, plans))
    for (auto [part, match] : llvm::enumerate(joined)) {
      plan.part = part;
      cast<ContractOp>(match->ops.back())
          .setPlanAttr(plan.get(function.getContext()));
    }
}

void Planner::run() {
  for (auto op : function.getBody().front().getOps<ContractOp>())
    if (!op.getPlan() && op.isOnBuffers())
      match(op);
  planGroups();
}

void mlir::pit::hopper::planKernels(func::FuncOp function,
                                    const PlanOptions &options) {
  if (!function.isExternal() && function.getBody().hasOneBlock())
    Planner(function, options).run();
}
