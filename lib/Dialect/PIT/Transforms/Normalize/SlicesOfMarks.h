//===- SlicesOfMarks.h - Marks of parts of marked values --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_SLICESOFMARKS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_SLICESOFMARKS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Adds a pattern that marks a slice of values that are marked, along the axes
/// of the pattern that are left: a part of values says itself what is live,
/// such as one expert's column of a gate. The pattern of the whole has other
/// points. A bound is one of the whole, which goes.
void populateSlicesOfMarksPatterns(RewritePatternSet &patterns);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_SLICESOFMARKS_H
