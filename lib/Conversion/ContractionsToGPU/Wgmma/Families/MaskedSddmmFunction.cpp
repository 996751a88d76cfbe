//===- MaskedSddmmFunction.cpp - Masked SDDMM: the kernel
//----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/Loaders.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/MainLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/Products.h"
#include "Conversion/ContractionsToGPU/Wgmma/Schedule/Schedulers.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/Writers.h"
#include "GPU/Kernel/KernelFunction.h"
#include "GPU/Kernel/SharedMemory.h"
#include "MaskedSddmmBlocks.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// The main loop of one of the variants.
static void emitLoop(KernelBuilder &b, const MaskedSddmmKernel &all,
                     const ContractionKernel &kernel, const KernelState &state,
                     Scheduler &scheduler, std::unique_ptr<Writer> writer) {
  std::unique_ptr<Loader> loader = createTensorMapLoader(kernel, state);
  std::unique_ptr<TileProduct> product =
      createRowProduct(kernel, state, std::move(writer));
  emitMainLoop(b, kernel, state, *loader, scheduler, *product,
               kernel.getNumThreads() < all.getNumThreads());
}

/// Sampled blocks alone.
static void emitMaskedSddmm(KernelBuilder &b, const MaskedSddmmKernel &kernel,
                            const KernelState &state,
                            const MaskedSddmmShare &share) {
  std::unique_ptr<Scheduler> scheduler =
      createMaskedSddmmScheduler(kernel, state, share);
  emitLoop(b, kernel, kernel.tiles, state, *scheduler,
           createBoxWriter(kernel.tiles, state));
}

FailureOr<LLVM::LLVMFuncOp> mlir::pit::hopper::buildMaskedSddmmKernel(
    gpu::GPUModuleOp module, Location loc, StringRef name,
    const MaskedSddmmKernel &kernel, const KernelSignature &signature) {
  LLVM::GlobalOp memory = getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  FailureOr<LLVM::LLVMFuncOp> function =
      createKernelFunction(outside, name, signature, kernel.getNumThreads(),
                           /*blocksAtOnce=*/1);
  if (failed(function))
    return failure();
  ParameterReader reader(signature, *function);
  KernelArguments arguments = readArguments(reader, kernel.tiles, ""), ofDense;
  if (kernel.dense)
    ofDense = readArguments(reader, *kernel.dense, kDensePrefix);
  Value mask = reader.read("sampleMask");
  if (failed(reader.finish()))
    return failure();

  KernelBuilder b(loc, module.getContext());
  b.setInsertionPointToStart(&function->getBody().front());
  KernelState state = createState(b, memory, kernel.tiles, arguments);
  MaskedSddmmCount count = emitMaskedSddmmLists(b, kernel, state, mask);
  if (kernel.dense) {
    KernelState denseState = createState(b, memory, *kernel.dense, ofDense);
    Value most = b.i32(kernel.grid.getNumBlocks() * kernel.mostSampled);
    Value areFew = b.compare(arith::CmpIPredicate::ule,
                             b.mul(count.numSampled, kLiveUnit), most);
    b.ifThenElse(
        areFew, [&] { emitMaskedSddmm(b, kernel, state, count.share); },
        [&] {
          std::unique_ptr<Scheduler> scheduler =
              createGroupedScheduler(*kernel.dense, denseState);
          emitLoop(
              b, kernel, *kernel.dense, denseState, *scheduler,
              createMaskedSddmmWriter(
                  kernel, mask, createBoxWriter(*kernel.dense, denseState)));
        });
  } else {
    emitMaskedSddmm(b, kernel, state, count.share);
  }
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}
