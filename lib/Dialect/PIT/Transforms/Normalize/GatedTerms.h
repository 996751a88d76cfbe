//===- GatedTerms.h - Sums of terms with marks of their own -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over experts that was unrolled adds up gate[:, e] * expert_e(x). Each
// term is zero along rows of its own, so each is to be an op of its own, which
// adds its rows to the sum of those before: in one op of all terms, no row is
// dead.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATEDTERMS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATEDTERMS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Whether fusing an operand's producer would bring terms with different marks,
/// or with different columns of a gate that is marked later, into one sum.
bool joinsGatedTerms(OpOperand &fused);

/// x + gate * y, where gate is marked and nobody else reads x: computed in
/// place of x. Ops with the attribute `optOut` stay as they are.
void populateGatedTermsPatterns(RewritePatternSet &patterns, StringRef optOut);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATEDTERMS_H
