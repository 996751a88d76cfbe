//===- ConvertContractionsToHopper.cpp - Products to wgmma kernels --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Plan/JoinProducts.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/WantedBlocks.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/HandOver.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/LiveBits.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "Launch.h"
#include "ReportKernels.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

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
    // Launches are made before buffers are freed.
    registerLaunchEffects(registry);
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function, MatchRequirements needs);
  LLVM::LLVMFuncOp getKernel(gpu::GPUModuleOp module, func::FuncOp function,
                             Location loc, const ContractionKernel &kernel);
  std::string getFreeName(gpu::GPUModuleOp module, func::FuncOp function);
  void convertRowSums(gpu::GPUModuleOp module, func::FuncOp function,
                      ArrayRef<ContractionMatch> matches);
  void convertWanted(gpu::GPUModuleOp module, func::FuncOp function,
                     ArrayRef<WantedMatch> matches);

  /// Kernels of the function at hand; one serves all products of its kind.
  std::vector<std::pair<ContractionKernel, LLVM::LLVMFuncOp>> kernels;
  unsigned kernelNumber = 0;
};

} // namespace

std::string
ConvertContractionsToHopperPass::getFreeName(gpu::GPUModuleOp module,
                                             func::FuncOp function) {
  std::string name;
  do
    name = (function.getName() + "_contraction_" + Twine(kernelNumber++)).str();
  while (module.lookupSymbol(name));
  return name;
}

LLVM::LLVMFuncOp
ConvertContractionsToHopperPass::getKernel(gpu::GPUModuleOp module,
                                           func::FuncOp function, Location loc,
                                           const ContractionKernel &kernel) {
  for (auto &[known, op] : kernels)
    if (known == kernel)
      return op;
  auto op = buildContractionKernel(module, loc, getFreeName(module, function),
                                   kernel);
  kernels.emplace_back(kernel, op);
  ++numKernels;
  return op;
}

static SymbolRefAttr getSymbol(gpu::GPUModuleOp module, LLVM::LLVMFuncOp op) {
  return SymbolRefAttr::get(module.getSymNameAttr(),
                            {FlatSymbolRefAttr::get(op.getNameAttr())});
}

/// Sums over pieces of rows, which have a kernel of their own.
void ConvertContractionsToHopperPass::convertRowSums(
    gpu::GPUModuleOp module, func::FuncOp function,
    ArrayRef<ContractionMatch> matches) {
  for (const ContractionMatch &match : matches) {
    RowSumKernel kernel = describeRowSum(match, numMultiprocessors);
    reportKernel(match, kernel);
    LLVM::LLVMFuncOp op =
        buildRowSumKernel(module, match.ops.back()->getLoc(),
                          getFreeName(module, function), kernel);
    ++numKernels;
    createRowSumLaunch(match, kernel, getSymbol(module, op), numMultiprocessors,
                       freeBuffers);
    for (Operation *dead : llvm::reverse(match.ops))
      dead->erase();
    ++numContractions;
  }
}

/// Wanted blocks, the same.
void ConvertContractionsToHopperPass::convertWanted(
    gpu::GPUModuleOp module, func::FuncOp function,
    ArrayRef<WantedMatch> matches) {
  for (const WantedMatch &match : matches) {
    WantedKernel kernel = describeWanted(match, numMultiprocessors);
    reportKernel(match, kernel);
    LLVM::LLVMFuncOp op =
        buildWantedKernel(module, match.product.ops.back()->getLoc(),
                          getFreeName(module, function), kernel);
    ++numKernels;
    createWantedLaunch(match, kernel, getSymbol(module, op));
    for (Operation *dead : llvm::reverse(match.product.ops))
      dead->erase();
    ++numContractions;
  }
}

