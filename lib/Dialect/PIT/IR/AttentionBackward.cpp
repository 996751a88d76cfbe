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

/// By what a value of a region grows with the score: 0 if it does not depend
/// on it, nothing if that is no constant.
class Slopes {
public:
  explicit Slopes(Value score) { known[score] = 1.0; }

  std::optional<double> get(Value value) {
    auto [place, isNew] = known.try_emplace(value, 0.0);
    if (!isNew || isa<BlockArgument>(value))
      return place->second;
    std::optional<double> slope = compute(value.getDefiningOp());
    return known[value] = slope;
  }

private:
  std::optional<double> compute(Operation *op);

  DenseMap<Value, std::optional<double>> known;
};

} // namespace

static std::optional<double> getNumber(Value value) {
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

std::optional<double> Slopes::compute(Operation *op) {
  SmallVector<std::optional<double>> slopes = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  if (llvm::is_contained(slopes, std::nullopt))
    return std::nullopt;
  if (llvm::all_of(slopes, [](auto slope) { return *slope == 0.0; }))
    return 0.0;
  if (isa<arith::AddFOp>(op))
    return *slopes[0] + *slopes[1];
  if (isa<arith::SubFOp>(op))
    return *slopes[0] - *slopes[1];
  if (isa<arith::NegFOp>(op))
    return -*slopes[0];
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return slopes[0];
  if (isa<arith::MulFOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<double> number = getNumber(op->getOperand(i)))
        return *number * *slopes[1 - i];
  if (isa<arith::DivFOp>(op))
    if (std::optional<double> number = getNumber(op->getOperand(1)))
      return *slopes[0] / *number;
  // A mask writes what the score has no part in.
  if (isa<arith::SelectOp>(op) && slopes[0] == 0.0 &&
      (slopes[1] == 0.0 || slopes[2] == 0.0))
    return *slopes[1] + *slopes[2];
  return std::nullopt;
}

std::optional<double> AttendBackwardOp::getSlope() {
  return Slopes(getScoreArgument()).get(getLogit());
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
              "not depend on it";
  return success();
}

LogicalResult AttendBackwardOp::verify() {
  if (failed(verifyMaps(*this)) || failed(verifyOperands(*this)) ||
      failed(verifyRegion(*this)))
    return failure();
  for (Value operand : getOperands())
    if (isa<MemRefType>(operand.getType()) != isOnBuffers())
      return emitOpError("B4: mixes tensors and buffers");
  OperandRange inits = getDpsInits();
  if (isOnBuffers() ? !getOutputs().empty()
                    : getOutputs().getTypes() != inits.getTypes())
    return emitOpError("B4: has the types of dquery, dkey and dvalue as its "
                       "results on tensors, and none on buffers");
  return success();
}
