//===- LiveSample.h - The live share, sampled on the device -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much is live is known on the device alone. Blocks of a kernel that has
// variants look at some of it, and decide, all in the same way, before they
// begin.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVESAMPLE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVESAMPLE_H

#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"

namespace mlir::pit::hopper {

/// What is live of some lists, or words, the same in all threads; i32.
struct LiveSample {
  Value live, numbers;
};

/// Emits, in all threads of a block, a look at no more of `numbers` than it has
/// threads, evenly spread over all of them; `read` says what the number at a
/// place is. Shared memory is free behind it.
LiveSample emitSample(KernelBuilder &builder, const BlockState &state,
                      int64_t numThreads, Value numbers,
                      llvm::function_ref<Value(Value place)> read);
/// The same for a kernel's lists, or words.
LiveSample emitSample(KernelBuilder &builder, const ContractionKernel &kernel,
                      const KernelState &state);

/// Whether there are lists of packed micro-tiles, as the launch before has
/// decided.
Value isPacked(KernelBuilder &builder, const KernelState &state);

/// Whether no more is live, on average, in units of 1/kLiveUnit.
Value isWorthSkipping(KernelBuilder &builder, int64_t mostLive,
                      const LiveSample &sample);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_LIVESAMPLE_H
