//===- ConvertContractionsToMMA.cpp - The pass that emits mma.sync GEMMs --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/GPU/ChipModel.h"

#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Mma/MMAFunction.h"
#include "Conversion/ContractionsToGPU/Mma/MMALaunch.h"
#include "Conversion/ContractionsToGPU/Mma/MMAPlan.h"
#include "Conversion/ContractionsToGPU/Mma/MMAReport.h"
#include "Conversion/ContractionsToGPU/Mma/MMAVerify.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"

#include <list>

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTCONTRACTIONSTOMMA
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

namespace {

struct ConvertContractionsToMMAPass
    : pit::impl::ConvertContractionsToMMABase<ConvertContractionsToMMAPass> {
  using ConvertContractionsToMMABase::ConvertContractionsToMMABase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertContractionsToMMABase::getDependentDialects(registry);
    // Launches are made before buffers are freed.
    hopper::registerLaunchEffects(registry);
    registry.insert<PITDialect>();
  }
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function, F32Products products);
  struct BuiltKernel;
  FailureOr<const BuiltKernel *> getKernel(gpu::GPUModuleOp module,
                                           func::FuncOp function, Location loc,
                                           const MMAKernel &kernel);

  const ChipModel *model = nullptr;
  /// That a block may have.
  int64_t sharedBytes = 0;
  /// Kernels of the function at hand; one serves all products of its kind.
  /// Their launches bind what they were built with.
  struct BuiltKernel {
    MMAKernel kernel;
    KernelSignature signature;
    LLVM::LLVMFuncOp op;
  };
  std::list<BuiltKernel> kernels;
};

} // namespace

FailureOr<const ConvertContractionsToMMAPass::BuiltKernel *>
ConvertContractionsToMMAPass::getKernel(gpu::GPUModuleOp module,
                                        func::FuncOp function, Location loc,
                                        const MMAKernel &kernel) {
  for (const BuiltKernel &known : kernels)
    if (known.kernel == kernel)
      return &known;
  std::string name =
      makeKernelName(module, function.getName(), "_contraction_");
  KernelSignature signature = getSignature(module.getContext(), kernel);
  FailureOr<LLVM::LLVMFuncOp> op =
      buildMMAKernel(module, loc, name, kernel, signature);
  if (failed(op))
    return failure();
  kernels.push_back({kernel, std::move(signature), *op});
  ++numKernels;
  return &kernels.back();
}

LogicalResult ConvertContractionsToMMAPass::convert(func::FuncOp function,
                                                    F32Products products) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return success();
  kernels.clear();
  if (plan) {
    MMATarget target(*model, products, sharedBytes);
    formKernels(function, hopper::getFamilies(), target);
    planKernels(function, hopper::getFamilies(), target);
  }

  std::vector<std::pair<hopper::ContractionMatch, MMAKernel>> planned;
  for (auto op : function.getBody().front().getOps<ContractOp>()) {
    PlanAttr plan = op.getPlanAttr();
    if (!plan || plan.getEngine() == KernelEngine::Wgmma)
      continue;
    FailureOr<hopper::ContractionMatch> match =
        hopper::matchContract(op, getRequirements());
    if (failed(match))
      return op.emitOpError("no kernel of the family '")
             << stringifyKernelFamily(plan.getFamily()) << "' with '"
             << stringifyKernelEngine(plan.getEngine()) << "' can take it";
    auto emitError = [&] { return op.emitOpError(); };
    if (failed(verifyPlan(plan, getElementTypeOrSelf(op.getA()), emitError)))
      return failure();
    MMAKernel kernel = bindKernel(*match, plan, *model);
    if (failed(verifyKernel(kernel, emitError)))
      return failure();
    if (kernel.getSharedBytes() > sharedBytes)
      return op.emitOpError("its plan needs ")
             << kernel.getSharedBytes()
             << " bytes of shared memory, of which a block has " << sharedBytes;
    planned.emplace_back(std::move(*match), std::move(kernel));
  }
  if (planned.empty())
    return success();

  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (const auto &[match, kernel] : planned) {
    auto contract = cast<ContractOp>(match.ops[0]);
    reportKernel(match, kernel);
    FailureOr<const BuiltKernel *> built =
        getKernel(*module, function, contract.getLoc(), kernel);
    if (failed(built))
      return failure();
    auto symbol = SymbolRefAttr::get(
        module->getSymNameAttr(),
        {FlatSymbolRefAttr::get(LLVM::LLVMFuncOp((*built)->op).getNameAttr())});
    if (failed(createLaunch(match, kernel, (*built)->signature, symbol,
                            maxBlocks)))
      return failure();
    hopper::eraseContract(contract);
    ++numContractions;
  }
  // What started the sums, or held them on the way.
  hopper::eraseUnreadBuffers(function.getBody().front());
  return success();
}

LogicalResult ConvertContractionsToMMAPass::initialize(MLIRContext *context) {
  FailureOr<const ChipModel *> found = lookupTileChip(chip, context);
  if (failed(found))
    return failure();
  model = *found;
  if (sharedMemory < 0)
    return emitError(UnknownLoc::get(context))
           << "shared-memory must not be negative, not "
           << sharedMemory.getValue();
  sharedBytes = sharedMemory ? sharedMemory : model->getSharedBytes();
  return success();
}

void ConvertContractionsToMMAPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  Location loc = getOperation().getLoc();
  if (maxBlocks < 1) {
    emitError(loc, "max-blocks must be positive, not ") << maxBlocks.getValue();
    return signalPassFailure();
  }
  FailureOr<F32Products> products = parseF32Products(loc, f32Products);
  if (failed(products))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function, *products)))
      return signalPassFailure();
}
