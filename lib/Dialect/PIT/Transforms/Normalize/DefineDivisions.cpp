//===- DefineDivisions.cpp - A result for every divisor -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDEFINEDIVISIONS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether `op` is a remainder; nothing for what divides no integers.
static std::optional<bool> isRemainder(Operation *op) {
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  return std::nullopt;
}

static bool isSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
             arith::RemSIOp>(op);
}

/// Bits of `type`, where an index has as many as on every target.
static unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

template <typename To>
static void replaceWith(IRRewriter &rewriter, Operation *op) {
  rewriter.replaceOpWithNewOp<To>(op, op->getOperand(0), op->getOperand(1));
}

/// Writes divisions of the index dialect, and those of `affine.apply` by a
/// number that is not constant, with ops of arith.
static void writeWithArith(IRRewriter &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<index::DivSOp>(
            [&](auto op) { replaceWith<arith::DivSIOp>(rewriter, op); })
        .Case<index::DivUOp>(
            [&](auto op) { replaceWith<arith::DivUIOp>(rewriter, op); })
        .Case<index::CeilDivSOp>(
            [&](auto op) { replaceWith<arith::CeilDivSIOp>(rewriter, op); })
        .Case<index::CeilDivUOp>(
            [&](auto op) { replaceWith<arith::CeilDivUIOp>(rewriter, op); })
        .Case<index::FloorDivSOp>(
            [&](auto op) { replaceWith<arith::FloorDivSIOp>(rewriter, op); })
        .Case<index::RemSOp>(
            [&](auto op) { replaceWith<arith::RemSIOp>(rewriter, op); })
        .Case<index::RemUOp>(
            [&](auto op) { replaceWith<arith::RemUIOp>(rewriter, op); });
    return;
  }
  // All divisors are constants in what is affine in all.
  AffineMap map = apply.getAffineMap();
  if (map.getResult(0).isPureAffine())
    return;
  if (auto results = affine::expandAffineMap(rewriter, op->getLoc(), map,
                                             apply.getMapOperands()))
    rewriter.replaceOp(op, *results);
}

/// A constant of `type`, of a number or of a tensor or vector of it.
static Value getConstant(OpBuilder &builder, Location loc, Type type,
                         const APInt &value) {
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(builder, loc, attr);
}

namespace {

struct PITDefineDivisions final
    : pit::impl::PITDefineDivisionsBase<PITDefineDivisions> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Operation *op) { writeWithArith(rewriter, op); });
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      auto type = dyn_cast_if_present<ShapedType>(
          op->getNumResults() == 1 ? op->getResult(0).getType() : Type());
      if (isRemainder(op) && (!type || type.hasStaticShape()))
        divisions.push_back(op);
    });
    for (Operation *op : divisions)
      define(op);
  }

private:
  void define(Operation *op) {
    Value dividend = op->getOperand(0), divisor = op->getOperand(1);
    Type type = divisor.getType();
    unsigned width = getWidth(type);
    APInt known;
    bool isKnown = matchPattern(divisor, m_ConstantInt(&known));
    bool mayBeZero = !isKnown || known.isZero();
    bool mayOverflow = isSigned(op) && (!isKnown || known.isAllOnes());
    if (!mayBeZero && !mayOverflow)
      return;
    ++numDefined;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto isEqual = [&](Value value, const APInt &number) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                   value,
                                   getConstant(builder, loc, type, number));
    };
    Value isZero, replaced;
    if (mayBeZero)
      replaced = isZero = isEqual(divisor, APInt::getZero(width));
    if (mayOverflow) {
      Value overflows = arith::AndIOp::create(
          builder, loc, isEqual(dividend, APInt::getSignedMinValue(width)),
          isEqual(divisor, APInt::getAllOnes(width)));
      replaced = replaced
                     ? arith::OrIOp::create(builder, loc, replaced, overflows)
                     : overflows;
    }
    // By 1, the smallest number stays as it is, and no remainder is left.
    Value one = getConstant(builder, loc, type, APInt(width, 1));
    op->setOperand(
        1, arith::SelectOp::create(builder, loc, replaced, one, divisor));
    if (!mayBeZero || *isRemainder(op))
      return;
    builder.setInsertionPointAfter(op);
    Value quotient = op->getResult(0);
    Value zero = getConstant(builder, loc, type, APInt::getZero(width));
    auto select = arith::SelectOp::create(builder, loc, isZero, zero, quotient);
    quotient.replaceAllUsesExcept(select, select);
  }
};

} // namespace
