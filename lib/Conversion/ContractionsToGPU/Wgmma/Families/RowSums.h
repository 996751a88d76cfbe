//===- RowSums.h - Row-piece SpMM: its parts --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_ROWSUMS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_ROWSUMS_H

#include "Conversion/ContractionsToGPU/Plan/RowSumKernel.h"
#include "GPU/Kernel/KernelBuilder.h"
#include "GPU/Pipeline/Ring.h"
#include "GPU/Pipeline/TilePosition.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit::hopper {

/// Where stages have their rows of A, and their piece of B.
Value getOffsetOfA(KernelBuilder &builder, const RowSumKernel &kernel,
                   Value stage);
Value getOffsetOfB(KernelBuilder &builder, const RowSumKernel &kernel,
                   Value stage);

/// A kernel's parameters.
struct RowSumArguments {
  Value baseA, tensorMapB, baseC, bitmap;
  Value m, n, k;          ///< i32
  Value strideA, strideC; ///< i32, elements
  Value wordsOfPiece;     ///< i32, words of bits per piece of k
};

/// What the parts of a kernel share.
struct RowSumState : BlockState {
  RowSumArguments arguments;
  Value tilesM, tiles, pieces; ///< i32

  /// Of the turn of a warpgroup at a part of the columns.
  Value getTurnBarrier(KernelBuilder &b, Value consumer, int64_t part) const;
  /// Of a step, those of the one before are still being read.
  Value getNote(KernelBuilder &b, Value stage, Value phase) const;
  /// First row and column of a tile. Tiles that share columns of B follow one
  /// another.
  TilePosition getTile(KernelBuilder &b, Value number) const;
};

/// The stages, each of which a warp fills. Who reads one gives it back in every
/// thread of its warpgroup.
PipelineShape getPipelineShape(const RowSumKernel &kernel);

/// The part of warps that fill stages ...
void emitRowSumLoader(KernelBuilder &builder, const RowSumKernel &kernel,
                      const RowSumState &state);
/// ... and that of warpgroups that multiply, add and write.
void emitRowSumConsumer(KernelBuilder &builder, const RowSumKernel &kernel,
                        const RowSumState &state);

/// Adds the kernel to the module.
FailureOr<LLVM::LLVMFuncOp> buildRowSumKernel(gpu::GPUModuleOp module,
                                              Location loc, StringRef name,
                                              const RowSumKernel &kernel,
                                              const KernelSignature &signature);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_ROWSUMS_H
