//===- MergeUnitLoops.h - Loops of one iteration ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_MERGEUNITLOOPS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_MERGEUNITLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Adds a pattern that replaces reductions of one iteration by a parallel loop
/// of one iteration, where the op has one: they all stand at 0. Inputs that are
/// expanded only for such loops are read as they were before. So a product of
/// one row, which reshapes are folded into, has three loops again. Ops with the
/// attribute `excluded` stay as they are.
void populateMergeUnitLoopsPatterns(RewritePatternSet &patterns,
                                    StringRef excluded);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_MERGEUNITLOOPS_H
