//===- PackedLoop.h - Packed SpMM: the main loop ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_PACKEDLOOP_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_PACKEDLOOP_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"

namespace mlir::pit::hopper {

/// Emits the whole body of a kernel with packed micro-tiles.
void emitPackedLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                    const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_PACKEDLOOP_H
