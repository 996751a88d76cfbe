//===- Combiner.cpp - How partial results of a reduction are one ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/Combiner.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a value of the body follows from what was there before.
static bool dependsOnResults(Value value, linalg::LinalgOp op) {
  Block *body = op.getBlock();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == body &&
           argument.getArgNumber() >= op.getNumDpsInputs();
  Operation *def = value.getDefiningOp();
  return def->getBlock() == body &&
         llvm::any_of(def->getOperands(), [&](Value operand) {
           return dependsOnResults(operand, op);
         });
}

//===----------------------------------------------------------------------===//
// Match
//===----------------------------------------------------------------------===//

/// The op that combines the i-th result with the next value, which follows from
/// inputs alone.
static Operation *matchOwnOp(linalg::LinalgOp op, unsigned i) {
  SmallVector<Operation *> combiners;
  Value reduced = matchReduction(op.getRegionOutputArgs(), i, combiners);
  if (!reduced || combiners.size() != 1 || dependsOnResults(reduced, op))
    return nullptr;
  Operation *combiner = combiners[0];
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

namespace {

/// A choice between the value before and the next one.
struct Choice {
  Operation *compare;
  Value candidate;
  bool takesCandidateIfTrue;
};

/// Which of its operands a comparison says to take.
struct Order {
  Value candidate;
  bool isLargest, isSigned = true;
  /// Whether a NaN is taken, or what comes behind one.
  bool takesUnordered = false;
};

} // namespace

static std::optional<Choice> matchChoice(Value yielded, Value before) {
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  Operation *compare = select.getCondition().getDefiningOp();
  if (!isa_and_present<arith::CmpFOp, arith::CmpIOp>(compare))
    return std::nullopt;
  if (select.getFalseValue() == before)
    return Choice{compare, select.getTrueValue(), true};
  if (select.getTrueValue() == before)
    return Choice{compare, select.getFalseValue(), false};
  return std::nullopt;
}

/// What is true where the comparison is not, of NaNs as well.
static arith::CmpFPredicate invert(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OLE:
    return arith::CmpFPredicate::UGT;
  case arith::CmpFPredicate::ULE:
    return arith::CmpFPredicate::OGT;
  case arith::CmpFPredicate::OGE:
    return arith::CmpFPredicate::ULT;
  case arith::CmpFPredicate::UGE:
    return arith::CmpFPredicate::OLT;
  default:
    // No order that keeps the first of equal values.
    return arith::CmpFPredicate::AlwaysFalse;
  }
}

/// When a comparison with the value before takes the next one: only if that is
/// larger, or only if it is smaller, so that the first of equal ones stays.
static std::optional<Order> matchOrder(const Choice &choice, Value before) {
  Value left = choice.compare->getOperand(0),
        right = choice.compare->getOperand(1);
  bool isSwapped = left == before;
  if (!isSwapped && right != before)
    return std::nullopt;
  Order order{isSwapped ? right : left, false};
  if (auto floats = dyn_cast<arith::CmpFOp>(choice.compare)) {
    arith::CmpFPredicate predicate = floats.getPredicate();
    if (!choice.takesCandidateIfTrue)
      predicate = invert(predicate);
    order.takesUnordered = predicate == arith::CmpFPredicate::UGT ||
                           predicate == arith::CmpFPredicate::ULT;
    switch (predicate) {
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::UGT:
      order.isLargest = !isSwapped;
      return order;
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::ULT:
      order.isLargest = isSwapped;
      return order;
    default:
      return std::nullopt;
    }
  }
  arith::CmpIPredicate predicate =
      cast<arith::CmpIOp>(choice.compare).getPredicate();
  if (!choice.takesCandidateIfTrue)
    predicate = arith::invertPredicate(predicate);
  switch (predicate) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    order.isLargest = !isSwapped;
    break;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    order.isLargest = isSwapped;
    break;
  default:
    return std::nullopt;
  }
  order.isSigned = predicate == arith::CmpIPredicate::sgt ||
                   predicate == arith::CmpIPredicate::slt;
  return order;
}

/// Whether a number is the index of the one loop that is reduced over, perhaps
/// as another type.
static bool isIndexOfLoop(Value number, linalg::LinalgOp op) {
  while (Operation *def = number.getDefiningOp()) {
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      return op.getNumReductionLoops() == 1 &&
             op.getIteratorTypesArray()[index.getDim()] ==
                 utils::IteratorType::reduction;
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp>(def))
      return false;
    number = def->getOperand(0);
  }
  return false;
}

/// Whether the op is a maximum or minimum, as asked for, of the two values.
static bool isExtremum(Operation *op, bool isLargest, Value a, Value b) {
  bool isKnown = isLargest
                     ? isa_and_present<arith::MaximumFOp, arith::MaxNumFOp,
                                       arith::MaxSIOp, arith::MaxUIOp>(op)
                     : isa_and_present<arith::MinimumFOp, arith::MinNumFOp,
                                       arith::MinSIOp, arith::MinUIOp>(op);
  return isKnown && ((op->getOperand(0) == a && op->getOperand(1) == b) ||
                     (op->getOperand(0) == b && op->getOperand(1) == a));
}

