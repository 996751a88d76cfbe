//===- TileStates.cpp - Which tiles of scores are dead --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileStates.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using Predicate = arith::CmpIPredicate;

Value TileStates::truth(bool value) {
  return arith::ConstantOp::create(b, b.getBoolAttr(value));
}

/// Whether a value is the same for all of the tile.
bool TileStates::isUniform(Value value) {
  auto [place, isNew] = uniform.try_emplace(value, false);
  if (!isNew)
    return place->second;
  bool result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    AttendOp op = problem.op;
    unsigned number = argument.getArgNumber();
    unsigned numModifiers = op.getModifiers().size();
    if (number == 0)
      result = false;
    else if (number <= numModifiers)
      result =
          !op.getDimension(FirstModifier + number - 1,
                           problem.getQueryAxis()) &&
          !op.getDimension(FirstModifier + number - 1, problem.getKeyAxis());
    else
      result = number - 1 - numModifiers < batch.size();
  } else {
    result = llvm::all_of(value.getDefiningOp()->getOperands(),
                          [&](Value operand) { return isUniform(operand); });
  }
  return uniform[value] = result;
}

std::optional<Interval> TileStates::getArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  unsigned numModifiers = problem.op.getModifiers().size();
  if (number == 0)
    return std::nullopt;
  if (number <= numModifiers) {
    if (!summaries.has(number - 1))
      return std::nullopt;
    Interval found = summaries.load(b, number - 1, batch, tile.i, tile.j);
    if (!argument.getType().isInteger(1))
      return found;
    return Interval{b.compare(Predicate::ne, found.low, b.i64(0)),
                    b.compare(Predicate::ne, found.high, b.i64(0))};
  }
  bool isQuery = number - 1 - numModifiers == problem.getQueryAxis();
  return Interval{b.extend(isQuery ? tile.firstI : tile.firstJ),
                  b.extend(isQuery ? tile.lastI : tile.lastJ)};
}

std::optional<Interval> TileStates::compare(arith::CmpIOp op) {
  auto x = get(op.getLhs()), y = get(op.getRhs());
  if (!x || !y)
    return std::nullopt;
  auto widenBits = [&](Interval bits) {
    return Interval{widen(b, bits.low), widen(b, bits.high)};
  };
  if (op.getLhs().getType().isInteger(1)) {
    x = widenBits(*x);
    y = widenBits(*y);
  }
  auto both = [&](Value low, Value high) { return Interval{low, high}; };
  Predicate predicate = op.getPredicate();
  // Numbers that are not negative compare alike either way; of others it is
  // not known.
  Value isKnown;
  auto makeSigned = [&](Predicate to) {
    predicate = to;
    Value zero = b.i64(0);
    isKnown = b.bitAnd(b.compare(Predicate::sge, x->low, zero),
                       b.compare(Predicate::sge, y->low, zero));
  };
  switch (predicate) {
  case Predicate::ult:
    makeSigned(Predicate::slt);
    break;
  case Predicate::ule:
    makeSigned(Predicate::sle);
    break;
  case Predicate::ugt:
    makeSigned(Predicate::sgt);
    break;
  case Predicate::uge:
    makeSigned(Predicate::sge);
    break;
  default:
    break;
  }
  Interval result;
  switch (predicate) {
  case Predicate::slt:
  case Predicate::sle:
    result = both(b.compare(predicate, x->high, y->low),
                  b.compare(predicate, x->low, y->high));
    break;
  case Predicate::sgt:
  case Predicate::sge:
    result = both(b.compare(predicate, x->low, y->high),
                  b.compare(predicate, x->high, y->low));
    break;
  default: {
    Value meets = b.bitAnd(b.compare(Predicate::sle, x->low, y->high),
                           b.compare(Predicate::sle, y->low, x->high));
    Value isOne = b.bitAnd(b.bitAnd(b.compare(Predicate::eq, x->low, x->high),
                                    b.compare(Predicate::eq, y->low, y->high)),
                           b.compare(Predicate::eq, x->low, y->low));
    result = both(isOne, meets);
    if (predicate == Predicate::ne)
      result = both(b.bitXor(meets, truth(true)), b.bitXor(isOne, truth(true)));
    break;
  }
  }
  if (isKnown) {
    result.low = b.bitAnd(result.low, isKnown);
    result.high = b.bitOr(result.high, b.bitXor(isKnown, truth(true)));
  }
  return result;
}

