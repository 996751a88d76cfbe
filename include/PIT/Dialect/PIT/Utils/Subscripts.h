//===- Subscripts.h - Subscripts of one point of an op ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_SUBSCRIPTS_H
#define PIT_DIALECT_PIT_UTILS_SUBSCRIPTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExprVisitor.h"

namespace mlir::pit {

/// Creates the value of a subscript, where `ivs[i]` is the position on
/// iteration axis `i`. Axes that the subscript does not use may be null, as
/// their loops may not exist yet.
inline Value createSubscript(OpBuilder &builder, Location loc, AffineExpr expr,
                             ArrayRef<Value> ivs) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return ivs[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  SmallVector<AffineExpr> renumbered(ivs.size());
  SmallVector<Value> used;
  for (auto [axis, iv] : llvm::enumerate(ivs)) {
    renumbered[axis] = builder.getAffineDimExpr(used.size());
    if (expr.isFunctionOfDim(axis))
      used.push_back(iv);
  }
  auto map = AffineMap::get(used.size(), 0, expr.replaceDims(renumbered));
  return affine::AffineApplyOp::create(builder, loc, map, used);
}

/// The factor of each loop in a subscript, and what is added; null if it is
/// more than that.
inline std::optional<SmallVector<int64_t>> getFactors(AffineExpr subscript,
                                                      unsigned numLoops) {
  SimpleAffineExprFlattener flattener(numLoops, /*numSymbols=*/0);
  if (failed(flattener.walkPostOrder(subscript)) || flattener.numLocals > 0)
    return std::nullopt;
  return llvm::to_vector<6>(flattener.operandExprStack.back());
}

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_SUBSCRIPTS_H
