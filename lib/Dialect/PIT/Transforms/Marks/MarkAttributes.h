//===- MarkAttributes.h - What marks say beside the pattern -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKATTRIBUTES_H
#define PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace mlir::pit {

/// On a `pit.sparse` op: the share of the pattern's blocks, each of its
/// granularity, that is expected to be live; a float of 0 to 1. It chooses
/// among ways to compute the same.
inline constexpr llvm::StringLiteral kLiveAttrName = "pit.live";

/// On a `pit.sparse` op by values: what it marks was cleared to be marked so,
/// and is as well off without the mark if no micro-tiles can be chosen.
inline constexpr llvm::StringLiteral kClearedAttrName = "pit.cleared";

/// The value of `pit.live`, or none if it is no such float.
inline std::optional<double> readShare(Attribute attr) {
  auto share = dyn_cast<FloatAttr>(attr);
  if (!share || !(share.getValueAsDouble() >= 0) ||
      !(share.getValueAsDouble() <= 1))
    return std::nullopt;
  return share.getValueAsDouble();
}

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKATTRIBUTES_H
