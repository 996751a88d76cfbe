//===- ProvenAsserts.h - Asserts that hold ----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_PROVENASSERTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_PROVENASSERTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Adds a pattern that drops the assert of a body that a number is not zero,
/// where it is positive whatever data says, as in a sigmoid. An assert is a
/// side effect, because of which the op would run at all points. NaN, of which
/// a comparison may not hold, is passed on instead.
void populateProvenAssertPatterns(RewritePatternSet &patterns);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_PROVENASSERTS_H
