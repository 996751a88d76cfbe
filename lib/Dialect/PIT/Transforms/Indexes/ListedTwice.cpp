//===- ListedTwice.cpp - Rows that are listed more than once --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedTwice.h"
#include "IndexExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value pit::createIsListedTwice(OpBuilder &builder, Location loc, Value coords,
                               Value count, OpFoldResult numRows) {
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value seen = tensor::EmptyOp::create(builder, loc, {numRows}, none.getType());
  seen = linalg::FillOp::create(builder, loc, none, seen).getResult(0);
  return createLoop(
      builder, loc, zero, count, one, ValueRange{seen, none},
      [&](Value position, ValueRange carried) -> SmallVector<Value> {
        Value row = tensor::ExtractOp::create(builder, loc, coords, position);
        row = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         row);
        Value before = tensor::ExtractOp::create(builder, loc, carried[0], row);
        Value twice = arith::OrIOp::create(builder, loc, carried[1], before);
        Value with =
            tensor::InsertOp::create(builder, loc, yes, carried[0], row);
        return {with, twice};
      })[1];
}