std::optional<Interval> TileStates::compare(arith::CmpFOp op) {
  auto x = get(op.getLhs()), y = get(op.getRhs());
  if (!x || !y)
    return std::nullopt;
  using Float = arith::CmpFPredicate;
  auto test = [&](Float predicate, Value a, Value c) -> Value {
    return arith::CmpFOp::create(b, predicate, a, c);
  };
  auto invert = [&](Value bit) { return b.bitXor(bit, truth(true)); };
  // With NaN, whose interval has NaN at its ends, ordered comparisons of the
  // ends are false: nothing is sure, and everything may be.
  auto less = [&](Interval p, Interval q, Float sure, Float never) {
    return Interval{test(sure, p.high, q.low),
                    invert(test(never, p.low, q.high))};
  };
  auto equal = [&]() {
    Value apart = b.bitOr(test(Float::OGT, x->low, y->high),
                          test(Float::OGT, y->low, x->high));
    Value same = b.bitAnd(b.bitAnd(test(Float::OEQ, x->low, x->high),
                                   test(Float::OEQ, y->low, y->high)),
                          test(Float::OEQ, x->low, y->low));
    return Interval{same, invert(apart)};
  };
  switch (op.getPredicate()) {
  case Float::OLT:
  case Float::ULT:
    return less(*x, *y, Float::OLT, Float::OGE);
  case Float::OLE:
  case Float::ULE:
    return less(*x, *y, Float::OLE, Float::OGT);
  case Float::OGT:
  case Float::UGT:
    return less(*y, *x, Float::OLT, Float::OGE);
  case Float::OGE:
  case Float::UGE:
    return less(*y, *x, Float::OLE, Float::OGT);
  case Float::OEQ:
  case Float::UEQ:
    return equal();
  case Float::ONE:
  case Float::UNE: {
    Interval same = equal();
    return Interval{invert(same.high), invert(same.low)};
  }
  default:
    return std::nullopt;
  }
}

std::optional<Interval> TileStates::computeBits(Operation *op, Interval x,
                                                Interval y) {
  if (isa<arith::AndIOp>(op))
    return Interval{b.bitAnd(x.low, y.low), b.bitAnd(x.high, y.high)};
  if (isa<arith::OrIOp>(op))
    return Interval{b.bitOr(x.low, y.low), b.bitOr(x.high, y.high)};
  if (!isa<arith::XOrIOp>(op))
    return std::nullopt;
  // Known where both are.
  Value knownX = b.compare(Predicate::eq, x.low, x.high),
        knownY = b.compare(Predicate::eq, y.low, y.high);
  Value isKnown = b.bitAnd(knownX, knownY), value = b.bitXor(x.low, y.low);
  return Interval{b.bitAnd(isKnown, value),
                  b.bitOr(value, b.bitXor(isKnown, truth(true)))};
}

