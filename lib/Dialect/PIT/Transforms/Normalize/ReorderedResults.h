//===- ReorderedResults.h - Sums in the order of who reads them -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_REORDEREDRESULTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_REORDEREDRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Adds a pattern that stores the sums of a product in the order of axes in
/// which its only reader, an elementwise op, has them. A kernel of the product
/// can then take the reader in, and transposes nothing. Only axes in front of
/// the last one change places: along that one, elements are stored together.
/// Ops with the attribute `excluded` stay as they are.
void populateReorderedResultsPatterns(RewritePatternSet &patterns,
                                      StringRef excluded);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_REORDEREDRESULTS_H
