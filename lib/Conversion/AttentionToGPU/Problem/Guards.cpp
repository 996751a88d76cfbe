//===- Guards.cpp - What makes a logit dead -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

/// No score that a model computes with is as low. What is between this and the
/// lowest number of a type are sums of scores and that number.
static constexpr double kFarBelow = -1e30;

double mlir::pit::attention::getHighestDead(Type type) {
  // The lowest number of f16, which has none that are lower.
  return type.isF16() ? -65504.0 : kFarBelow;
}

bool mlir::pit::attention::isDeadValue(double value, Type type) {
  return value <= getHighestDead(type);
}

static std::optional<double> getConstant(Value value) {
  APFloat constant(0.0);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return std::nullopt;
  bool losesInfo;
  constant.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
  return constant.convertToDouble();
}

/// What stands in place of a logit is dead from here on, in rows with a logit
/// of at least half of it: exp() of half of it is 0 in f32.
static constexpr double kDeadInstead = -1024;
/// From here on, logits times a factor have an error that exp() shows.
static constexpr double kFar = 1e5;

static std::optional<double> getDeadConstant(Value value) {
  std::optional<double> constant = getConstant(value);
  return constant && isDeadValue(*constant, value.getType()) ? constant
                                                             : std::nullopt;
}

namespace {

class Finder {
public:
  explicit Finder(AttendOp op) : op(op) {}
  Guards run();

private:
  Value follow(Value logit);
  Value followSelect(arith::SelectOp select);
  Value followSum(arith::AddFOp sum);
  Value followBound(Operation *bound);
  bool dependsOnScore(Value value);
  bool isBias(Value value);
  std::optional<double> getDeadInstead(Value value);
  void addCondition(Value condition, bool liveIf, double dead);
  void addDead(double dead);
  bool mayBeFar();

  AttendOp op;
  Guards result;
  /// What positive constants multiply behind the guard.
  double factor = 1.0;
  /// Whether something is added behind it.
  bool isShifted = false;
  /// Constants and modifiers whose distance from 0 guards know of.
  SmallPtrSet<Value, 8> known;
  SmallPtrSet<OpOperand *, 8> knownUses;
  DenseMap<Value, bool> dependent;
};

} // namespace

bool Finder::dependsOnScore(Value value) {
  if (value == op.getScoreArgument())
    return true;
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return false;
  auto [place, isNew] = dependent.try_emplace(value, false);
  if (!isNew)
    return place->second;
  bool depends = llvm::any_of(definition->getOperands(), [&](Value operand) {
    return dependsOnScore(operand);
  });
  return dependent[value] = depends;
}

/// Whether a value is made of modifiers that are no masks, of numbers that all
/// logits share, and of constants.
bool Finder::isBias(Value value) {
  ArrayRef<int64_t> biases = op.getBiases().value_or(ArrayRef<int64_t>());
  bool hasBias = false;
  for (BlockArgument of : op.getArgumentsOf(value)) {
    int64_t modifier = int64_t(of.getArgNumber()) - 1;
    if (llvm::is_contained(biases, modifier)) {
      hasBias = true;
      continue;
    }
    if (modifier < 0 || modifier >= int64_t(op.getModifiers().size()) ||
        op.getModifierMap(modifier).getNumResults() != 0)
      return false;
  }
  return hasBias;
}

void Finder::addDead(double dead) {
  if (std::isfinite(dead))
    result.mayBeFinite = true;
  // Half of it, as scores are added to it and roundings come behind.
  result.deadUpTo = std::max(result.deadUpTo == 0 ? -INFINITY : result.deadUpTo,
                             dead * factor / 2);
}

void Finder::addCondition(Value condition, bool liveIf, double dead) {
  // Where all is dead or nothing is, there is nothing to tell.
  result.guards.push_back({Guard::Kind::Condition, condition, liveIf});
  addDead(dead);
}

/// What stands in place of a logit, if rows with one that is at least half of
/// it give it no weight. What is added behind is of unknown size.
std::optional<double> Finder::getDeadInstead(Value value) {
  std::optional<double> constant = getConstant(value);
  bool isDead = constant && !isShifted && *constant * factor <= kDeadInstead;
  return isDead ? constant : getDeadConstant(value);
}

Value Finder::followSelect(arith::SelectOp select) {
  for (bool liveIf : {true, false}) {
    OpOperand &dead = select->getOpOperand(liveIf ? 2 : 1);
    if (std::optional<double> value = getDeadInstead(dead.get());
        value && !dependsOnScore(select.getCondition())) {
      addCondition(select.getCondition(), liveIf, *value);
      knownUses.insert(&dead);
      return liveIf ? select.getTrueValue() : select.getFalseValue();
    }
  }
  return {};
}

