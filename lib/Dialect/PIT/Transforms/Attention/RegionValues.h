//===- RegionValues.h - What values of a region come from --------*- C++ -*===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_REGIONVALUES_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_REGIONVALUES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::pit {

/// The op that defines a value inside of the region, if it is of that kind.
template <typename OpTy> OpTy getInside(Value value, Block &body) {
  auto op = value.getDefiningOp<OpTy>();
  return op && op->getBlock() == &body ? op : OpTy();
}

inline Value getYielded(Block &body) {
  return body.getTerminator()->getOperand(0);
}

/// What a cast makes of numbers of positions, unless its type may not hold
/// them.
inline Value skipIndexCast(Value value) {
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  bool isNarrow = cast && !cast.getType().isIndex() &&
                  cast.getType().getIntOrFloatBitWidth() < 32;
  return cast && !isNarrow ? cast.getIn() : value;
}

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_REGIONVALUES_H