LogicalResult
ConvertContractionsToHopperPass::convert(func::FuncOp function,
                                         MatchRequirements needs) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return success();
  kernels.clear();
  kernelNumber = 0;
  DeviceAnalysis analysis(function);
  std::vector<ContractionMatch> matches, rowSums;
  std::vector<WantedMatch> wantedBlocks;
  DenseSet<Operation *> taken;
  for (Operation &op : function.getBody().front()) {
    FailureOr<ContractionMatch> match = failure();
    if (taken.contains(&op))
      continue;
    Refusals refusals(&op);
    auto log = [&](StringRef family) { return MatchLog(refusals, family); };
    needs.log = log(isa<TiledOp>(op) ? "GEMM of listed rows" : "dense GEMM");
    if (auto tiled = dyn_cast<TiledOp>(op))
      if (succeeded(match = matchRowSum(tiled, taken,
                                        log("SpMM of gathered pieces"))) &&
          !analysis.isCrossedByScalar(match->ops.back())) {
        reportEpilogueEnd(*match);
        taken.insert_range(match->ops);
        rowSums.push_back(std::move(*match));
        continue;
      }
    if (auto tiled = dyn_cast<TiledOp>(op))
      if (auto wanted = matchWantedProduct(tiled, log("SDDMM of a mask"));
          succeeded(wanted) && !analysis.isCrossedByScalar(tiled)) {
        reportEpilogueEnd(wanted->product);
        taken.insert_range(wanted->product.ops);
        wantedBlocks.push_back(std::move(*wanted));
        continue;
      }
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      match = matchDenseContraction(structured, taken, needs);
    else if (auto tiled = dyn_cast<TiledOp>(op))
      if (failed(match = matchTiledContraction(tiled, needs)))
        if (failed(match =
                       matchListedSum(tiled, taken, log("GEMM over listed k"))))
          if (failed(match = matchPackedSum(tiled, taken,
                                            log("SpMM of packed micro-tiles"))))
            if (failed(match = matchBlockSum(tiled, taken,
                                             log("SpMM of live blocks"))))
              match = matchSampledProduct(tiled, log("SDDMM of listed blocks"));
    if (succeeded(match) && analysis.isCrossedByScalar(match->ops.back()))
      match = log(getKindName(*match)).refuse(kCrossedByScalar);
    if (failed(match)) {
      refusals.tell(&op, "a wgmma kernel", "mma.sync");
      continue;
    }
    reportEpilogueEnd(*match);
    taken.insert_range(match->ops);
    matches.push_back(std::move(*match));
  }
  if (matches.empty() && rowSums.empty() && wantedBlocks.empty())
    return success();

  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  auto groups = joinProducts(matches, numMultiprocessors);
  std::vector<ContractionKernel> described;
  // By group: what it tells others, and what it uses of that.
  std::vector<Value> flags(groups.size()), liveBits(groups.size());
  std::vector<SharedBuffers> shared(groups.size());
  for (auto [i, joined] : llvm::enumerate(groups)) {
    described.push_back(
        describeKernel(*joined.front(), numMultiprocessors, joined.size()));
    shared[i] = {&flags[i], &liveBits[i], nullptr};
    for (size_t before = i; before-- > 0;) {
      const ContractionMatch &first = *groups[before].front();
      if (handOver(first, described[before], *joined.front(), described[i]))
        shared[i].flags = &flags[before];
      if (!shared[i].liveOfA &&
          tellLiveMicroTiles(first, described[before], *joined.front(),
                             described[i]))
        shared[i].liveOfA = &liveBits[before];
    }
  }
  for (ContractionKernel &kernel : described)
    kernel.hasProducer = specialise || !canLoadBesideProducts(kernel);
  for (auto [i, joined] : llvm::enumerate(groups)) {
    const ContractionMatch &match = *joined.front();
    const ContractionKernel &kernel = described[i];
    for (const ContractionMatch *part : joined)
      reportKernel(*part, kernel);
    LLVM::LLVMFuncOp op =
        getKernel(*module, function, match.ops.back()->getLoc(), kernel);
    createLaunch(joined, kernel, getSymbol(*module, op), numMultiprocessors,
                 freeBuffers, shared[i]);
    for (const ContractionMatch *part : joined)
      for (Operation *dead : llvm::reverse(part->ops))
        dead->erase();
    if (match.index)
      if (auto assemble = match.index.getDefiningOp<AssembleOp>();
          assemble && assemble->use_empty())
        assemble->erase();
    numContractions += joined.size();
  }
  convertRowSums(*module, function, rowSums);
  convertWanted(*module, function, wantedBlocks);
  SetVector<DetectIntoOp> detections;
  for (const ContractionMatch &match :
       llvm::concat<ContractionMatch>(matches, rowSums))
    if (match.detection)
      detections.insert(match.detection);
  for (const WantedMatch &match : wantedBlocks)
    detections.insert(match.product.detection);
  for (DetectIntoOp detection : detections)
    eraseIfUnread(detection);
  // What started the sums, or held them on the way.
  eraseUnreadBuffers(function.getBody().front());
  return success();
}

void ConvertContractionsToHopperPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  if (numMultiprocessors < 1) {
    emitError(getOperation().getLoc(), "multiprocessors must be positive, not ")
        << numMultiprocessors.getValue();
    return signalPassFailure();
  }
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  MatchRequirements needs;
  needs.shortSegments = shortSegments;
  needs.f32 = *products == F32Products::TF32;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function, needs)))
      return signalPassFailure();
}
