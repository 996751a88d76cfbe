//===- PlanKernels.cpp - The pass that plans kernels: #pit.plan -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Mma/MMAPlan.h"
#include "Conversion/ContractionsToGPU/Registry/PlanKernels.h"

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
  LogicalResult check(func::FuncOp function);

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
  if (!model->has(ChipFeature::WarpgroupProducts))
    return success();
  FailureOr<hopper::DeviceModel> known =
      hopper::lookupDevice(chip, card, multiprocessors, context);
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
  return failure(result.wasInterrupted());
}

void PITPlanKernels::runOnOperation() {
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  hopper::MatchRequirements needs;
  needs.shortSegments = shortSegments;
  needs.elements = getWgmmaElements(*products);
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (failed(check(function)))
      return signalPassFailure();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    auto count = [&] {
      return llvm::count_if(function.getBody().front().getOps<ContractOp>(),
                            [](ContractOp op) { return op.getPlan(); });
    };
    int64_t before = count();
    if (device)
      hopper::planKernels(function, hopper::getFamilies(),
                          {*device, /*specialise=*/true, needs});
    if (model->hasTileKernels())
      mma::planKernels(function, hopper::getFamilies(), model->getSharedBytes(),
                       *products);
    numPlanned += count() - before;
  }
}
