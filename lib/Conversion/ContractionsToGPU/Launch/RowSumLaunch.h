//===- RowSumLaunch.h - Row-piece SpMM: the host's side ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_ROWSUMLAUNCH_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_ROWSUMLAUNCH_H

#include "Conversion/ContractionsToGPU/Plan/RowSumKernel.h"

namespace mlir::pit::hopper {

/// Emits the detection of bits and the launch of at most `maxBlocks` blocks.
LogicalResult createRowSumLaunch(const ContractionMatch &match,
                                 const RowSumKernel &kernel,
                                 const KernelSignature &signature,
                                 SymbolRefAttr symbol, int64_t maxBlocks,
                                 bool freeBuffers);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_ROWSUMLAUNCH_H
