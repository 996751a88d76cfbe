//===- KernelEpilogue.h - A contraction's epilogue --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELEPILOGUE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELEPILOGUE_H

#include "GPU/Epilogue/Epilogue.h"
#include "GPU/Epilogue/RowEpilogue.h"
#include "KernelState.h"

namespace mlir::pit::hopper {

/// The same in a kernel for Hopper, where a thread holds `accumulators` other
/// f32.
SmallVector<Value> applyEpilogue(KernelBuilder &builder,
                                 const ContractionKernel &kernel,
                                 const KernelState &state, TilePosition tile,
                                 const Fragment &fragment,
                                 int64_t accumulators = 0);

/// What of it follows the rounding, and the operands of a packed row for that.
RowEpilogue createRowEpilogue(const ContractionKernel &kernel);
SmallVector<Value> loadRowOperands(KernelBuilder &builder,
                                   const RowEpilogue &epilogue,
                                   const KernelState &state, TilePosition tile,
                                   Value row);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELEPILOGUE_H
