//===- MatricesOfBlocks.h - Masks that repeat truth in blocks ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_MATRICESOFBLOCKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_MATRICESOFBLOCKS_H

#include "mlir/IR/Value.h"

namespace mlir::pit {

/// Matrices that repeat each truth value of `value` in a block of rows and
/// columns, as masks of pruned weights do: of blocks, products can skip some,
/// whatever the values follow from. What repeats them may be the op that
/// computes them.
SmallVector<Value> findMatricesOfBlocks(Value value);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_MATRICESOFBLOCKS_H
