//===- PlaceRanges.h - What is known of counted numbers ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters compute indexes as tensors. One op creates 0, 1, 2, ..., others
// reshape it, compare it and wrap it around, and at last an element is used as
// an index. Its range follows from extents. Upstream's inference of integer
// ranges handles the arithmetic; this class follows values through structured
// ops and reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_PLACERANGES_H
#define PIT_DIALECT_PIT_UTILS_PLACERANGES_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::pit {

/// Ranges of integers that are computed from positions.
class PlaceRanges {
public:
  /// The range of an integer or index, in the body of a structured op on
  /// tensors or outside of one. The full range of its type if nothing is known.
  ConstantIntRanges get(Value number) { return getOf(number, 0); }
  /// The value, if the range has exactly one.
  std::optional<APInt> getConstant(Value number) {
    return get(number).getConstantValue();
  }

private:
  ConstantIntRanges getOf(Value number, unsigned depth);
  ConstantIntRanges compute(Value number, unsigned depth);
  ConstantIntRanges getOfElements(Value tensor, unsigned depth);

  llvm::DenseMap<Value, ConstantIntRanges> known;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_PLACERANGES_H
