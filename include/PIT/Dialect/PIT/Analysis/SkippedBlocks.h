//===- SkippedBlocks.h - Products that kernels skip blocks in ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of kernels of warpgroup products before there are any.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_SKIPPEDBLOCKS_H
#define PIT_DIALECT_PIT_ANALYSIS_SKIPPEDBLOCKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Rows and columns of the blocks that kernels of warpgroup products skip in
/// either operand, and that they compute of a result.
inline constexpr int64_t kSkippedBlock = 64;

/// Whether the elements of all inputs have 16 bits, as those that kernels of
/// warpgroup products skip in.
bool readsHalves(linalg::LinalgOp op);

/// The elementwise work behind a sum of f32 that rounds it to 16 bits, which is
/// what kernels write, before anything else reads it; nothing if it is not
/// rounded.
SmallVector<linalg::LinalgOp> getRounding(Value sum);

/// Whether a kernel of warpgroup products can skip blocks of an operand, or of
/// the result, that lie along two axes of a product: a plain matrix product of
/// 16 bits, rounded to 16 bits, with a sum of known length, whose axes have
/// whole blocks.
bool skipsBlocks(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether a kernel may skip micro-tiles of such extents along two axes of a
/// product of two matrices, one of rows or columns and one that is summed over:
/// a whole number of 64 along the sum, or few if they are contiguous there, and
/// 8 to 128 along the other axis.
bool skipsMicroTiles(linalg::LinalgOp op, ArrayRef<int64_t> axes,
                     ArrayRef<int64_t> tile);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_SKIPPEDBLOCKS_H
