//===- WantedKernel.cpp - The kernel of wanted blocks ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/MainLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/TileLoop.h"
#include "GPU/Kernel/KernelFunction.h"
#include "GPU/Kernel/SharedMemory.h"
#include "WantedBlocks.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// The main loop of one of the variants.
static void emitLoop(KernelBuilder &b, const WantedKernel &all,
                     const ContractionKernel &kernel, const KernelState &state,
                     Scheduler &scheduler, std::unique_ptr<Writer> writer) {
  std::unique_ptr<Loader> loader = createTensorMapLoader(kernel);
  std::unique_ptr<TileProduct> product =
      createRowProduct(kernel, std::move(writer));
  emitMainLoop(b, kernel, state, *loader, scheduler, *product,
               kernel.getNumThreads() < all.getNumThreads());
}

/// Wanted blocks alone.
static void emitWanted(KernelBuilder &b, const WantedKernel &kernel,
                       const KernelState &state, const WantedShare &share) {
  std::unique_ptr<Scheduler> scheduler = createWantedScheduler(kernel, share);
  emitLoop(b, kernel, kernel.tiles, state, *scheduler,
           createBoxWriter(kernel.tiles));
}

LLVM::LLVMFuncOp
mlir::pit::hopper::buildWantedKernel(gpu::GPUModuleOp module, Location loc,
                                     StringRef name,
                                     const WantedKernel &kernel) {
  LLVM::GlobalOp memory = getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  KernelArguments arguments, ofDense;
  Value mask;
  Parameters parameters;
  addParameters(outside, kernel.tiles, arguments, parameters);
  if (kernel.dense)
    addParameters(outside, *kernel.dense, ofDense, parameters);
  parameters.take(mask, LLVM::LLVMPointerType::get(module.getContext(), Global),
                  outside.getDictionaryAttr({}));
  LLVM::LLVMFuncOp function =
      createKernelFunction(outside, name, parameters.types,
                           parameters.attributes, kernel.getNumThreads());
  Block *entry = function.addEntryBlock(outside);
  parameters.setTo(*entry);

  KernelBuilder b(loc, module.getContext());
  b.setInsertionPointToStart(entry);
  KernelState state = createState(b, memory, kernel.tiles, arguments);
  WantedCount count = emitWantedLists(b, kernel, state, mask);
  if (kernel.dense) {
    KernelState denseState = createState(b, memory, *kernel.dense, ofDense);
    Value most = b.i32(kernel.grid.getNumBlocks() * kernel.mostWanted);
    Value areFew = b.compare(arith::CmpIPredicate::ule,
                             b.mul(count.numWanted, kLiveUnit), most);
    b.ifThenElse(
        areFew, [&] { emitWanted(b, kernel, state, count.share); },
        [&] {
          std::unique_ptr<Scheduler> scheduler =
              createGroupedScheduler(*kernel.dense);
          emitLoop(
              b, kernel, *kernel.dense, denseState, *scheduler,
              createWantedWriter(kernel, mask, createBoxWriter(*kernel.dense)));
        });
  } else {
    emitWanted(b, kernel, state, count.share);
  }
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}
