//===- Products.h - Ways to multiply a tile with wgmma ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_PRODUCTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_PRODUCTS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/TileProduct.h"
#include "GPU/Pipeline/Writer.h"

namespace mlir::pit::hopper {

/// Bytes of a row that one matrix instruction multiplies, whatever the type,
/// and how many of them multiply a stage.
inline constexpr int64_t kProductBytes = 32;
inline constexpr int64_t kProductsOfStage =
    ContractionKernel::kRowBytes / kProductBytes;

/// Extent of one instruction along k, of 16 bits.
inline constexpr int64_t kProductDepth = kProductBytes / 2;

/// From one instruction to the next along k: bytes in a row, or rows, which
/// only 16 bits have.
inline int64_t getStepBytes(SharedLayout layout) {
  return layout == SharedLayout::KMajor
             ? kProductBytes
             : kProductDepth * ContractionKernel::kRowBytes;
}

/// Multiplies a stage into sums of its own, and adds those to the 64 x n ones
/// from `column` on of an accumulator, or sets them where `overwrite`.
/// `multiply` emits one product of the stage, given what to add to, its number
/// and whether it overwrites. Waits for the products.
Value addStage(
    KernelBuilder &builder, Value accumulator, int64_t column, int64_t n,
    bool overwrite,
    function_ref<Value(Value partial, int64_t number, bool overwrite)>
        multiply);

/// Rows of A times columns of B, with a writer of tiles.
std::unique_ptr<TileProduct> createRowProduct(const ContractionKernel &kernel,
                                              const KernelState &state,
                                              std::unique_ptr<Writer> writer);

/// The same of an A of which a mask says what is dead; see RegisterMask.h.
std::unique_ptr<TileProduct>
createMaskedProduct(const ContractionKernel &kernel, const KernelState &state,
                    std::unique_ptr<Writer> writer);

/// The same where single rows are dead in a step, whatever the next row is.
std::unique_ptr<TileProduct>
createLiveRowProduct(const ContractionKernel &kernel, const KernelState &state,
                     std::unique_ptr<Writer> writer);

/// Writes the 16 rows from `row` on that a warp has of a tile, given its part
/// of the accumulator, once what stands behind the sums is computed.
void writeRows(Ring &ring, const ContractionKernel &kernel,
               const KernelState &state, Writer &writer, Value accumulator,
               Value row, TilePosition tile);

/// Columns of B times rows of A, for tiles of few rows, of a matrix or of
/// segments.
std::unique_ptr<TileProduct>
createSwappedProduct(const ContractionKernel &kernel, const KernelState &state);

/// Tiles that count as whole (`isWholeTile`) as rows times columns, written by
/// the writer; other ones, where a segment ends, with operands swapped.
std::unique_ptr<TileProduct> createMixedProduct(const ContractionKernel &kernel,
                                                const KernelState &state,
                                                std::unique_ptr<Writer> writer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_PRODUCTS_H
