//===- UnitAxesOfMarks.h - Marks of tensors with unit axes ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_UNITAXESOFMARKS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_UNITAXESOFMARKS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

class SparseOp;

/// Whether a mark is one of the tensor without that axis, of extent 1.
bool losesAxis(SparseOp mark, int64_t axis);

/// Whether what is marked has axes of extent 1 that the pattern has not.
bool hasUnitAxes(SparseOp mark);

/// Adds a pattern that makes a mark one of the tensor without its axes of
/// extent 1, but for those that the pattern has. Ops lose these axes in
/// normalisation, and would be kept apart by a mark that does not.
void populateDropUnitAxesOfMarksPatterns(RewritePatternSet &patterns);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_UNITAXESOFMARKS_H
