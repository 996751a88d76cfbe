//===- RankLists.cpp - Lists of an index, for a rank ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankLists.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

RankedTensorType pit::listOf(Type element) {
  return RankedTensorType::get({ShapedType::kDynamic}, element);
}

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// A list whose elements are computed from their numbers. Its type says how
/// many there are where that is known: kernels that hand over rows need it.
static Value make(ImplicitLocOpBuilder &b, Type element, Value size,
                  function_ref<Value(Value)> body) {
  OpFoldResult extent = getAsOpFoldResult(size);
  Value room = tensor::EmptyOp::create(b, ArrayRef(extent), element);
  AffineMap map = b.getMultiDimIdentityMap(1);
  auto op = linalg::GenericOp::create(
      b, room.getType(), ValueRange(), room, ArrayRef<AffineMap>(map),
      ArrayRef(utils::IteratorType::parallel),
      [&](OpBuilder &inner, Location loc, ValueRange) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(),
                            inner.getInsertionPoint());
        Value number = linalg::IndexOp::create(b, 0);
        linalg::YieldOp::create(b, body(number));
      });
  return op.getResult(0);
}

Value pit::offsetsFrom(ImplicitLocOpBuilder &b, Value offsets, Value first,
                       Value size) {
  Value count = b.createOrFold<arith::AddIOp>(size, constant(b, 1));
  return make(b, b.getI64Type(), count, [&](Value number) -> Value {
    Value at = arith::AddIOp::create(b, number, first);
    return tensor::ExtractOp::create(b, offsets, at);
  });
}

Value pit::movedPositions(ImplicitLocOpBuilder &b, Value positions,
                          Value offsets, int64_t experts, int64_t ranks,
                          Value pitch) {
  Type element = getElementTypeOrSelf(positions.getType());
  Value size = tensor::DimOp::create(b, positions, constant(b, 0));
  Value step = arith::IndexCastOp::create(b, element, pitch);
  SmallVector<Value> firsts;
  for (int64_t peer = 1; peer < ranks; ++peer)
    firsts.push_back(constant(b, peer * experts));
  return make(b, element, size, [&](Value number) -> Value {
    Value position = tensor::ExtractOp::create(b, positions, number);
    Value moved = position;
    for (Value first : firsts) {
      Value begin = tensor::ExtractOp::create(b, offsets, first);
      if (!element.isInteger(64))
        begin = arith::TruncIOp::create(b, element, begin);
      Value isBehind =
          arith::CmpIOp::create(b, arith::CmpIPredicate::sge, position, begin);
      Value none = arith::ConstantOp::create(b, b.getIntegerAttr(element, 0));
      moved = arith::AddIOp::create(
          b, moved, arith::SelectOp::create(b, isBehind, step, none));
    }
    return moved;
  });
}

Value pit::repeated(ImplicitLocOpBuilder &b, Value numbers, Value pitch,
                    Value size) {
  Value last = arith::SubIOp::create(
      b, tensor::DimOp::create(b, numbers, constant(b, 0)), constant(b, 1));
  Type element = getElementTypeOrSelf(numbers.getType());
  return make(b, element, size, [&](Value number) -> Value {
    Value at = arith::RemUIOp::create(b, number, pitch);
    at = arith::MinUIOp::create(b, at, last);
    return tensor::ExtractOp::create(b, numbers, at);
  });
}

Value pit::spread(ImplicitLocOpBuilder &b, Value numbers, Value from, Value to,
                  Value size) {
  Value last = arith::SubIOp::create(b, from, constant(b, 1));
  Type element = getElementTypeOrSelf(numbers.getType());
  return make(b, element, size, [&](Value number) -> Value {
    Value owner = arith::DivUIOp::create(b, number, to);
    Value at = arith::RemUIOp::create(b, number, to);
    at = arith::MinUIOp::create(b, at, last);
    at = arith::AddIOp::create(b, arith::MulIOp::create(b, owner, from), at);
    return tensor::ExtractOp::create(b, numbers, at);
  });
}
