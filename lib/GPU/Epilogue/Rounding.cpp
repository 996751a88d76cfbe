//===- Rounding.cpp - What rounding lets an epilogue do -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;

Value mlir::pit::dropRounding(OpBuilder &b, Location loc, Value yielded) {
  auto truncate = yielded.getDefiningOp<arith::TruncFOp>();
  if (truncate && truncate.getIn().getType().isF32() &&
      truncate.getRoundingmode().value_or(
          arith::RoundingMode::to_nearest_even) ==
          arith::RoundingMode::to_nearest_even) {
    Value exact = truncate.getIn();
    if (truncate->use_empty())
      truncate->erase();
    return exact;
  }
  if (yielded.getType().isF32())
    return yielded;
  return arith::ExtFOp::create(b, loc, b.getF32Type(), yielded);
}

void mlir::pit::allowApproximation(Block &body) {
  for (Operation &op : body)
    if (auto iface = dyn_cast<arith::ArithFastMathInterface>(op)) {
      arith::FastMathFlagsAttr attribute = iface.getFastMathFlagsAttr();
      // Conversions have none unless they are given.
      if (!attribute)
        continue;
      arith::FastMathFlags flags = attribute.getValue() |
                                   arith::FastMathFlags::afn |
                                   arith::FastMathFlags::arcp;
      op.setAttr(iface.getFastMathAttrName(),
                 arith::FastMathFlagsAttr::get(op.getContext(), flags));
    }
}
