//===- PlacedLookups.h - Lookups at places that are known -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write a broadcast of a mask as a lookup: `mask[b, k]` by tensors
// that count 0, 1, 2, ..., each index wrapped around where it is negative. Once
// the counting is part of the op, what is looked up is an operand like others.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PLACEDLOOKUPS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PLACEDLOOKUPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Comparisons in the bodies of structured ops that the extents of loops decide
/// become constants, assertions that hold go, and a `tensor.extract` at loops'
/// own places, perhaps with numbers added, becomes an operand: a slice, where
/// the loops do not visit all of the tensor. Ops with the attribute `excluded`
/// stay.
void populatePlacedLookupsPatterns(RewritePatternSet &patterns,
                                   StringRef excluded);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_PLACEDLOOKUPS_H
