//===- Scan.h - Prefix sums that are written as reductions ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg has no scan, so a running sum is written as a reduction under a
// triangle: result `q` adds up `select(k <= q, x[k], 0)` over all `k`. That
// takes n * n steps; a scan takes n.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_SCAN_H
#define PIT_DIALECT_PIT_UTILS_SCAN_H

#include "PIT/Dialect/PIT/Utils/Combiner.h"

namespace mlir::pit {

/// A scan: result q combines the elements k <= q, or of a reversed one k >= q.
struct Scan {
  /// The one loop that is reduced over (k), and that of results (q).
  unsigned over, along;
  /// Whether result q leaves out element q.
  bool isExclusive = false, isReversed = false;
  /// What the body computes of inputs for element k.
  Value element;
  Combiner combiner;

  /// A structured op of one result, on tensors or buffers. None if it is
  /// anything else.
  static std::optional<Scan> match(linalg::LinalgOp op);
  TypedAttr getNeutral() const { return combiner.getNeutral(0); }
  Value combine(OpBuilder &builder, Location loc, Value left,
                Value right) const {
    return combiner.combine(builder, loc, left, right)[0];
  }
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_SCAN_H
