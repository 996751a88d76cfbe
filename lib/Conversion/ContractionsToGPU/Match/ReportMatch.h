//===- ReportMatch.h - Which ops a match takes ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_REPORTMATCH_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_REPORTMATCH_H

#include "Match.h"

namespace mlir::pit::hopper {

/// Why a match is not taken around which the device needs a scalar.
inline constexpr StringLiteral kCrossedByScalar =
    "a scalar that the device computes before it is used behind it, so both "
    "are in one kernel, and none can start between";

/// The tiled op of a match, or its first structured op with a sum.
Operation *getProduct(const ContractionMatch &match);

/// Says of a match's structured ops, regions included, all but the product,
/// that they are part of its kernel.
void reportParts(const ContractionMatch &match);

/// Says why elementwise work behind the match is not part of it; to be called
/// before other matches' ops are erased.
void reportEpilogueEnd(const ContractionMatch &match);

} // namespace mlir::pit::hopper

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_REPORTMATCH_H
