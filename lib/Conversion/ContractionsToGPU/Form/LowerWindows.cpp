//===- LowerWindows.cpp - Windows copied side by side (im2col) ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerWindows.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;

/// A number's digits, outermost first, behind what is left.
static SmallVector<Value> split(ImplicitLocOpBuilder &b, Value number,
                                ArrayRef<int64_t> bases) {
  SmallVector<Value> digits;
  for (int64_t base : llvm::reverse(bases)) {
    Value constant = arith::ConstantIndexOp::create(b, base);
    digits.push_back(arith::RemUIOp::create(b, number, constant));
    number = arith::DivUIOp::create(b, number, constant);
  }
  digits.push_back(number);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

/// The element of a window at a place in it, or zero.
static Value readWindow(ImplicitLocOpBuilder &b, ContractOp op) {
  WindowAttr window = op.getWindowAttr();
  Value input = op.getA();
  auto index = [&](int64_t dim) { return linalg::IndexOp::create(b, dim); };
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  SmallVector<Value> place = split(b, index(0), window.getPositions());
  SmallVector<Value> tap = split(b, index(1), window.getSize());
  Value isInside = arith::ConstantIntOp::create(b, 1, 1);
  for (unsigned axis = 0; axis < window.getNumAxes(); ++axis) {
    auto scale = [&](Value value, int64_t factor) {
      return arith::MulIOp::create(b, value, constant(factor));
    };
    Value at = arith::AddIOp::create(
        b, scale(place[1 + axis], window.getStrides()[axis]),
        scale(tap[1 + axis], window.getDilations()[axis]));
    at = arith::SubIOp::create(b, at, constant(window.getLow()[axis]));
    // Less than none is more than all.
    Value fits = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ult, at,
        memref::DimOp::create(b, input, int64_t(1 + axis)));
    place[1 + axis] = arith::SelectOp::create(b, fits, at, constant(0));
    isInside = arith::AndIOp::create(b, isInside, fits);
  }
  place.push_back(index(2));
  Value element = memref::LoadOp::create(b, input, place);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element.getType()));
  return arith::SelectOp::create(b, isInside, element, zero);
}

Value mlir::pit::createWindows(ImplicitLocOpBuilder &b, ContractOp op) {
  auto type = cast<MemRefType>(op.getA().getType());
  auto output = cast<MemRefType>(op.getInit().getType());
  int64_t rows = output.getDimSize(0);
  SmallVector<Value> dynamic;
  if (ShapedType::isDynamic(rows))
    dynamic.push_back(memref::DimOp::create(b, op.getInit(), 0));
  auto windowsType = MemRefType::get(
      {rows, op.getWindowAttr().getNumTaps(), type.getShape().back()},
      type.getElementType());
  Value windows = memref::AllocOp::create(b, windowsType, dynamic);
  SmallVector<utils::IteratorType> parallel(3, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, ValueRange(), ValueRange{windows},
      ArrayRef{AffineMap::getMultiDimIdentityMap(3, b.getContext())}, parallel,
      [&](OpBuilder &nested, Location loc, ValueRange) {
        ImplicitLocOpBuilder body(loc, nested);
        linalg::YieldOp::create(body, readWindow(body, op));
      });
  return windows;
}
