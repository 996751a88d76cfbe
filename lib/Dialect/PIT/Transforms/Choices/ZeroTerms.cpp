//===- ZeroTerms.cpp - What is zero where choices fail --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZeroTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// What a comparison of zeros says.
static bool holdsForZeros(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::eq || predicate == P::sle || predicate == P::sge ||
         predicate == P::ule || predicate == P::uge;
}

static bool holdsForZeros(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysTrue:
  case P::OEQ:
  case P::OGE:
  case P::OLE:
  case P::UEQ:
  case P::UGE:
  case P::ULE:
  case P::ORD:
    return true;
  default:
    return false;
  }
}

bool ZeroTerms::isZero(Value value) {
  auto [entry, isNew] = known.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  bool result = compute(value);
  known[value] = result;
  return result;
}

bool ZeroTerms::isTrue(Value value) {
  if (zeros.contains(value))
    return false;
  if (matchPattern(value, m_One()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto areZero = [&] {
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isZero(operand); });
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return holdsForZeros(compare.getPredicate()) && areZero();
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return holdsForZeros(compare.getPredicate()) && areZero();
  if (isa<arith::XOrIOp>(op))
    return (isTrue(op->getOperand(0)) && isZero(op->getOperand(1))) ||
           (isZero(op->getOperand(0)) && isTrue(op->getOperand(1)));
  return false;
}

bool ZeroTerms::compute(Value value) {
  if (zeros.contains(value) || matchPattern(value, m_Zero()) ||
      matchPattern(value, m_AnyZeroFloat()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto isOneZero = [&] {
    return isZero(op->getOperand(0)) || isZero(op->getOperand(1));
  };
  auto areBothZero = [&] {
    return isZero(op->getOperand(0)) && isZero(op->getOperand(1));
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return !holdsForZeros(compare.getPredicate()) && areBothZero();
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return !holdsForZeros(compare.getPredicate()) && areBothZero();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    bool isTrueZero = isZero(select.getTrueValue()),
         isFalseZero = isZero(select.getFalseValue());
    return (isTrueZero && isFalseZero) ||
           (isFalseZero && isZero(select.getCondition())) ||
           (isTrueZero && isTrue(select.getCondition()));
  }
  if (isa<arith::MulFOp>(op))
    return finite ? isOneZero() : areBothZero();
  if (isa<arith::MulIOp, arith::AndIOp>(op))
    return isOneZero();
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp,
          arith::OrIOp, arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
          arith::MaxUIOp>(op))
    return areBothZero();
  if (isa<arith::XOrIOp>(op))
    return areBothZero() ||
           (isTrue(op->getOperand(0)) && isTrue(op->getOperand(1)));
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtUIOp, arith::ExtSIOp,
             arith::TruncIOp, arith::UIToFPOp, arith::SIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp, arith::IndexCastOp, arith::IndexCastUIOp,
             arith::NegFOp>(op) &&
         isZero(op->getOperand(0));
}