/// Clamps to the lowest number of a type: what is lower becomes it.
Value Finder::followBound(Operation *bound) {
  for (unsigned i : {0, 1})
    if (std::optional<double> value = getDeadConstant(bound->getOperand(i))) {
      addDead(*value);
      knownUses.insert(&bound->getOpOperand(i));
      return bound->getOperand(1 - i);
    }
  return {};
}

/// select(c, 0, dead) and other terms that kill, with what they are added to.
Value Finder::followSum(arith::AddFOp sum) {
  Value rest, term;
  for (bool first : {true, false}) {
    rest = first ? sum.getLhs() : sum.getRhs();
    term = first ? sum.getRhs() : sum.getLhs();
    if (dependsOnScore(rest) && !dependsOnScore(term))
      break;
    rest = Value();
  }
  if (!rest || getConstant(term))
    return {};
  isShifted = true;
  if (auto select = term.getDefiningOp<arith::SelectOp>())
    for (bool liveIf : {true, false}) {
      Value live = liveIf ? select.getTrueValue() : select.getFalseValue();
      Value dead = liveIf ? select.getFalseValue() : select.getTrueValue();
      std::optional<double> value = getDeadConstant(dead);
      if (value && matchPattern(live, m_AnyZeroFloat())) {
        addCondition(select.getCondition(), liveIf, *value);
        known.insert(term);
        return rest;
      }
    }
  known.insert(term);
  if (isBias(term))
    return rest;
  result.guards.push_back({Guard::Kind::Addend, term});
  addDead(getHighestDead(term.getType()));
  result.mayBeFinite = true;
  return rest;
}

/// What the logit is where the guard found here lets it live; null behind the
/// last one.
Value Finder::follow(Value logit) {
  Operation *definition = logit.getDefiningOp();
  if (auto select = dyn_cast_if_present<arith::SelectOp>(definition))
    return followSelect(select);
  if (auto sum = dyn_cast_if_present<arith::AddFOp>(definition))
    return followSum(sum);
  if (isa_and_present<arith::TruncFOp, arith::ExtFOp>(definition))
    return definition->getOperand(0);
  if (auto product = dyn_cast_if_present<arith::MulFOp>(definition))
    for (bool first : {true, false}) {
      std::optional<double> scale =
          getConstant(first ? product.getRhs() : product.getLhs());
      if (!scale || !(*scale > 0))
        continue;
      factor *= *scale;
      return first ? product.getLhs() : product.getRhs();
    }
  if (auto quotient = dyn_cast_if_present<arith::DivFOp>(definition))
    if (std::optional<double> divisor = getConstant(quotient.getRhs());
        divisor && *divisor > 0) {
      factor /= *divisor;
      return quotient.getLhs();
    }
  if (isa_and_present<arith::MaximumFOp, arith::MaxNumFOp>(definition))
    return followBound(definition);
  return {};
}

/// Whether the logit has constants or modifiers, but for those that guards and
/// biases are made of, that may be as far from 0 as a mask is.
bool Finder::mayBeFar() {
  SmallVector<OpOperand *> uses;
  DenseSet<Value> seen;
  auto follow = [&](Value value) {
    if (known.contains(value) || !seen.insert(value).second)
      return;
    Operation *definition = value.getDefiningOp();
    if (!definition)
      return;
    // What multiplies scores, such as a head's temperature, is of their kind.
    bool isScaled = isa<arith::MulFOp, arith::DivFOp>(definition);
    for (OpOperand &operand : definition->getOpOperands())
      if (!isScaled || getConstant(operand.get()) ||
          dependsOnScore(operand.get()))
        uses.push_back(&operand);
  };
  follow(op.getLogit());
  while (!uses.empty()) {
    OpOperand *use = uses.pop_back_val();
    Value value = use->get();
    if (!isa<FloatType>(value.getType()) || knownUses.contains(use) ||
        known.contains(value))
      continue;
    if (std::optional<double> constant = getConstant(value)) {
      if (std::isfinite(*constant) && std::abs(*constant) >= kFar)
        return true;
      continue;
    }
    if (isa<BlockArgument>(value) && value != op.getScoreArgument())
      return true;
    follow(value);
  }
  return false;
}

Guards Finder::run() {
  Value logit = op.getLogit();
  while (logit && logit != op.getScoreArgument())
    logit = follow(logit);
  result.mayBeFar = mayBeFar();
  return std::move(result);
}

