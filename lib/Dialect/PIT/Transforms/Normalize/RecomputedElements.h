//===- RecomputedElements.h - Elements computed by each reader --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RECOMPUTEDELEMENTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RECOMPUTEDELEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Computes its elements of their places alone, by a few operations: cheaper
/// than a tensor of them.
bool isOfPlaces(linalg::LinalgOp op);

/// Whether each reader of an elementwise op had better compute its elements
/// again: the op reads fewer bytes than it writes, and takes a few operations
/// of the cheap kind, and all its readers are elementwise. A bf16 that is
/// widened and scaled for the forward and the backward of an activation is one.
bool isCheaperRecomputed(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RECOMPUTEDELEMENTS_H
