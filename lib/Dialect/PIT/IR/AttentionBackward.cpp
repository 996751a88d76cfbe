//===- AttentionBackward.cpp - Gradients of attention ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionChecks.h"
#include "OperandEffects.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

static AttentionOperands getOperandsOf(AttendBackwardOp op) {
  return {op, op.getMaps(), 'B'};
}

void AttendBackwardOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isOnBuffers())
    addOperandEffects(*this, effects);
}

std::optional<unsigned> AttendBackwardOp::getDimension(unsigned number,
                                                       unsigned axis) {
  return getOperandsOf(*this).getDimension(number, axis);
}

int64_t AttendBackwardOp::getAxisExtent(unsigned axis) {
  return getOperandsOf(*this).getExtent(axis);
}

namespace {

/// Derivatives of a region's values by one of its arguments; nothing where it
/// is none of the form of LogitSlope.
class Slopes {
public:
  explicit Slopes(Value argument) { known[argument] = LogitSlope{1.0, {}}; }

  std::optional<LogitSlope> get(Value value) {
    auto [place, isNew] = known.try_emplace(value, LogitSlope());
    if (!isNew || isa<BlockArgument>(value))
      return place->second;
    std::optional<LogitSlope> slope = compute(value.getDefiningOp());
    return known[value] = slope;
  }

private:
  std::optional<LogitSlope> compute(Operation *op);

  DenseMap<Value, std::optional<LogitSlope>> known;
};

} // namespace

static std::optional<double> getNumber(Value value) {
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

/// x + sign * y, of which only numbers add up.
static std::optional<LogitSlope> add(const LogitSlope &x, const LogitSlope &y,
                                     double sign) {
  if (x.factor == 0.0)
    return LogitSlope{sign * y.factor, y.caps};
  if (y.factor == 0.0)
    return x;
  if (!x.caps.empty() || !y.caps.empty())
    return std::nullopt;
  return LogitSlope{x.factor + sign * y.factor, {}};
}

std::optional<LogitSlope> Slopes::compute(Operation *op) {
  SmallVector<LogitSlope> slopes;
  bool depends = false;
  for (Value operand : op->getOperands()) {
    std::optional<LogitSlope> slope = get(operand);
    if (!slope)
      return std::nullopt;
    depends |= slope->factor != 0.0;
    slopes.push_back(*slope);
  }
  if (!depends)
    return LogitSlope();
  auto scale = [&](unsigned operand, double factor) {
    return LogitSlope{slopes[operand].factor * factor, slopes[operand].caps};
  };
  if (isa<arith::AddFOp>(op))
    return add(slopes[0], slopes[1], 1.0);
  if (isa<arith::SubFOp>(op))
    return add(slopes[0], slopes[1], -1.0);
  if (isa<arith::NegFOp>(op))
    return scale(0, -1.0);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return slopes[0];
  if (isa<arith::MulFOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<double> number = getNumber(op->getOperand(i)))
        return scale(1 - i, *number);
  if (isa<arith::DivFOp>(op))
    if (std::optional<double> number = getNumber(op->getOperand(1)))
      return scale(0, 1.0 / *number);
  if (isa<math::TanhOp>(op)) {
    LogitSlope slope = slopes[0];
    slope.caps.push_back(op->getResult(0));
    return slope;
  }
  // A mask writes what the argument has no part in.
  if (isa<arith::SelectOp>(op) && slopes[0].factor == 0.0 &&
      (slopes[1].factor == 0.0 || slopes[2].factor == 0.0))
    return slopes[slopes[1].factor == 0.0 ? 2 : 1];
  return std::nullopt;
}

std::optional<LogitSlope> AttendBackwardOp::getSlopeBy(Value argument) {
  return Slopes(argument).get(getLogit());
}

/// B1: which axes each operand has.
static LogicalResult verifyMaps(AttendBackwardOp op) {
  using Operands = AttentionOperands;
  Operands operands = getOperandsOf(op);
  SmallVector<Operands::Axes> axes{Operands::kQuery, Operands::kKey,
                                   Operands::kValue, Operands::kResult,
                                   Operands::kRow,   Operands::kRow};
  axes.append(op.getModifiers().size(), Operands::kModifier);
  axes.append({Operands::kQuery, Operands::kKey, Operands::kValue});
  axes.append(op.getDmodifiers().size(), Operands::kModifier);
  if (failed(operands.verifyMaps(axes)))
    return failure();
  unsigned dquery = op.getFirstInit(), dkey = dquery + 1, dvalue = dquery + 2;
  for (auto [number, name] : {std::pair(0u, "query"),
                              {op.kGradient, "gradient"},
                              {op.kLse, "lse"},
                              {op.kDelta, "delta"},
                              {dquery, "dquery"}})
    if (failed(operands.verifyWholeBatch(number, name)))
      return failure();
  for (auto [number, name] :
       {std::pair(2u, "value"), {dkey, "dkey"}, {dvalue, "dvalue"}})
    for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis)
      if (op.getDimension(1, axis).has_value() !=
          op.getDimension(number, axis).has_value())
        return operands.emitError(1)
               << "'key' and '" << name << "' do not both have axis " << axis
               << " of the batch";
  for (unsigned i = 0; i < op.getDmodifiers().size(); ++i) {
    unsigned ofModifier = op.kFirstModifier + op.getModifierOf(i);
    for (unsigned axis = 0; axis < op.getNumAxes(); ++axis)
      if (op.getDimension(ofModifier, axis).has_value() !=
          op.getDimension(dvalue + 1 + i, axis).has_value())
        return operands.emitError(1)
               << "modifier " << op.getModifierOf(i)
               << " and its gradient do not both have axis " << axis;
  }
  return success();
}