std::optional<Combiner> Combiner::match(linalg::LinalgOp op, MatchLog log,
                                        bool numbersAreInputs) {
  Combiner combiner;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    if (Operation *own = matchOwnOp(op, i))
      combiner.ops.push_back(own);
  if (int64_t(combiner.ops.size()) == op.getNumDpsInits())
    return combiner;
  combiner.ops.clear();
  Operation *end = op.getBlock()->getTerminator();
  if (op.getNumDpsInits() == 1) {
    Value value = op.getRegionOutputArgs()[0];
    std::optional<Choice> choice = matchChoice(end->getOperand(0), value);
    std::optional<Order> order =
        choice ? matchOrder(*choice, value) : std::nullopt;
    if (order && !order->takesUnordered &&
        order->candidate == choice->candidate &&
        !dependsOnResults(order->candidate, op)) {
      combiner.compare = choice->compare;
      combiner.isLargest = order->isLargest;
      combiner.isSigned = order->isSigned;
      return combiner;
    }
  }
  if (op.getNumDpsInits() != 2)
    return log.refuse("its body has no associative op with a neutral element "
                      "that combines the next value with the result so far");
  Value value = op.getRegionOutputArgs()[0],
        number = op.getRegionOutputArgs()[1];
  std::optional<Choice> ofNumber = matchChoice(end->getOperand(1), number);
  std::optional<Order> order =
      ofNumber ? matchOrder(*ofNumber, value) : std::nullopt;
  if (!order || dependsOnResults(order->candidate, op) ||
      dependsOnResults(ofNumber->candidate, op))
    return log.refuse("its two results are not the value and the position of "
                      "an arg-max or arg-min that keeps the first of equal "
                      "values");
  combiner.compare = ofNumber->compare;
  combiner.isLargest = order->isLargest;
  combiner.isSigned = order->isSigned;
  combiner.before = value;
  combiner.candidate = order->candidate;
  Operation *yielded = end->getOperand(0).getDefiningOp();
  std::optional<Choice> ofValue = matchChoice(end->getOperand(0), value);
  if (isExtremum(yielded, order->isLargest, value, order->candidate))
    combiner.extremum = yielded;
  else if (!ofValue || ofValue->compare != ofNumber->compare ||
           ofValue->candidate != order->candidate ||
           ofValue->takesCandidateIfTrue != ofNumber->takesCandidateIfTrue)
    return log.refuse("its arg-max does not choose value and position by one "
                      "comparison");
  if (!isIndexOfLoop(ofNumber->candidate, op) &&
      !(numbersAreInputs && isa<BlockArgument>(ofNumber->candidate)))
    return log.refuse("the number of its arg-max is not the index of the one "
                      "loop that is reduced over");
  return combiner;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

TypedAttr Combiner::getNeutral(unsigned i) const {
  return isArgument() ? TypedAttr() : *arith::getNeutralElement(ops[i]);
}

bool Combiner::dependsOnOrder() const {
  // Of an arg-max, only what stands beside a NaN; of its value alone, which of
  // two zeros.
  if (isArgument())
    return isa<arith::CmpFOp>(compare) && !candidate;
  return llvm::any_of(ops, [](Operation *op) {
    return isa<FloatType>(op->getResult(0).getType()) &&
           !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                arith::MinNumFOp>(op);
  });
}

/// `op` with other values for two of its operands.
static Value cloneWith(OpBuilder &builder, Operation *op, Value first,
                       Value forFirst, Value second, Value forSecond) {
  IRMapping mapping;
  mapping.map(first, forFirst);
  mapping.map(second, forSecond);
  return builder.clone(*op, mapping)->getResult(0);
}

Value Combiner::takesRight(OpBuilder &builder, Location loc, ValueRange left,
                           ValueRange right) const {
  if (isa<FloatType>(left[0].getType()))
    return arith::CmpFOp::create(builder, loc,
                                 isLargest ? arith::CmpFPredicate::OGT
                                           : arith::CmpFPredicate::OLT,
                                 right[0], left[0]);
  arith::CmpIPredicate predicate =
      isLargest
          ? (isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt)
          : (isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult);
  return arith::CmpIOp::create(builder, loc, predicate, right[0], left[0]);
}

Value Combiner::chooseValue(OpBuilder &builder, Location loc, Value takes,
                            Value left, Value right) const {
  if (extremum)
    return cloneWith(builder, extremum, before, left, candidate, right);
  return arith::SelectOp::create(builder, loc, takes, right, left);
}

SmallVector<Value> Combiner::append(OpBuilder &builder, Location loc,
                                    ValueRange left, ValueRange right) const {
  if (!isArgument())
    return combine(builder, loc, left, right);
  Value takes = takesRight(builder, loc, left, right);
  SmallVector<Value> results{
      chooseValue(builder, loc, takes, left[0], right[0])};
  if (left.size() > 1)
    results.push_back(
        arith::SelectOp::create(builder, loc, takes, right[1], left[1]));
  return results;
}

SmallVector<Value> Combiner::combine(OpBuilder &builder, Location loc,
                                     ValueRange left, ValueRange right) const {
  SmallVector<Value> results;
  for (auto [i, op] : llvm::enumerate(ops))
    results.push_back(cloneWith(builder, op, op->getOperand(0), left[i],
                                op->getOperand(1), right[i]));
  if (!isArgument())
    return results;
  if (left.size() == 1)
    return append(builder, loc, left, right);
  Value takes = takesRight(builder, loc, left, right), isEqual;
  if (isa<FloatType>(left[0].getType()))
    isEqual = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                    left[0], right[0]);
  else
    isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    left[0], right[0]);
  Value isBefore = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, right[1], left[1]);
  Value takesEqual = arith::AndIOp::create(builder, loc, isEqual, isBefore);
  takes = arith::OrIOp::create(builder, loc, takes, takesEqual);
  return {chooseValue(builder, loc, takes, left[0], right[0]),
          arith::SelectOp::create(builder, loc, takes, right[1], left[1])};
}
