//===- SelectBlocks.h - One micro-tile for forward and gradients *- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKS_SELECTBLOCKS_H
#define PIT_DIALECT_PIT_TRANSFORMS_MARKS_SELECTBLOCKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether a matrix whose own zeros are marked is read by several products, as
/// the activations of a training step are: as rows by one, as columns or along
/// the sum by another; and what is live of its gradient by more. Blocks of 64 x
/// 64 are then what kernels skip in all of them, and the mark's micro-tiles fit
/// into these.
bool suitsBlocks(SparseOp mark);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKS_SELECTBLOCKS_H
