//===- SigmoidUnits.cpp - SiLU: x / (1 + exp(-x)), two at a time ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SigmoidUnits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static bool allows(Operation *op, arith::FastMathFlags flags) {
  auto iface = dyn_cast_or_null<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr attribute =
      iface ? iface.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return attribute && bitEnumContainsAll(attribute.getValue(), flags);
}

/// The x of `1 + exp(-x)`, and the ops on the way.
static Value matchDenominator(Value value, SmallVector<Operation *> &parts) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return Value();
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())}) {
    auto exp = other.getDefiningOp<math::ExpOp>();
    auto negation =
        exp ? exp.getOperand().getDefiningOp<arith::NegFOp>() : nullptr;
    if (matchPattern(one, m_OneFloat()) && negation &&
        allows(exp, arith::FastMathFlags::afn)) {
      parts = {negation, exp, add};
      return negation.getOperand();
    }
  }
  return Value();
}

/// The x of a unit that the op computes as a quotient, or as a product of x and
/// a reciprocal.
static Value matchUnit(Operation &op, SmallVector<Operation *> &parts) {
  constexpr arith::FastMathFlags kFlags =
      arith::FastMathFlags::afn | arith::FastMathFlags::arcp;
  auto matchQuotient = [&](Operation *quotient, auto isNumerator) -> Value {
    auto division = dyn_cast_or_null<arith::DivFOp>(quotient);
    if (!division || !division.getType().isF32() || !allows(division, kFlags))
      return Value();
    Value x = matchDenominator(division.getRhs(), parts);
    return x && isNumerator(division.getLhs(), x) ? x : Value();
  };
  if (Value x = matchQuotient(
          &op, [](Value numerator, Value x) { return numerator == x; }))
    return x;
  auto product = dyn_cast<arith::MulFOp>(op);
  if (!product)
    return Value();
  for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                               std::pair(product.getRhs(), product.getLhs())}) {
    Value x = matchQuotient(other.getDefiningOp(), [](Value numerator, Value) {
      return matchPattern(numerator, m_OneFloat());
    });
    if (x && x == factor) {
      parts.push_back(other.getDefiningOp());
      return x;
    }
  }
  return Value();
}

SigmoidUnits mlir::pit::hopper::findSigmoidUnits(Block &function) {
  SigmoidUnits units;
  for (Operation &op : function) {
    SmallVector<Operation *> parts;
    Value x = matchUnit(op, parts);
    if (!x)
      continue;
    units.arguments[&op] = x;
    // What others use as well is computed for them.
    DenseSet<Operation *> users{&op};
    for (Operation *part : llvm::reverse(parts)) {
      if (!llvm::all_of(part->getUsers(),
                        [&](Operation *user) { return users.contains(user); }))
        break;
      users.insert(part);
      units.parts.insert(part);
    }
  }
  return units;
}

/// 1 / v of one value or of two, which are between 1 and 2.
static SmallVector<Value> emitReciprocals(KernelBuilder &b,
                                          ArrayRef<Value> values) {
  auto invert = [&](Value value) -> Value {
    return NVVM::RcpApproxFtzF32Op::create(b, b.getF32Type(), value);
  };
  if (values.size() == 1)
    return {invert(values[0])};
  Value inverse = invert(LLVM::FMulOp::create(b, values[0], values[1]));
  return {LLVM::FMulOp::create(b, inverse, values[1]),
          LLVM::FMulOp::create(b, inverse, values[0])};
}

SmallVector<Value> mlir::pit::hopper::emitSigmoidUnits(KernelBuilder &b,
                                                       ArrayRef<Value> values) {
  auto constant = [&](float value) -> Value {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  };
  auto choose = [&](StringRef intrinsic, Value x, Value y) -> Value {
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr(intrinsic), {x, y})
        .getResult(0);
  };
  auto flags =
      arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::afn);
  SmallVector<Value> weighted, denominators;
  for (Value x : values) {
    // Neither NaN, which is not the smaller one, nor infinity gets to the
    // reciprocal; exp(-127) is 0.
    Value size =
        choose("llvm.nvvm.fmin.f", math::AbsFOp::create(b, x), constant(127));
    Value negative = arith::NegFOp::create(b, size);
    Value t = math::ExpOp::create(b, negative, flags);
    weighted.push_back(LLVM::FMulOp::create(b, t, negative));
    denominators.push_back(LLVM::FAddOp::create(b, t, constant(1)));
  }
  SmallVector<Value> results;
  for (auto [x, numerator, inverse] :
       llvm::zip_equal(values, weighted, emitReciprocals(b, denominators)))
    results.push_back(
        LLVM::FMAOp::create(b, numerator, inverse,
                            // NaN if x is.
                            choose("llvm.nvvm.fmax.nan.f", x, constant(0))));
  return results;
}
