//===- OperandCopies.h - Tiles of operands by TMA ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_OPERANDCOPIES_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_OPERANDCOPIES_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"

namespace mlir::pit::hopper {

/// Copies, in one thread, a tile of `extent` rows (K-major) or columns (panels
/// along m or n) from `first` and `k` on, of one of many matrices if there is a
/// `segment`. The barrier counts the bytes, which it must expect already.
void copyTile(KernelBuilder &builder, Value target, Value tensorMap,
              Value barrier, Value first, Value k, int64_t extent,
              SharedLayout layout, bool asPanels, Value segment = Value(),
              Value policy = Value());

/// Whether nothing of B is read again soon, as most segments have one tile
/// along m, so that it must not push out of the L2 cache what tiles share of A;
/// i1. Null where there are no segments.
Value isBReadOnce(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelArguments &arguments);

/// Copies a tile of B, or of each product's B side by side, to where the stage
/// has it. `isReadOnce` may be null.
void copyTilesOfB(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelArguments &arguments, Value stage, Value barrier,
                  TilePosition position, Value k, Value isReadOnce = Value());

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_OPERANDCOPIES_H
