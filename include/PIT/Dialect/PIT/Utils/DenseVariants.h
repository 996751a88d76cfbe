//===- DenseVariants.h - Names around dense variants ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_DENSEVARIANTS_H
#define PIT_DIALECT_PIT_UTILS_DENSEVARIANTS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::pit {

/// A key in `pit.rules`. The share of live micro-tiles up to which a rule with
/// a dense variant still skips.
inline constexpr llvm::StringLiteral kMostLiveName = "most_live";

/// The number of the timer for the dense variant of rule 0. Timers of rules and
/// of patterns have smaller numbers.
inline constexpr int64_t kFirstDenseVariantTimer = int64_t(1) << 33;

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_DENSEVARIANTS_H
