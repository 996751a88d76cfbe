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

namespace mlir::pit {

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