/// B2: extents and element types of operands that belong together.
static LogicalResult verifyOperands(AttendBackwardOp op) {
  AttentionOperands operands = getOperandsOf(op);
  if (failed(operands.verifyElement({0, 1, 2, op.kGradient})))
    return failure();
  Type score = operands.getScoreType();
  for (Value row : {op.getLse(), op.getDelta()})
    if (cast<ShapedType>(row.getType()).getElementType() != score)
      return operands.emitError(2)
             << "'lse' and 'delta' are in " << score
             << ", the type of the score, not " << row.getType();
  for (Value init : op.getDpsInits())
    if (!isa<FloatType>(cast<ShapedType>(init.getType()).getElementType()))
      return operands.emitError(2)
             << "gradients are floats, not " << init.getType();
  return operands.verifyExtents();
}

/// B3: what the region does.
static LogicalResult verifyRegion(AttendBackwardOp op) {
  AttentionOperands operands = getOperandsOf(op);
  if (failed(operands.verifyRegion(op.getModifiers())))
    return failure();
  if (op.getRegion().front().getTerminator()->getNumOperands() != 1)
    return operands.emitError(3) << "the region yields a sink, whose gradient "
                                    "is none of the op";
  if (!op.getSlope())
    return operands.emitError(3)
           << "the logit is not the score times a constant, beside what does "
              "not depend on it, nor goes through math.tanh";
  for (unsigned i = 0; i < op.getDmodifiers().size(); ++i) {
    unsigned modifier = op.getModifierOf(i);
    Value argument = op.getModifierArgument(modifier);
    if (!isa<FloatType>(argument.getType()))
      return operands.emitError(3)
             << "modifier " << modifier << " is of " << argument.getType()
             << " and has no gradient";
    if (!op.getSlopeBy(argument))
      return operands.emitError(3)
             << "the logit is not modifier " << modifier
             << " times a constant, beside what does not depend on it, nor "
                "goes through math.tanh";
  }
  return success();
}

/// B5: which modifiers have gradients.
static LogicalResult verifyGradientsOf(AttendBackwardOp op) {
  AttentionOperands operands = getOperandsOf(op);
  ArrayRef<int64_t> numbers;
  if (op.getGradientsOf())
    numbers = *op.getGradientsOf();
  if (numbers.size() != op.getDmodifiers().size())
    return operands.emitError(5)
           << "'gradients_of' has " << numbers.size() << " numbers for "
           << op.getDmodifiers().size() << " gradients of modifiers";
  int64_t least = 0;
  for (int64_t number : numbers) {
    if (number < least || number >= int64_t(op.getModifiers().size()))
      return operands.emitError(5) << "'gradients_of' has " << number
                                   << ", and numbers of modifiers ascend below "
                                   << op.getModifiers().size();
    least = number + 1;
  }
  return success();
}

LogicalResult AttendBackwardOp::verify() {
  if (failed(verifyGradientsOf(*this)) || failed(verifyMaps(*this)) ||
      failed(verifyOperands(*this)) || failed(verifyRegion(*this)))
    return failure();
  for (Value operand : getOperands())
    if (isa<MemRefType>(operand.getType()) != isOnBuffers())
      return emitOpError("B4: mixes tensors and buffers");
  OperandRange inits = getDpsInits();
  if (isOnBuffers() ? !getOutputs().empty()
                    : getOutputs().getTypes() != inits.getTypes())
    return emitOpError("B4: has the types of its gradients as its "
                       "results on tensors, and none on buffers");
  return success();
}
