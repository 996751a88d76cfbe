//===- BlockLoop.h - Block SpMM: the main loop ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_BLOCKLOOP_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_BLOCKLOOP_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"

namespace mlir::pit::hopper {

/// Emits the whole body of a kernel with blocks.
void emitBlockLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                   const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_BLOCKLOOP_H
