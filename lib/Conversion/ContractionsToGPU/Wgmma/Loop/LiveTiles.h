//===- LiveTiles.h - Block SpMM: picks a variant of tiles -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVETILES_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVETILES_H

#include "LiveSample.h"

namespace mlir::pit::hopper {

/// Emits the loop of the variant that suits what is live. Where there is only
/// one, that need not be known.
void emitLoopByLive(KernelBuilder &builder, const ContractionKernel &kernel,
                    const KernelState &state,
                    const std::optional<LiveSample> &sample);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVETILES_H
