//===- TileLoop.cpp - A GEMM's loop, put together of parts ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/Loaders.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/Products.h"
#include "Conversion/ContractionsToGPU/Wgmma/Schedule/Schedulers.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/Writers.h"
#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static std::unique_ptr<TileProduct>
createProduct(const ContractionKernel &kernel, const KernelState &state) {
  if (kernel.swapped)
    return createSwappedProduct(kernel, state);
  std::unique_ptr<Writer> writer =
      kernel.storesWords() ? createDirectWriter(kernel, state)
      : kernel.storesBoxes ? createBoxWriter(kernel, state)
                           : createStagedWriter(kernel, state);
  if (kernel.liveOfOutput)
    writer = createLiveBitsWriter(kernel, state, std::move(writer));
  if (kernel.masksInRegisters())
    return createMaskedProduct(kernel, state, std::move(writer));
  if (kernel.masksRows() && !kernel.clearsRows)
    return createLiveRowProduct(kernel, state, std::move(writer));
  return kernel.swapsTails
             ? createMixedProduct(kernel, state, std::move(writer))
             : createRowProduct(kernel, state, std::move(writer));
}

void mlir::pit::hopper::emitTileLoop(KernelBuilder &builder,
                                     const ContractionKernel &kernel,
                                     const KernelState &state) {
  std::unique_ptr<Loader> loader =
      kernel.raggedK || kernel.packsK() ? createRaggedKLoader(kernel, state)
      : kernel.gathersK                 ? createKGatherLoader(kernel, state)
      : kernel.gathersA                 ? createRowGatherLoader(kernel, state)
      : kernel.loadsLiveAlone()         ? createMaskedLoader(kernel, state)
      : kernel.window                   ? createWindowLoader(kernel, state)
                                        : createTensorMapLoader(kernel, state);
  std::unique_ptr<Scheduler> scheduler =
      kernel.segmented ? createSegmentScheduler(kernel, state)
      : kernel.sampled ? createSampledScheduler(kernel, state)
                       : createGroupedScheduler(kernel, state);
  std::unique_ptr<TileProduct> product = createProduct(kernel, state);
  emitMainLoop(builder, kernel, state, *loader, *scheduler, *product);
}
