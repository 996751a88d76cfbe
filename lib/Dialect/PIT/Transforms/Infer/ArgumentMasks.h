//===- ArgumentMasks.h - Masks of weights, as pruning has them --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ARGUMENTMASKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ARGUMENTMASKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Whether an argument of floats is the mask of another one, as pruned weights
/// have in training: it is only multiplied, several times, with gradients and
/// with an argument that nothing else reads.
bool isMaskOfArgument(Value value);

/// Whether an op multiplies two arguments that nothing else reads: one of them
/// is the mask of the other.
bool isMaskedArgument(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_ARGUMENTMASKS_H
