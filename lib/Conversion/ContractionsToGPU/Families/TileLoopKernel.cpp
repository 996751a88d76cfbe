//===- TileLoopKernel.cpp - Families of the persistent tile loop ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoopKernel.h"

#include "Conversion/ContractionsToGPU/Plan/AwaitPieces.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/JoinProducts.h"
#include "Conversion/ContractionsToGPU/Plan/KernelPlan.h"
#include "Conversion/ContractionsToGPU/Plan/LiveBits.h"
#include "Conversion/ContractionsToGPU/Plan/OverlapKernels.h"
#include "Conversion/ContractionsToGPU/Plan/ReportKernels.h"
#include "Conversion/ContractionsToGPU/Plan/VerifyKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/ContractionFunction.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

char TileLoopKernel::ID = 0;

bool TileLoopKernel::canJoin(const ProductKernel &last,
                             const DeviceModel &device) const {
  return isa<TileLoopKernel>(last) &&
         hopper::canJoin(parts, last.getParts().back(), device);
}

PlanParts TileLoopKernel::plan(const PlanOptions &options) {
  kernel = describeKernel(parts.front(), options.device, parts.size());
  kernel.hasProducer = options.specialise || !canLoadBesideProducts(kernel);
  return getPlan(kernel, family.getId());
}

LogicalResult TileLoopKernel::bind(PlanAttr plan, const DeviceModel &device) {
  auto emitError = [&] { return getLastOp().emitOpError(); };
  const ContractionMatch &match = parts.front();
  if (failed(verifyVariants(match, plan, getGuards(match), emitError)))
    return failure();
  kernel = bindKernel(match, plan, parts.size());
  takePieces(parts, kernel);
  return verifyKernel(kernel, emitError);
}

bool TileLoopKernel::takeRows(ProductKernel &earlier,
                              const DeviceModel &device) {
  auto *first = dyn_cast<TileLoopKernel>(&earlier);
  if (!first || !overlapKernels(first->parts.front(), first->kernel,
                                parts.front(), kernel, device))
    return false;
  shared.flags = &first->flags;
  return true;
}

bool TileLoopKernel::takeBits(ProductKernel &earlier) {
  auto *first = dyn_cast<TileLoopKernel>(&earlier);
  if (!first || !tellLiveMicroTiles(first->parts.front(), first->kernel,
                                    parts.front(), kernel))
    return false;
  shared.liveOfA = &first->liveBits;
  return true;
}

void TileLoopKernel::report() const {
  for (const ContractionMatch &part : parts)
    reportKernel(part, kernel, family.getName());
}

KernelSignature TileLoopKernel::getSignature(MLIRContext *context) const {
  return hopper::getSignature(context, kernel);
}

bool TileLoopKernel::isSameFunction(const ProductKernel &other) const {
  auto *same = dyn_cast<TileLoopKernel>(&other);
  return same && same->kernel == kernel;
}

FailureOr<LLVM::LLVMFuncOp>
TileLoopKernel::build(gpu::GPUModuleOp module, StringRef name,
                      const KernelSignature &signature) const {
  return buildContractionKernel(module, getLastOp().getLoc(), name, kernel,
                                signature);
}

LogicalResult TileLoopKernel::launch(const KernelSignature &signature,
                                     SymbolRefAttr symbol,
                                     const EmitOptions &options) {
  SmallVector<const ContractionMatch *> matches;
  for (const ContractionMatch &part : parts)
    matches.push_back(&part);
  if (failed(createLaunch(matches, kernel, signature, symbol,
                          options.device.multiprocessors, options.freeBuffers,
                          shared)))
    return failure();
  if (kernel.awaitedPieces)
    parts.front().pieces.erase();
  return success();
}
