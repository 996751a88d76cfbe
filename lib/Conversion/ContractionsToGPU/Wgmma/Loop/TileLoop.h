//===- TileLoop.h - A GEMM's loop, put together of parts --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel has to do to run, as one of its branches, the loop of a
// contraction whose tiles all take the same steps.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_TILELOOP_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_TILELOOP_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"

namespace mlir::pit::hopper {

/// Emits the loop, in all of a block's threads.
void emitTileLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_TILELOOP_H
