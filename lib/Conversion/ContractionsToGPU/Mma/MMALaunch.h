//===- MMALaunch.h - The host's side of a kernel with mma.sync --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMALAUNCH_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMALAUNCH_H

#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "MMAKernel.h"

namespace mlir::pit::mma {

/// Emits, before the match's last op, the launch of at most `maxBlocks` blocks
/// of the kernel that was built with the signature.
LogicalResult createLaunch(const hopper::ContractionMatch &match,
                           const MMAKernel &kernel,
                           const KernelSignature &signature,
                           SymbolRefAttr symbol, int64_t maxBlocks);

} // namespace mlir::pit::mma

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMALAUNCH_H
