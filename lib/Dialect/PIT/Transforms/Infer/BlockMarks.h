//===- BlockMarks.h - Inferred marks in blocks for GPUs ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_BLOCKMARKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_BLOCKMARKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Rows and columns of the blocks that kernels of warpgroup products skip in
/// either operand, and that they compute of a result.
inline constexpr int64_t kSkippedBlock = 64;

/// Whether a kernel of warpgroup products can skip blocks of an operand, or of
/// the result, that lie along two axes of a product: a plain matrix product of
/// 16 bits, rounded to 16 bits, with a sum of known length, whose axes have
/// whole blocks.
bool skipsBlocks(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether a mark that was inferred of a matrix can say which of its blocks are
/// live.
bool canMarkBlocks(SparseOp mark);

/// About how many microseconds it takes to find the live blocks of a mark.
double estimateBlockDetection(SparseOp mark);

/// Replaces a mark of single elements by one of the blocks in which any of them
/// is live. These are found once, for all products.
SparseOp markBlocks(SparseOp mark);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_BLOCKMARKS_H
