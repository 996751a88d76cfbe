//===- MainLoop.h - The warp-specialised, persistent main loop --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As many blocks as the device has multiprocessors each compute tile after tile
// (persistent). One warpgroup loads, the others multiply (warp-specialised), as
// in CUTLASS' kernels for Hopper of that name.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_MAINLOOP_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_MAINLOOP_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Loader.h"
#include "GPU/Pipeline/Scheduler.h"
#include "GPU/Pipeline/TileProduct.h"

namespace mlir::pit::hopper {

/// How many registers each thread that multiplies can have, where those of a
/// warpgroup that loads keep so many.
unsigned getConsumerRegisters(const ContractionKernel &kernel,
                              unsigned loaderRegisters);

/// Emits the whole body of a kernel, put together from its parts. Blocks of
/// threads may have more warpgroups than take part, for another variant.
void emitMainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelState &state, Loader &loader,
                  Scheduler &scheduler, TileProduct &product,
                  bool hasMoreWarpgroups = false);

/// The same without a warpgroup that does nothing but load: a thread of those
/// that multiply asks for the steps of its own tile ahead of time. A reference
/// for what the specialised loop gains.
void emitUnspecialisedLoop(KernelBuilder &builder,
                           const ContractionKernel &kernel,
                           const KernelState &state, Loader &loader,
                           Scheduler &scheduler, TileProduct &product);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_MAINLOOP_H
