//===- PlaceRanges.h - What is known of counted numbers ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters count with tensors: 0, 1, 2, ... is computed by one op, reshaped,
// compared and wrapped around by others, and at last an index. What such a
// number can be follows from extents. Upstream's inference of integer ranges
// has the arithmetic; this follows it through structured ops and reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_PLACERANGES_H
#define PIT_DIALECT_PIT_UTILS_PLACERANGES_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::pit {

class PlaceRanges {
public:
  /// Of an integer or an index, in the body of a structured op on tensors or
  /// outside; everything that its type holds where nothing is known.
  ConstantIntRanges get(Value number) { return getOf(number, 0); }
  /// The only number that it can be, if there is one.
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
