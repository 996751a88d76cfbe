//===- ConvertContractionsToMMA.cpp - Products to mma.sync kernels --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "GPU/Host/BufferAccess.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "MMALaunch.h"
#include "MMAReport.h"

#include "Conversion/ContractionsToGPU/Launch/ReportKernels.h"

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
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function, F32Products products);
  LLVM::LLVMFuncOp getKernel(gpu::GPUModuleOp module, func::FuncOp function,
                             Location loc, const MMAKernel &kernel);

  /// Kernels of the function at hand; one serves all products of its kind.
  SmallVector<std::pair<MMAKernel, LLVM::LLVMFuncOp>> kernels;
  unsigned kernelNumber = 0;
};

} // namespace

LLVM::LLVMFuncOp
ConvertContractionsToMMAPass::getKernel(gpu::GPUModuleOp module,
                                        func::FuncOp function, Location loc,
                                        const MMAKernel &kernel) {
  for (auto &[known, op] : kernels)
    if (known == kernel)
      return op;
  std::string name;
  do
    name = (function.getName() + "_contraction_" + Twine(kernelNumber++)).str();
  while (module.lookupSymbol(name));
  auto op = buildMMAKernel(module, loc, name, kernel);
  kernels.emplace_back(kernel, op);
  ++numKernels;
  return op;
}

LogicalResult ConvertContractionsToMMAPass::convert(func::FuncOp function,
                                                    F32Products products) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return success();
  kernels.clear();
  kernelNumber = 0;
  DeviceAnalysis analysis(function);
  hopper::MatchRequirements needs;
  needs.aligned = false;
  needs.f32 = true;
  std::vector<std::pair<hopper::ContractionMatch, MMAKernel>> matches;
  DenseSet<Operation *> taken;
  for (Operation &op : function.getBody().front()) {
    FailureOr<hopper::ContractionMatch> match = failure();
    if (taken.contains(&op))
      continue;
    Refusals refusals(&op);
    needs.log = MatchLog(refusals, isa<TiledOp>(op) ? "GEMM of listed rows"
                                                    : "dense GEMM");
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      match = hopper::matchDenseContraction(structured, taken, needs);
    else if (auto tiled = dyn_cast<TiledOp>(op))
      match = hopper::matchTiledContraction(tiled, needs);
    if (succeeded(match) && analysis.isCrossedByScalar(match->ops.back()))
      match = needs.log.refuse(hopper::kCrossedByScalar);
    std::optional<MMAKernel> kernel;
    if (succeeded(match) &&
        !(kernel = describeKernel(*match, sharedMemory, products)))
      match = needs.log.refuse("no tile fits " + Twine(sharedMemory) +
                               " bytes of shared memory twice");
    if (failed(match)) {
      refusals.tell(&op, "an mma.sync kernel",
                    isa<TiledOp>(op) ? "sums and rows of lists, loops of blocks"
                                     : "one thread for each element");
      continue;
    }
    reportEpilogueEnd(*match);
    taken.insert_range(match->ops);
    matches.emplace_back(std::move(*match), *kernel);
  }
  if (matches.empty())
    return success();

  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (const auto &[match, kernel] : matches) {
    reportKernel(match, kernel);
    LLVM::LLVMFuncOp op =
        getKernel(*module, function, match.ops.back()->getLoc(), kernel);
    auto symbol = SymbolRefAttr::get(
        module->getSymNameAttr(), {FlatSymbolRefAttr::get(op.getNameAttr())});
    createLaunch(match, kernel, symbol, maxBlocks);
    for (Operation *dead : llvm::reverse(match.ops))
      dead->erase();
    if (match.index)
      if (auto assemble = match.index.getDefiningOp<AssembleOp>();
          assemble && assemble->use_empty())
        assemble->erase();
    ++numContractions;
  }
  // What started the sums, or held them on the way.
  hopper::eraseUnreadBuffers(function.getBody().front());
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
  if (sharedMemory < 0) {
    emitError(loc, "shared-memory must not be negative, not ")
        << sharedMemory.getValue();
    return signalPassFailure();
  }
  FailureOr<F32Products> products = parseF32Products(loc, f32Products);
  if (failed(products))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function, *products)))
      return signalPassFailure();
}
