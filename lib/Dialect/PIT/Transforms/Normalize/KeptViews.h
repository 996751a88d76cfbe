//===- KeptViews.h - Reshapes that stay outside of ops ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models view [batch, position, ...] as [token, ...] in front of a layer of
// experts, and the gate that says where its sparsity comes from is one of
// tokens. Were the view folded into the ops, their token axis would be two
// axes, and a pattern along one axis could not lie along two.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTVIEWS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTVIEWS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Notes at each reshape below `root` whether its merged dimension is one along
/// which some mark lies, by the ops that run along it.
void noteKeptViews(Operation *root);

/// Takes the notes away.
void dropKeptViews(Operation *root);

bool isKeptView(Operation *op);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_KEPTVIEWS_H
