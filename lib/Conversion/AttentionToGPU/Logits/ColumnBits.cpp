//===- ColumnBits.cpp - Conditions on 32 keys at a time -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnBits.h"

#include "Conversion/AttentionToGPU/Problem/Guards.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using Predicate = arith::CmpIPredicate;

static constexpr int64_t kBits = 32;
/// Numbers of keys are below it: what is compared with them is cut there.
static constexpr int64_t kFar = int64_t(1) << 30;

void ColumnBits::beginStep(Value start, Value ofLane) {
  this->start = start;
  this->ofLane = ofLane;
  words.clear();
}

void ColumnBits::endStep() { start = Value(); }

bool ColumnBits::dependsOnKey(Value value) {
  auto [place, isNew] = dependent.try_emplace(value, false);
  if (!isNew)
    return place->second;
  bool result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber(),
             numModifiers = problem.op.getModifiers().size();
    // Scores do.
    result = number == 0 ||
             (number <= numModifiers
                  ? problem.op
                        .getDimension(FirstModifier + number - 1,
                                      problem.getKeyAxis())
                        .has_value()
                  : number - 1 - numModifiers == problem.getKeyAxis());
  } else {
    result = llvm::any_of(value.getDefiningOp()->getOperands(),
                          [&](Value operand) { return dependsOnKey(operand); });
  }
  return dependent[value] = result;
}

std::optional<ColumnBits::Affine> ColumnBits::getAffine(Value value) {
  Affine result;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 31)
      return std::nullopt;
    result.constant = constant.getSExtValue();
    return result;
  }
  Type type = value.getType();
  if (!type.isIndex() && !type.isInteger(32) && !type.isInteger(64))
    return std::nullopt;
  if (!dependsOnKey(value)) {
    result.terms.push_back({value, true});
    return result;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!type.isIndex())
      return std::nullopt;
    result.factor = 1;
    return result;
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return getAffine(op->getOperand(0));
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return isPosition(op->getOperand(0)) ? getAffine(op->getOperand(0))
                                         : std::nullopt;
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Affine> x = getAffine(op->getOperand(0)),
                        y = getAffine(op->getOperand(1));
  if (!x || !y)
    return std::nullopt;
  int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
  x->factor += sign * y->factor;
  x->constant += sign * y->constant;
  for (auto [term, isAdded] : y->terms)
    x->terms.push_back({term, isAdded == (sign > 0)});
  return x;
}

/// The left hand side without the right one, if keys have a factor of 1 or -1
/// in it.
std::optional<ColumnBits::Affine>
ColumnBits::getDifference(arith::CmpIOp compare) {
  // Without a sign, numbers compare alike as long as they have none.
  if (compare.getPredicate() >= Predicate::ult &&
      !(isPosition(compare.getLhs()) && isPosition(compare.getRhs())))
    return std::nullopt;
  std::optional<Affine> x = getAffine(compare.getLhs()),
                        y = getAffine(compare.getRhs());
  if (!x || !y || std::abs(x->factor - y->factor) != 1)
    return std::nullopt;
  x->factor -= y->factor;
  x->constant -= y->constant;
  for (auto [term, isAdded] : y->terms)
    x->terms.push_back({term, !isAdded});
  return x;
}

bool ColumnBits::isKnown(Value condition) {
  if (!dependsOnKey(condition))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(condition)) {
    unsigned number = argument.getArgNumber();
    return number > 0 && number <= problem.op.getModifiers().size() &&
           summaries.hasBits(number - 1);
  }
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return getDifference(compare).has_value();
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isKnown(operand); });
}

/// The bits of 32 keys below a number.
Value ColumnBits::getBelow(Value bound, int64_t number) {
  Value first = b.add(b.add(start, ofLane), number * kBits);
  Value count = arith::MaxSIOp::create(b, b.sub(bound, first), b.i32(0));
  Value some = b.sub(b.shiftLeft(b.i32(1), b.bitAnd(count, kBits - 1)), 1);
  return b.select(b.isLess(count, b.i32(kBits)), some, b.i32(-1));
}

