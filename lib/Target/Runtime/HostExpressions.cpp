//===- HostExpressions.cpp - Expression trees of manifests ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostExpressions.h"
#include "HostProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;
using llvm::json::Array;
using llvm::json::Object;

llvm::json::Value mlir::pit::makeExpression(StringRef op, llvm::json::Value a,
                                            llvm::json::Value b) {
  std::optional<int64_t> x = a.getAsInteger(), y = b.getAsInteger();
  int64_t folded;
  if (op == "mul") {
    if (x && y && !llvm::MulOverflow(*x, *y, folded))
      return folded;
    if (x == 0 || y == 0)
      return 0;
    if (x == 1)
      return b;
    if (y == 1)
      return a;
  }
  if (op == "add") {
    if (x && y && !llvm::AddOverflow(*x, *y, folded))
      return folded;
    if (x == 0)
      return b;
    if (y == 0)
      return a;
  }
  return Object{{"op", op}, {"args", Array{std::move(a), std::move(b)}}};
}

/// The manifest's operator for an op of two integers; all are signed, as
/// extents are never negative.
static StringRef getBinaryOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddIOp>([](auto) { return "add"; })
      .Case<arith::SubIOp>([](auto) { return "sub"; })
      .Case<arith::MulIOp>([](auto) { return "mul"; })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>(
          [](auto) { return "floordiv"; })
      .Case<arith::DivSIOp>([](auto) { return "truncdiv"; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](auto) { return "ceildiv"; })
      .Case<arith::RemUIOp>([](auto) { return "mod"; })
      .Case<arith::MinUIOp, arith::MinSIOp>([](auto) { return "min"; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](auto) { return "max"; })
      // Of truth values.
      .Case<arith::AndIOp>(
          [](auto op) { return op.getType().isInteger(1) ? "min" : ""; })
      .Case<arith::OrIOp>(
          [](auto op) { return op.getType().isInteger(1) ? "max" : ""; })
      .Case<arith::XOrIOp>(
          [](auto op) { return op.getType().isInteger(1) ? "ne" : ""; })
      .Default([](Operation *) { return ""; });
}

static StringRef getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "eq";
  case arith::CmpIPredicate::ne:
    return "ne";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "lt";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "le";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return "gt";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return "ge";
  }
  return "";
}

FailureOr<llvm::json::Value> HostProgram::readDim(Value buffer, int64_t axis) {
  auto type = cast<MemRefType>(buffer.getType());
  if (axis < 0 || axis >= type.getRank())
    return emitError(buffer.getLoc(), "has no axis ") << axis;
  if (!type.isDynamicDim(axis))
    return llvm::json::Value(type.getDimSize(axis));
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return llvm::json::Value(Object{
        {"op", "dim"}, {"argument", argument.getArgNumber()}, {"axis", axis}});
  if (isa<memref::AllocOp, memref::AllocaOp>(buffer.getDefiningOp()))
    return readScalar(
        buffer.getDefiningOp()->getOperand(type.getDynamicDimIndex(axis)));
  FailureOr<BufferView> view = readView(buffer);
  if (failed(view))
    return failure();
  return view->sizes[axis];
}

FailureOr<llvm::json::Value>
HostProgram::readAffine(AffineExpr expr, AffineMap map, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return llvm::json::Value(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return readScalar(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return readScalar(operands[map.getNumDims() + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<llvm::json::Value> a = readAffine(binary.getLHS(), map, operands);
  FailureOr<llvm::json::Value> b = readAffine(binary.getRHS(), map, operands);
  if (failed(a) || failed(b))
    return failure();
  StringRef op = expr.getKind() == AffineExprKind::Add        ? "add"
                 : expr.getKind() == AffineExprKind::Mul      ? "mul"
                 : expr.getKind() == AffineExprKind::Mod      ? "mod"
                 : expr.getKind() == AffineExprKind::FloorDiv ? "floordiv"
                                                              : "ceildiv";
  return makeExpression(op, *a, *b);
}

FailureOr<llvm::json::Value> HostProgram::readAffineMap(AffineMap map,
                                                        ValueRange operands,
                                                        StringRef combine) {
  std::optional<llvm::json::Value> all;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<llvm::json::Value> value = readAffine(expr, map, operands);
    if (failed(value))
      return failure();
    all = all ? makeExpression(combine, *all, *value) : *value;
  }
  return *all;
}

FailureOr<llvm::json::Value> HostProgram::readOperation(Operation *op) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return readScalar(op->getOperand(0));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return readAffineMap(apply.getMap(), apply.getOperands(), "");
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return readAffineMap(min.getMap(), min.getOperands(), "min");
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return readAffineMap(max.getMap(), max.getOperands(), "max");
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (!axis || !isa<MemRefType>(dim.getSource().getType()))
      return op->emitOpError("asks for an axis that is not constant");
    return readDim(dim.getSource(), *axis);
  }
  StringRef name = getBinaryOperator(op);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    name = getComparison(compare.getPredicate());
  if (isa<arith::SelectOp>(op))
    name = "select";
  if (name.empty())
    return op->emitOpError("computes a scalar on the host that a manifest "
                           "cannot express");
  Array args;
  for (Value operand : op->getOperands()) {
    FailureOr<llvm::json::Value> value = readScalar(operand);
    if (failed(value))
      return failure();
    args.push_back(*value);
  }
  if (args.size() == 2)
    return makeExpression(name, args[0], args[1]);
  return llvm::json::Value(Object{{"op", name}, {"args", std::move(args)}});
}

FailureOr<llvm::json::Value> HostProgram::readScalar(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::json::Value(
        Object{{"op", "argument"}, {"argument", argument.getArgNumber()}});
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return llvm::json::Value(integer.getType().isInteger(1)
                                   ? int64_t(integer.getValue().getZExtValue())
                                   : integer.getValue().getSExtValue());
    // As bits, since JSON has neither infinities nor NaN.
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      return llvm::json::Value(
          Object{{"op", "bits"},
                 {"value",
                  int64_t(number.getValue().bitcastToAPInt().getZExtValue())}});
  }
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    FailureOr<BufferView> view = readView(metadata.getSource());
    if (failed(view))
      return failure();
    if (value == metadata.getOffset())
      return view->offset;
    for (auto [i, size] : llvm::enumerate(metadata.getSizes()))
      if (value == size)
        return view->sizes[i];
    for (auto [i, stride] : llvm::enumerate(metadata.getStrides()))
      if (value == stride)
        return view->strides[i];
  }
  return readOperation(op);
}

FailureOr<llvm::json::Value> HostProgram::readFold(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return llvm::json::Value(*constant);
  return readScalar(cast<Value>(value));
}

LogicalResult HostProgram::readFolds(ArrayRef<OpFoldResult> values,
                                     std::vector<llvm::json::Value> &out) {
  for (OpFoldResult value : values) {
    FailureOr<llvm::json::Value> read = readFold(value);
    if (failed(read))
      return failure();
    out.push_back(*read);
  }
  return success();
}
