//===- PlanKernels.cpp - The pass that plans all kinds of kernels ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "Conversion/AttentionToGPU/Plan/AttentionPlan.h"
#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Form/LowerContracts.h"
#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Mma/MMAPlan.h"
#include "Conversion/ContractionsToGPU/Registry/PlanKernels.h"
#include "Conversion/RowsToGPU/RowPlan.h"
#include "Conversion/RowsToGPU/WholeRows.h"
#include "Conversion/SumsToGPU/SumPlan.h"
#include "Versions.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITPLANKERNELS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITPlanKernels : pit::impl::PITPlanKernelsBase<PITPlanKernels> {
  using PITPlanKernelsBase::PITPlanKernelsBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  void reportCard();
  LogicalResult check(func::FuncOp function);
  void planContractions(func::FuncOp function, F32Products products);
  void planRows(func::FuncOp function);
  int64_t countPlans(func::FuncOp function);

  const ChipModel *model = nullptr;
  /// Of a chip with wgmma.
  std::optional<hopper::DeviceModel> device;
};

} // namespace

LogicalResult PITPlanKernels::initialize(MLIRContext *context) {
  FailureOr<const ChipModel *> found = lookupChip(chip, context);
  if (failed(found))
    return failure();
  model = *found;
  FailureOr<std::optional<hopper::DeviceModel>> known =
      hopper::findDevice(chip, card, multiprocessors, context);
  if (failed(known))
    return failure();
  device = *known;
  return success();
}

/// Whether the chip has what plans by hand multiply with.
LogicalResult PITPlanKernels::check(func::FuncOp function) {
  WalkResult result = function.walk([&](ContractOp op) {
    PlanAttr plan = op.getPlanAttr();
    if (!plan)
      return WalkResult::advance();
    bool isThere = plan.getEngine() == KernelEngine::Wgmma
                       ? device.has_value()
                       : model->hasTileKernels();
    if (isThere)
      return WalkResult::advance();
    op.emitOpError("is planned for '")
        << stringifyKernelEngine(plan.getEngine()) << "', which " << model->name
        << " has no kernels with";
    return WalkResult::interrupt();
  });
  auto checkAttention = [&](auto op) {
    return op.getPlan() && attention::canAttend(op) &&
                   failed(attention::checkPlan(op, *model))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  if (!result.wasInterrupted())
    result =
        function.walk([&](AttendSequencesOp op) { return checkAttention(op); });
  if (!result.wasInterrupted())
    result = function.walk([&](AttendOp op) { return checkAttention(op); });
  return failure(result.wasInterrupted());
}

void PITPlanKernels::planContractions(func::FuncOp function,
                                      F32Products products) {
  hopper::MatchRequirements needs;
  needs.shortSegments = shortSegments;
  if (device)
    needs.shortSegmentRows = device->getTuning().crossings.shortSegmentRows;
  needs.elements = getWgmmaElements(products);
  if (model->hasTileKernels())
    createVersions(function, {*model, products});
  if (device)
    hopper::planKernels(function, hopper::getFamilies(),
                        {*device, /*specialise=*/true, needs});
  if (model->hasTileKernels())
    mma::planKernels(function, hopper::getFamilies(), {*model, products});
  mergeVersions(function);
}

/// What products do not take. Contractions without a kernel are undone before,
/// as their rows may be some that other kernels do take.
void PITPlanKernels::planRows(func::FuncOp function) {
  SmallVector<ContractOp> unplanned;
  for (auto op : function.getBody().front().getOps<ContractOp>())
    if (!op.getPlan() && op.isOnBuffers() && canLowerContract(op))
      unplanned.push_back(op);
  for (ContractOp op : unplanned)
    (void)lowerContract(op);
  DenseSet<Operation *> taken;
  sums::planSums(function, *model, model->hasCachePolicies(), taken);
  rows::planRows(function, {*model, strict}, std::move(taken));
}

/// Ops of the function that have a plan.
int64_t PITPlanKernels::countPlans(func::FuncOp function) {
  return llvm::count_if(function.getBody().front(), [](Operation &op) {
    if (auto contract = dyn_cast<ContractOp>(op))
      return contract.getPlan().has_value();
    if (auto attend = dyn_cast<AttendSequencesOp>(op))
      return attend.getPlan().has_value();
    if (auto attend = dyn_cast<AttendOp>(op))
      return attend.getPlan().has_value();
    if (auto tiled = dyn_cast<TiledOp>(op))
      return tiled.getPlan().has_value();
    return rows::getPlan(&op) != nullptr;
  });
}

/// Who names a card should know whether it is the one that counts.
void PITPlanKernels::reportCard() {
  if (card.empty() || !device)
    return;
  if (std::string source = device->tuned.describe(); !source.empty())
    getOperation().emitRemark(source)
        << "; pit-tune measures the card that is there";
}

void PITPlanKernels::runOnOperation() {
  reportCard();
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (failed(check(function)))
      return signalPassFailure();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    int64_t before = countPlans(function);
    planContractions(function, *products);
    attention::planAttention(function, *model);
    planRows(function);
    numPlanned += countPlans(function) - before;
  }
}
