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
#include "GPU/Host/DeviceAnalysis.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class Planner {
public:
  Planner(func::FuncOp function, const FamilyRegistry &families,
          const PlanOptions &options)
      : function(function), families(families), options(options),
        analysis(function) {}

  void run();

private:
  void match(ContractOp op);
  std::unique_ptr<ProductKernel> makeKernel(ContractOp op, Refusals &refusals);
  void add(std::unique_ptr<ProductKernel> kernel);
  int64_t getFreeGroup();
  void link(size_t number, function_ref<int64_t(size_t)> getGroup);
  void planAll();

  func::FuncOp function;
  const FamilyRegistry &families;
  const PlanOptions &options;
  DeviceAnalysis analysis;
  /// In the order of their launches, and what is planned of each.
  std::vector<std::unique_ptr<ProductKernel>> kernels;
  std::vector<PlanParts> plans;
};

} // namespace

void Planner::match(ContractOp op) {
  Refusals refusals(op);
  if (auto kernel = makeKernel(op, refusals))
    add(std::move(kernel));
  else
    refusals.tell(op, "a wgmma kernel", "mma.sync");
}

/// That of the first family that takes the op, or null.
std::unique_ptr<ProductKernel> Planner::makeKernel(ContractOp op,
                                                   Refusals &refusals) {
  MatchRequirements needs = options.needs;
  needs.log = MatchLog(refusals, getKindName(op));
  if (analysis.isCrossedByScalar(op)) {
    (void)needs.log.refuse(kCrossedByScalar);
    return nullptr;
  }
  FailureOr<ContractionMatch> found = matchContract(op, needs);
  if (failed(found))
    return nullptr;
  const ChipModel &chip = *options.device.chip;
  for (const ContractionFamily *family : families.findFor(op)) {
    MatchLog log(refusals, family->getName());
    if (family->getLeastSharedBytes() > chip.getSharedBytes()) {
      (void)log.refuse("it takes " + Twine(family->getLeastSharedBytes()) +
                       " bytes of shared memory, of which a block has " +
                       Twine(chip.getSharedBytes()));
      continue;
    }
    MatchRequirements own = options.needs;
    own.log = log;
    own.elements &= family->getElements();
    ContractionMatch match = *found;
    if (succeeded(checkInputTypes(op, own)) &&
        succeeded(family->take(match, op, log)))
      return family->makeKernel(std::move(match));
  }
  return nullptr;
}

/// Adds a launch, which an earlier one may become part of.
void Planner::add(std::unique_ptr<ProductKernel> kernel) {
  auto earlier = llvm::find_if(kernels, [&](const auto &earlier) {
    return earlier->canJoin(*kernel, options.device);
  });
  if (earlier != kernels.end()) {
    kernel->join(**earlier);
    kernels.erase(earlier);
  }
  kernels.push_back(std::move(kernel));
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

/// What the launch has to do with earlier ones.
void Planner::link(size_t number, function_ref<int64_t(size_t)> getGroup) {
  ProductKernel &kernel = *kernels[number];
  for (size_t before = number; before-- > 0;) {
    if (kernel.takeRows(*kernels[before], options.device))
      plans[number].rowsFrom = getGroup(before);
    if (plans[number].bitsFrom < 0 && kernel.takeBits(*kernels[before]))
      plans[number].bitsFrom = getGroup(before);
  }
}

void Planner::planAll() {
  // Groups that others name, or that have several parts, have numbers.
  int64_t free = getFreeGroup();
  auto getGroup = [&](size_t i) {
    if (plans[i].group < 0)
      plans[i].group = free++;
    return plans[i].group;
  };
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    plans.push_back(kernel->plan(options));
    if (kernel->getParts().size() > 1)
      getGroup(i);
    link(i, getGroup);
  }
  for (auto [kernel, plan] : llvm::zip_equal(kernels, plans))
    for (auto [part, match] : llvm::enumerate(kernel->getParts())) {
      plan.part = part;
      cast<ContractOp>(match.ops.back())
          .setPlanAttr(plan.get(function.getContext()));
    }
}

void Planner::run() {
  for (auto op : function.getBody().front().getOps<ContractOp>())
    if (!op.getPlan() && op.isOnBuffers())
      match(op);
  planAll();
}

void mlir::pit::hopper::planKernels(func::FuncOp function,
                                    const FamilyRegistry &families,
                                    const PlanOptions &options) {
  if (!function.isExternal() && function.getBody().hasOneBlock())
    Planner(function, families, options).run();
}