Guards mlir::pit::attention::findGuards(AttendOp op) {
  return Finder(op).run();
}

namespace {

/// Folds what a region computes of numbers of axes alone.
class ConstantEvaluator {
public:
  explicit ConstantEvaluator(AttendOp op) : op(op) {}

  Attribute evaluate(Value value, int64_t query, int64_t key) {
    known.clear();
    this->query = query;
    this->key = key;
    return get(value);
  }

private:
  Attribute get(Value value);

  AttendOp op;
  int64_t query = 0, key = 0;
  DenseMap<Value, Attribute> known;
};

} // namespace

Attribute ConstantEvaluator::get(Value value) {
  if (Attribute found = known.lookup(value))
    return found;
  Attribute result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned firstAxis = 1 + op.getModifiers().size();
    if (argument.getArgNumber() < firstAxis)
      return {};
    unsigned axis = argument.getArgNumber() - firstAxis;
    result =
        IntegerAttr::get(argument.getType(), axis == op.getQueryAxis() ? query
                                             : axis == op.getKeyAxis() ? key
                                                                       : 0);
  } else if (!matchPattern(value, m_Constant(&result))) {
    SmallVector<Attribute> operands;
    for (Value operand : value.getDefiningOp()->getOperands()) {
      operands.push_back(get(operand));
      if (!operands.back())
        return {};
    }
    SmallVector<OpFoldResult> folded;
    if (failed(value.getDefiningOp()->fold(operands, folded)) ||
        folded.size() != 1)
      return {};
    // An op folds to one of its operands, too.
    result = dyn_cast<Attribute>(folded[0]);
    if (!result)
      result = known.lookup(cast<Value>(folded[0]));
  }
  return known[value] = result;
}

std::optional<double>
mlir::pit::attention::estimateLiveShare(AttendOp op, const Guards &guards) {
  constexpr int64_t kPoints = 32, kUnknown = 4096;
  auto getExtent = [&](unsigned axis) {
    int64_t extent = op.getAxisExtent(axis);
    return ShapedType::isDynamic(extent) ? kUnknown : extent;
  };
  int64_t queries = getExtent(op.getQueryAxis()),
          keys = getExtent(op.getKeyAxis()), live = 0;
  ConstantEvaluator evaluator(op);
  for (int64_t i = 0; i < kPoints; ++i)
    for (int64_t j = 0; j < kPoints; ++j) {
      bool lives = true;
      for (const Guard &guard : guards.guards) {
        auto value = dyn_cast_if_present<IntegerAttr>(
            guard.kind == Guard::Kind::Condition
                ? evaluator.evaluate(guard.value, i * queries / kPoints,
                                     j * keys / kPoints)
                : Attribute());
        if (!value)
          return std::nullopt;
        lives &= value.getValue().isOne() == guard.liveIf;
      }
      live += lives;
    }
  return double(live) / (kPoints * kPoints);
}

bool mlir::pit::attention::isPosition(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getType().isIndex();
  Operation *op = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::AddIOp, arith::MulIOp, arith::DivUIOp,
             arith::DivSIOp>(op) &&
         llvm::all_of(op->getOperands(), isPosition);
}

int64_t mlir::pit::attention::getCachedBytes(const Guards &guards,
                                             const ChipModel &chip) {
  return guards.guards.empty() ? 0 : chip.card->l2Bytes / 2;
}

/// A positive constant that multiplies the score, or divides it.
static std::optional<double> getScale(Operation *op, Value score) {
  if (auto product = dyn_cast_if_present<arith::MulFOp>(op))
    for (bool first : {true, false})
      if ((first ? product.getLhs() : product.getRhs()) == score)
        return getConstant(first ? product.getRhs() : product.getLhs());
  if (auto quotient = dyn_cast_if_present<arith::DivFOp>(op))
    if (quotient.getLhs() == score)
      if (std::optional<double> divisor = getConstant(quotient.getRhs()))
        return 1.0 / *divisor;
  return std::nullopt;
}

ScoreScale mlir::pit::attention::findScale(AttendOp op) {
  Value score = op.getScoreArgument();
  Value value = op.getLogit();
  while (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (getDeadConstant(select.getFalseValue()))
      value = select.getTrueValue();
    else if (getDeadConstant(select.getTrueValue()))
      value = select.getFalseValue();
    else
      return {};
  }
  // The score alone, whatever masks do with it.
  std::optional<double> factor = getScale(value.getDefiningOp(), score);
  if (!factor || !(*factor > 0) || !std::isfinite(*factor) ||
      !score.hasOneUse() || !value.hasOneUse())
    return {};
  return {value, *factor};
}
