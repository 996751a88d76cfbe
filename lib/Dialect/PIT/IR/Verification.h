//===- Verification.h - What verifiers of pit ops share ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_VERIFICATION_H
#define PIT_LIB_DIALECT_PIT_IR_VERIFICATION_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether two extents are known and not the same.
inline bool extentsDiffer(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// The type of an index, whether it lies in a tensor or a buffer.
inline SparseIndexType getIndexType(Value index) {
  if (auto buffer = dyn_cast<IndexBufferType>(index.getType()))
    return buffer.getIndex();
  return cast<SparseIndexType>(index.getType());
}

/// Checks `by` against a pattern space of the given extents (dynamic allowed).
LogicalResult verifyPatternSource(Operation *op, ShapedType by,
                                  PatternAttr pattern,
                                  ArrayRef<int64_t> extents);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_IR_VERIFICATION_H
