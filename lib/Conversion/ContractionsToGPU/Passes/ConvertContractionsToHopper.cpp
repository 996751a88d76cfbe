//===- ConvertContractionsToHopper.cpp - The pass that emits wgmma GEMMs --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Registry/EmitKernels.h"
#include "Conversion/ContractionsToGPU/Registry/FormOnBuffers.h"
#include "Conversion/ContractionsToGPU/Registry/PlanKernels.h"
#include "GPU/Host/LaunchEffects.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTCONTRACTIONSTOHOPPER
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

struct ConvertContractionsToHopperPass
    : pit::impl::ConvertContractionsToHopperBase<
          ConvertContractionsToHopperPass> {
  using ConvertContractionsToHopperBase::ConvertContractionsToHopperBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertContractionsToHopperBase::getDependentDialects(registry);
    registry.insert<PITDialect>();
    // Launches are made before buffers are freed.
    registerLaunchEffects(registry);
  }
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  DeviceModel device;
};

} // namespace

LogicalResult
ConvertContractionsToHopperPass::initialize(MLIRContext *context) {
  FailureOr<DeviceModel> found =
      lookupDevice(chip, card, multiprocessors, context);
  if (failed(found))
    return failure();
  device = *found;
  return success();
}

void ConvertContractionsToHopperPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  MatchRequirements needs;
  needs.shortSegments = shortSegments;
  needs.shortSegmentRows = device.getTuning().crossings.shortSegmentRows;
  needs.elements = getWgmmaElements(*products);
  const FamilyRegistry &families = getFamilies();
  PlanOptions options{device, specialise, needs};
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    if (plan) {
      formWgmmaKernels(function, families, needs);
      planKernels(function, families, options);
    }
    FailureOr<EmittedKernels> emitted =
        emitKernels(function, families, needs, {device, freeBuffers});
    if (failed(emitted))
      return signalPassFailure();
    numKernels += emitted->numKernels;
    numContractions += emitted->numContractions;
  }
}
