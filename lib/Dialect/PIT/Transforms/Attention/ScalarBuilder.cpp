//===- ScalarBuilder.cpp - Scalars of a chain of ops ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarBuilder.h"

#include "RegionValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::pit;

Value pit::skipFloatCasts(Value value) {
  while (auto *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

ScalarBuilder::ScalarBuilder(MLIRContext *context, Location loc)
    : builder(context), loc(loc) {
  builder.setInsertionPointToEnd(&block);
}

/// The type that values of a type are computed in.
static Type getWide(Type type) {
  return type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

Value ScalarBuilder::addArgument(Type type) {
  Value argument = block.addArgument(type, loc);
  Type wide = getWide(type);
  return wide == type ? argument : make<arith::ExtFOp>(wide, argument);
}

Value ScalarBuilder::getConstant(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value);
      number && number.getType().isBF16()) {
    // All values of bf16 are ones of f32.
    APFloat wide = number.getValue();
    bool loses = false;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    value = FloatAttr::get(builder.getF32Type(), wide);
  }
  return make<arith::ConstantOp>(value);
}

Value ScalarBuilder::getIndex(int64_t value) {
  return getConstant(builder.getIndexAttr(value));
}

Value ScalarBuilder::getFloat(Type type, double value) {
  return getConstant(builder.getFloatAttr(type, value));
}

Value ScalarBuilder::create(Operation *op, ValueRange operands) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op) || isa<arith::BitcastOp>(op))
    return Value();
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant)))
    return isa<TypedAttr>(constant) ? getConstant(cast<TypedAttr>(constant))
                                    : Value();
  Type type = getWide(op->getResult(0).getType());
  if (isa<arith::ExtFOp, arith::TruncFOp>(op) && operands[0].getType() == type)
    return operands[0];
  Operation *copy = op->cloneWithoutRegions();
  copy->setOperands(operands);
  copy->getResult(0).setType(type);
  copy->setLoc(loc);
  builder.insert(copy);
  return finish(copy);
}

Value ScalarBuilder::finish(Operation *op) {
  Value value = simplify(op);
  if (!value) {
    SmallVector<Value> results;
    if (succeeded(builder.tryFold(op, results)) && !results.empty())
      value = results[0];
  }
  if (value) {
    op->erase();
    // A constant that a fold made.
    op = value.getDefiningOp();
    if (!op || op != &block.back())
      return value;
  }
  for (Operation &other : block) {
    if (&other == op)
      break;
    if (OperationEquivalence::isEquivalentTo(
            &other, op, OperationEquivalence::IgnoreLocations)) {
      op->erase();
      return other.getResult(0);
    }
  }
  ++numOps;
  return op->getResult(0);
}

/// Whether a value is the place of something, or a constant from 0.
bool ScalarBuilder::isPosition(Value value) {
  value = skipIndexCast(value);
  APInt number;
  return positions.contains(value) ||
         (matchPattern(value, m_ConstantInt(&number)) && !number.isNegative());
}

/// Folds that upstream's have not, as they take what is known of places.
Value ScalarBuilder::simplify(Operation *op) {
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    Value source = skipIndexCast(cast.getIn());
    return source.getType() == cast.getType() ? source : Value();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto inner = select.getTrueValue().getDefiningOp<arith::SelectOp>();
    if (inner && inner.getCondition() == select.getCondition() &&
        inner.getFalseValue() == select.getFalseValue())
      return inner;
    return Value();
  }
  // Upstream folds this where nothing is lost alone.
  FloatAttr number;
  if (auto narrow = dyn_cast<arith::TruncFOp>(op);
      narrow && matchPattern(narrow.getIn(), m_Constant(&number))) {
    auto type = cast<FloatType>(narrow.getType());
    APFloat rounded = number.getValue();
    bool loses = false;
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &loses);
    return getConstant(FloatAttr::get(type, rounded));
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return Value();
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (isPosition(compare.getLhs()) && matchPattern(compare.getRhs(), m_Zero()))
    if (predicate == arith::CmpIPredicate::slt ||
        predicate == arith::CmpIPredicate::sge)
      return getConstant(
          builder.getBoolAttr(predicate == arith::CmpIPredicate::sge));
  // The difference of two places, which is far from overflow.
  if (auto difference = compare.getLhs().getDefiningOp<arith::SubIOp>();
      difference && matchPattern(compare.getRhs(), m_Zero()) &&
      predicate < arith::CmpIPredicate::ult &&
      isPosition(difference.getLhs()) && isPosition(difference.getRhs()))
    return make<arith::CmpIOp>(predicate, difference.getLhs(),
                               difference.getRhs());
  auto left = compare.getLhs().getDefiningOp<arith::IndexCastOp>(),
       right = compare.getRhs().getDefiningOp<arith::IndexCastOp>();
  if (left && right && positions.contains(skipIndexCast(left)) &&
      positions.contains(skipIndexCast(right)))
    return make<arith::CmpIOp>(predicate, skipIndexCast(left),
                               skipIndexCast(right));
  return Value();
}
