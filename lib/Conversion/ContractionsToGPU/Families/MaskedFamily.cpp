//===- MaskedFamily.cpp - Masked SDDMM: blocks of C by a mask -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "OwnKernel.h"

#include "Conversion/ContractionsToGPU/Launch/MaskedSddmmLaunch.h"
#include "Conversion/ContractionsToGPU/Plan/MaskedSddmmKernel.h"
#include "Conversion/ContractionsToGPU/Plan/ReportKernels.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/MaskedSddmmBlocks.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class MaskedKernel final : public OwnKernel<MaskedKernel, MaskedSddmmKernel> {
public:
  static char ID;
  using OwnKernel::OwnKernel;

  PlanParts plan(const PlanOptions &options) override;
  LogicalResult bind(PlanAttr plan, const DeviceModel &device) override;
  void report() const override;
  KernelSignature getSignature(MLIRContext *context) const override {
    return hopper::getSignature(context, kernel);
  }
  FailureOr<LLVM::LLVMFuncOp>
  build(gpu::GPUModuleOp module, StringRef name,
        const KernelSignature &signature) const override {
    return buildMaskedSddmmKernel(module, getLastOp().getLoc(), name, kernel,
                                  signature);
  }
  LogicalResult launch(const KernelSignature &signature, SymbolRefAttr symbol,
                       const EmitOptions &options) override {
    return createMaskedSddmmLaunch(parts.front(), kernel, signature, symbol);
  }
};

class MaskedFamily : public ContractionFamily {
public:
  MaskedFamily()
      : ContractionFamily(KernelFamily::SampledOrFill, "SDDMM of a mask") {}

  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    if (auto tiled = dyn_cast<TiledOp>(op))
      return matchMaskedSddmm(tiled, needs.log);
    return failure();
  }
  std::unique_ptr<ProductKernel>
  makeKernel(ContractionMatch match) const override {
    return std::make_unique<MaskedKernel>(*this, std::move(match));
  }
};

} // namespace

char MaskedKernel::ID = 0;

PlanParts MaskedKernel::plan(const PlanOptions &options) {
  kernel = describeMaskedSddmm(parts.front(), options.device);
  PlanParts plan = getPlan(kernel.tiles, family.getId());
  if (kernel.dense)
    addDenseVariant(plan, VariantGuard::Sampled, kernel.mostSampled,
                    *kernel.dense);
  return plan;
}

LogicalResult MaskedKernel::bind(PlanAttr plan, const DeviceModel &device) {
  auto emitError = [&] { return getLastOp().emitOpError(); };
  kernel = describeGrid(parts.front(), device.multiprocessors);
  // Before the rest of the plan is taken: it may have a mask that no match has.
  if (failed(bindDense(plan, VariantGuard::Sampled, kernel.mostSampled)))
    return failure();
  kernel.tiles = *bindDenseVariant(parts.front(), plan);
  if (kernel.grid.blockRows % kernel.tiles.tileM != 0 ||
      kernel.grid.blockColumns % kernel.tiles.tileN != 0 ||
      !kernel.tiles.storesBoxes)
    return emitError() << "its plan needs tma_store, and tiles of which a "
                          "block of "
                       << kernel.grid.blockRows << " x "
                       << kernel.grid.blockColumns << " has a whole number";
  return verifyKernel(kernel.tiles, emitError);
}

void MaskedKernel::report() const {
  remarks::InFlight remark =
      reportProduct(parts.front(), "wgmma", family.getName());
  if (!remark)
    return;
  reportShape(remark, kernel.tiles);
  if (kernel.dense)
    remark << remarks::metric("Variants", "all blocks, above " +
                                              spellShare(kernel.mostSampled) +
                                              " live");
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createMaskedFamily() {
  return std::make_unique<MaskedFamily>();
}
