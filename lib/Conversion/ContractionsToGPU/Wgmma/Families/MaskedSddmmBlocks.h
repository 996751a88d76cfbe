//===- MaskedSddmmBlocks.h - Masked SDDMM: its parts -----------------*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_MASKEDSDDMMBLOCKS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_MASKEDSDDMMBLOCKS_H

#include "Conversion/ContractionsToGPU/Plan/MaskedSddmmKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Scheduler.h"
#include "GPU/Pipeline/Writer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit::hopper {

FailureOr<LLVM::LLVMFuncOp>
buildMaskedSddmmKernel(gpu::GPUModuleOp module, Location loc, StringRef name,
                       const MaskedSddmmKernel &kernel,
                       const KernelSignature &signature);
/// A block of threads' share, in shared memory: numbers of blocks, i32.
struct MaskedSddmmShare {
  Value sampled, numSampled;
  Value others, numOthers;
};

/// Reads the mask; emitted in all threads. Shared memory before the lists is
/// free behind it. Also returns how many blocks are sampled in all.
struct MaskedSddmmCount {
  MaskedSddmmShare share;
  Value numSampled;
};
MaskedSddmmCount emitMaskedSddmmLists(KernelBuilder &builder,
                                      const MaskedSddmmKernel &kernel,
                                      const KernelState &state, Value mask);

/// Tiles of a share's sampled blocks; a warp fills the others.
std::unique_ptr<Scheduler>
createMaskedSddmmScheduler(const MaskedSddmmKernel &kernel,
                           const KernelState &state,
                           const MaskedSddmmShare &share);

/// Replaces what nobody wants before another writer writes it.
std::unique_ptr<Writer> createMaskedSddmmWriter(const MaskedSddmmKernel &kernel,
                                                Value mask,
                                                std::unique_ptr<Writer> writer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_MASKEDSDDMMBLOCKS_H
