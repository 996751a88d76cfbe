//===- WidenLate.h - Values widened where they are read ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_WIDENLATE_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_WIDENLATE_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Adds a pattern that has an op yield the narrow float that it would extend,
/// where only structured ops read the result: they extend it then. The tensor
/// between them takes half the memory, and all values are the same. Ops with
/// the attribute `excluded` stay as they are.
void populateWidenLatePatterns(RewritePatternSet &patterns, StringRef excluded);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_WIDENLATE_H