/// What the key's number is compared with: the rest, with the sign that leaves
/// the key on the other side.
Value ColumnBits::getBound(const Affine &difference) {
  bool isGrowing = difference.factor > 0;
  Value sum = b.i64(isGrowing ? -difference.constant : difference.constant);
  for (auto [term, isAdded] : difference.terms) {
    Value value = emit(term);
    if (value.getType().isInteger(32))
      value = arith::ExtSIOp::create(b, b.getI64Type(), value);
    sum = isAdded != isGrowing ? b.add(sum, value) : b.sub(sum, value);
  }
  sum = arith::MaxSIOp::create(b, sum, b.i64(-kFar));
  sum = arith::MinSIOp::create(b, sum, b.i64(kFar));
  return b.truncate(sum);
}

/// bound > key is key < bound.
static Predicate exchangeSides(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  }
  return predicate;
}

Value ColumnBits::compare(arith::CmpIOp op, int64_t number) {
  Affine difference = *getDifference(op);
  Value bound = getBound(difference);
  auto below = [&](int64_t more) {
    return getBelow(b.add(bound, more), number);
  };
  auto invert = [&](Value word) { return b.bitXor(word, -1); };
  switch (difference.factor > 0 ? op.getPredicate()
                                : exchangeSides(op.getPredicate())) {
  case Predicate::slt:
  case Predicate::ult:
    return below(0);
  case Predicate::sle:
  case Predicate::ule:
    return below(1);
  case Predicate::sgt:
  case Predicate::ugt:
    return invert(below(1));
  case Predicate::sge:
  case Predicate::uge:
    return invert(below(0));
  case Predicate::eq:
    return b.bitXor(below(0), below(1));
  case Predicate::ne:
    return invert(b.bitXor(below(0), below(1)));
  }
  return {};
}

Value ColumnBits::loadWord(unsigned modifier, Value query, int64_t number) {
  Value place =
      b.minimum(query, b.number(problem.getLast(problem.getQueryAxis())));
  return b.shiftRight(summaries.loadBits(b, modifier, batch, place,
                                         b.add(b.shiftRight(start, 5), number)),
                      ofLane);
}

Value ColumnBits::getWord(Value condition, Value query, int64_t number) {
  std::pair<std::pair<Value, int64_t>, Value> key{{condition, number}, query};
  if (Value known = words.lookup(key))
    return known;
  Value word;
  if (!dependsOnKey(condition)) {
    word = b.select(emit(condition), b.i32(-1), b.i32(0));
  } else if (auto argument = dyn_cast<BlockArgument>(condition)) {
    word = loadWord(argument.getArgNumber() - 1, query, number);
  } else if (auto compared = condition.getDefiningOp<arith::CmpIOp>()) {
    word = compare(compared, number);
  } else {
    Operation *op = condition.getDefiningOp();
    Value x = getWord(op->getOperand(0), query, number),
          y = getWord(op->getOperand(1), query, number);
    word = isa<arith::AndIOp>(op)  ? b.bitAnd(x, y)
           : isa<arith::OrIOp>(op) ? b.bitOr(x, y)
                                   : b.bitXor(x, y);
  }
  return words[key] = word;
}

Value ColumnBits::getBit(Value word, int64_t column) {
  return b.compare(Predicate::ne, b.bitAnd(word, int64_t(1) << column % kBits),
                   b.i32(0));
}

Value ColumnBits::get(Value condition, Value query, int64_t column) {
  if (!start || !condition.getType().isInteger(1) || !dependsOnKey(condition) ||
      !isKnown(condition))
    return {};
  return getBit(getWord(condition, query, column / kBits), column);
}

Value ColumnBits::isBelow(Value bound, int64_t column) {
  std::pair<std::pair<Value, int64_t>, Value> key{{bound, column / kBits},
                                                  Value()};
  Value &word = words[key];
  if (!word)
    word = getBelow(bound, column / kBits);
  return getBit(word, column);
}