std::optional<Interval> TileStates::computeNumber(Operation *op, Interval x,
                                                  Interval y) {
  auto smallest = [&](Value p, Value q) -> Value {
    if (p.getType().isF32())
      return arith::MinimumFOp::create(b, p, q);
    return arith::MinSIOp::create(b, p, q);
  };
  auto largest = [&](Value p, Value q) -> Value {
    if (p.getType().isF32())
      return arith::MaximumFOp::create(b, p, q);
    return arith::MaxSIOp::create(b, p, q);
  };
  return TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case<arith::AddIOp>([&](auto) {
        return Interval{b.add(x.low, y.low), b.add(x.high, y.high)};
      })
      .Case<arith::SubIOp>([&](auto) {
        return Interval{b.sub(x.low, y.high), b.sub(x.high, y.low)};
      })
      .Case<arith::AddFOp>([&](auto) -> Interval {
        return {arith::AddFOp::create(b, x.low, y.low),
                arith::AddFOp::create(b, x.high, y.high)};
      })
      .Case<arith::SubFOp>([&](auto) -> Interval {
        return {arith::SubFOp::create(b, x.low, y.high),
                arith::SubFOp::create(b, x.high, y.low)};
      })
      .Case<arith::MulIOp, arith::MulFOp>([&](auto) {
        auto times = [&](Value p, Value q) -> Value {
          if (p.getType().isF32())
            return arith::MulFOp::create(b, p, q);
          return b.mul(p, q);
        };
        Value corners[] = {times(x.low, y.low), times(x.low, y.high),
                           times(x.high, y.low), times(x.high, y.high)};
        return Interval{smallest(smallest(corners[0], corners[1]),
                                 smallest(corners[2], corners[3])),
                        largest(largest(corners[0], corners[1]),
                                largest(corners[2], corners[3]))};
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto division) -> std::optional<Interval> {
            // Of numbers that are not negative, by one that is known.
            APInt divisor;
            if (!matchPattern(division.getRhs(), m_ConstantInt(&divisor)) ||
                divisor.isNonPositive() || !isPosition(division.getLhs()))
              return std::nullopt;
            return Interval{b.divide(x.low, y.low), b.divide(x.high, y.low)};
          })
      .Case<arith::MinSIOp, arith::MinimumFOp>([&](auto) {
        return Interval{smallest(x.low, y.low), smallest(x.high, y.high)};
      })
      .Case<arith::MaxSIOp, arith::MaximumFOp>([&](auto) {
        return Interval{largest(x.low, y.low), largest(x.high, y.high)};
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Interval> TileStates::cast(Operation *op, Interval x) {
  Type to = op->getResult(0).getType(), from = op->getOperand(0).getType();
  auto f32 = b.getF32Type();
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return x;
  if (isa<arith::NegFOp>(op))
    return Interval{arith::NegFOp::create(b, x.high),
                    arith::NegFOp::create(b, x.low)};
  if (from.isInteger(1)) {
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
      return Interval{widen(b, x.low), widen(b, x.high)};
    if (isa<arith::UIToFPOp>(op))
      return Interval{arith::UIToFPOp::create(b, f32, x.low),
                      arith::UIToFPOp::create(b, f32, x.high)};
    return std::nullopt;
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return x;
  if (isa<arith::SIToFPOp>(op))
    return Interval{arith::SIToFPOp::create(b, f32, x.low),
                    arith::SIToFPOp::create(b, f32, x.high)};
  // What is not negative is the same number without a sign, and in fewer bits
  // as long as it fits, as numbers of an axis do.
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(op) &&
      to.getIntOrFloatBitWidth() >= 32 && isPosition(op->getOperand(0)))
    return x;
  return std::nullopt;
}

std::optional<Interval> TileStates::compute(Value value) {
  if (isUniform(value)) {
    Value same = emitter.emit(value, Value(), Value());
    if (!same.getType().isInteger(1))
      same = widen(b, same);
    return Interval{same, same};
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto integers = dyn_cast<arith::CmpIOp>(op))
    return compare(integers);
  if (auto floats = dyn_cast<arith::CmpFOp>(op))
    return compare(floats);
  SmallVector<Interval> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Interval> interval = get(operand);
    if (!interval)
      return std::nullopt;
    operands.push_back(*interval);
  }
  if (operands.size() == 1)
    return cast(op, operands[0]);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (value.getType().isInteger(1))
      return std::nullopt;
    // From the least of both to the largest, unless it is known which.
    Interval c = operands[0], x = operands[1], y = operands[2];
    bool isFloat = x.low.getType().isF32();
    Value low = isFloat ? arith::MinimumFOp::create(b, x.low, y.low).getResult()
                        : arith::MinSIOp::create(b, x.low, y.low).getResult();
    Value high = isFloat
                     ? arith::MaximumFOp::create(b, x.high, y.high).getResult()
                     : arith::MaxSIOp::create(b, x.high, y.high).getResult();
    low = b.select(c.low, x.low, b.select(c.high, low, y.low));
    high = b.select(c.low, x.high, b.select(c.high, high, y.high));
    return Interval{low, high};
  }
  if (operands.size() != 2)
    return std::nullopt;
  return value.getType().isInteger(1)
             ? computeBits(op, operands[0], operands[1])
             : computeNumber(op, operands[0], operands[1]);
}

std::optional<Interval> TileStates::get(Value value) {
  auto place = known.find(value);
  if (place != known.end())
    return place->second;
  std::optional<Interval> result = compute(value);
  known[value] = result;
  return result;
}

TileStates::State TileStates::evaluate(const Tile &tile) {
  this->tile = tile;
  known.clear();
  Value isDead = truth(false), isLive = truth(true);
  for (const Guard &guard : guards.guards) {
    std::optional<Interval> found = get(guard.value);
    if (!found) {
      isLive = truth(false);
      continue;
    }
    if (guard.kind == Guard::Kind::Condition) {
      Value never =
          guard.liveIf ? b.bitXor(found->high, truth(true)) : found->low;
      Value always =
          guard.liveIf ? found->low : b.bitXor(found->high, truth(true));
      isDead = b.bitOr(isDead, never);
      isLive = b.bitAnd(isLive, always);
      continue;
    }
    using Float = arith::CmpFPredicate;
    auto constant = [&](double number) -> Value {
      return arith::ConstantOp::create(b, b.getF32FloatAttr(number));
    };
    double deadUpTo = getHighestDead(guard.value.getType());
    Value never =
        arith::CmpFOp::create(b, Float::OLE, found->high, constant(deadUpTo));
    Value zero = constant(0.0);
    Value always =
        b.bitAnd(arith::CmpFOp::create(b, Float::OEQ, found->low, zero),
                 arith::CmpFOp::create(b, Float::OEQ, found->high, zero));
    isDead = b.bitOr(isDead, never);
    isLive = b.bitAnd(isLive, always);
  }
  return {isDead, isLive};
}
