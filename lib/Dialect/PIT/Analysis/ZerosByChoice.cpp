//===- ZerosByChoice.cpp - Zeros that data decides on ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are followed from where they are read to where they are made:
// through bodies of elementwise ops, and through ops that move data.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/ZerosByChoice.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

/// Ops on the way from a product to its zeros; a layer has a few.
static constexpr unsigned kMostSteps = 16;

namespace {

/// What is known of tensors and elements: what is read twice is followed once.
using Known = llvm::DenseMap<Value, bool>;

} // namespace

static bool holdsZeros(Value tensor, Known &known, unsigned depth);

namespace {

/// The elements of one op's body.
class Elements {
public:
  Elements(linalg::LinalgOp op, Known &known, unsigned depth)
      : op(op), known(known), depth(depth) {}

  bool mayBeZero(Value element) const {
    if (auto it = known.find(element); it != known.end())
      return it->second;
    bool result = follow(element);
    known[element] = result;
    return result;
  }

private:
  bool follow(Value element) const;
  TypedAttr getConstant(Value element) const;
  bool isZero(Value element) const;
  bool isNegative(Value element) const;
  /// A tensor that the body reads an element of; null for others.
  Value getTensor(Value element) const;
  bool isChosenByMax(Operation *max) const;
  bool isChosenByMin(Operation *min) const;
  bool isSelected(arith::SelectOp select) const;

  /// Interfaces have no const members.
  mutable linalg::LinalgOp op;
  Known &known;
  unsigned depth;
};

} // namespace

Value Elements::getTensor(Value element) const {
  auto argument = dyn_cast<BlockArgument>(element);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return Value();
  return op.getDpsInputs()[argument.getArgNumber()];
}

/// The number that an element always is; null for others.
TypedAttr Elements::getConstant(Value element) const {
  TypedAttr constant;
  if (matchPattern(element, m_Constant(&constant)))
    return constant;
  Value tensor = getTensor(element);
  if (!tensor)
    return TypedAttr();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
    return constant;
  }
  DenseElementsAttr elements;
  if (!isa<ShapedType>(tensor.getType()))
    matchPattern(tensor, m_Constant(&constant));
  else if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    constant = dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
  return constant;
}

bool Elements::isZero(Value element) const {
  TypedAttr constant = getConstant(element);
  if (auto number = dyn_cast_if_present<FloatAttr>(constant))
    return number.getValue().isZero();
  auto number = dyn_cast_if_present<IntegerAttr>(constant);
  return number && number.getValue().isZero();
}

bool Elements::isNegative(Value element) const {
  TypedAttr constant = getConstant(element);
  if (auto number = dyn_cast_if_present<FloatAttr>(constant))
    return number.getValue().isNegative() && !number.getValue().isZero();
  auto number = dyn_cast_if_present<IntegerAttr>(constant);
  return number && number.getValue().isNegative();
}

/// max(x, 0); and of what is zero by choice and a negative constant.
bool Elements::isChosenByMax(Operation *max) const {
  Value a = max->getOperand(0), b = max->getOperand(1);
  if (isZero(a))
    std::swap(a, b);
  if (isZero(b))
    return !getConstant(a);
  return (isNegative(b) && mayBeZero(a)) || (isNegative(a) && mayBeZero(b));
}

/// min(x, 0); and of what is zero by choice and a positive constant (ReLU6).
bool Elements::isChosenByMin(Operation *min) const {
  Value a = min->getOperand(0), b = min->getOperand(1);
  if (isZero(a))
    std::swap(a, b);
  if (isZero(b))
    return !getConstant(a);
  auto isPositive = [&](Value element) {
    return getConstant(element) && !isNegative(element) && !isZero(element);
  };
  return (isPositive(b) && mayBeZero(a)) || (isPositive(a) && mayBeZero(b));
}

/// One of two is zero, and data says which it is.
bool Elements::isSelected(arith::SelectOp select) const {
  if (getConstant(select.getCondition()))
    return false;
  Value a = select.getTrueValue(), b = select.getFalseValue();
  if (isZero(a) || isZero(b))
    return !(isZero(a) && isZero(b));
  return mayBeZero(a) || mayBeZero(b);
}

bool Elements::follow(Value element) const {
  if (getConstant(element))
    return false;
  // Truth values are what data says.
  if (element.getType().isInteger(1) && !getTensor(element))
    return true;
  if (Value tensor = getTensor(element))
    return holdsZeros(tensor, known, depth + 1);
  Operation *def = element.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock())
    return false;
  return TypeSwitch<Operation *, bool>(def)
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [&](Operation *max) { return isChosenByMax(max); })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          [&](Operation *min) { return isChosenByMin(min); })
      .Case([&](arith::SelectOp select) { return isSelected(select); })
      .Case<arith::MulFOp, arith::MulIOp>([&](Operation *product) {
        return mayBeZero(product->getOperand(0)) ||
               mayBeZero(product->getOperand(1));
      })
      // What is zero where its first operand is.
      .Case<arith::DivFOp, arith::NegFOp, arith::ExtFOp, arith::TruncFOp,
            arith::ExtUIOp, arith::ExtSIOp, arith::SIToFPOp, arith::UIToFPOp,
            math::AbsFOp, math::SqrtOp, math::TanhOp>(
          [&](Operation *keeping) { return mayBeZero(keeping->getOperand(0)); })
      .Case<math::PowFOp, math::FPowIOp>([&](Operation *power) {
        Value exponent = power->getOperand(1);
        return getConstant(exponent) && !isZero(exponent) &&
               !isNegative(exponent) && mayBeZero(power->getOperand(0));
      })
      .Default(false);
}

static bool holdsZeros(Value tensor, Known &known, unsigned depth) {
  if (depth > kMostSteps)
    return false;
  Operation *def = tensor.getDefiningOp();
  // Truth values that are given, as masks of dropout.
  if (!def)
    return getElementTypeOrSelf(tensor.getType()).isInteger(1);
  if (isDataMovement(def))
    return def->getNumOperands() == 1 &&
           holdsZeros(def->getOperand(0), known, depth + 1);
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0)
    return false;
  unsigned result = cast<OpResult>(tensor).getResultNumber();
  return Elements(op, known, depth)
      .mayBeZero(op.getBlock()->getTerminator()->getOperand(result));
}

bool mlir::pit::holdsZerosByChoice(Value tensor) {
  Known known;
  return holdsZeros(tensor, known, /*depth=*/0);
}
