//===- JoinedRows.h - One axis for the rows of a gate -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models choose an expert for each [batch, position], and experts' rows are
// tokens: a pattern of [token, expert] is a list of rows for each expert. The
// mark of such a gate lies on a view of [token, expert]. Ops that run along its
// rows and its experts get one loop of tokens here, with views around them all.
// Others, as those of attention and norms, keep their two.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_JOINEDROWS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_JOINEDROWS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Joins the loops of the ops below `root` that views around marks make one.
/// Returns whether there were any.
bool joinRowsOfGates(Operation *root);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_JOINEDROWS_H
