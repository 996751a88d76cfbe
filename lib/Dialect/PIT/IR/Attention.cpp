//===- Attention.cpp - Attention ------------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The region of pit.attend is what others call a score modification.
// Diagnostics start with a constraint's number, as in PITOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "AttentionChecks.h"
#include "OperandEffects.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITAttentionOps.cpp.inc"

void AttendOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isOnBuffers())
    addOperandEffects(*this, effects);
}

static AttentionOperands getOperandsOf(AttendOp op) {
  return {op, op.getMaps(), 'A'};
}

std::optional<unsigned> AttendOp::getDimension(unsigned number, unsigned axis) {
  return getOperandsOf(*this).getDimension(number, axis);
}

int64_t AttendOp::getAxisExtent(unsigned axis) {
  return getOperandsOf(*this).getExtent(axis);
}

/// A1: which axes each operand has.
static LogicalResult verifyMaps(AttendOp op) {
  using Operands = AttentionOperands;
  Operands operands = getOperandsOf(op);
  SmallVector<Operands::Axes> axes{Operands::kQuery, Operands::kKey,
                                   Operands::kValue};
  axes.append(op.getModifiers().size(), Operands::kModifier);
  axes.push_back(Operands::kResult);
  if (op.getLse())
    axes.push_back(Operands::kRow);
  if (failed(operands.verifyMaps(axes)) ||
      failed(operands.verifyWholeBatch(op.getInitNumber(), "init")))
    return failure();
  return success(!op.getLse() || succeeded(operands.verifyWholeBatch(
                                     op.getLseNumber(), "lse")));
}

/// A2: extents and element types of operands that belong together.
static LogicalResult verifyOperands(AttendOp op) {
  AttentionOperands operands = getOperandsOf(op);
  if (failed(operands.verifyElement({0, 1, 2})))
    return failure();
  if (!isa<FloatType>(
          cast<ShapedType>(op.getInit().getType()).getElementType()))
    return operands.emitError(2)
           << "'init' has floats, not " << op.getInit().getType();
  Type score = operands.getScoreType();
  if (Value lse = op.getLse();
      lse && cast<ShapedType>(lse.getType()).getElementType() != score)
    return operands.emitError(2)
           << "'lse' is in " << score << ", the type of the score, not "
           << lse.getType();
  return operands.verifyExtents();
}

SmallVector<BlockArgument> AttendOp::getArgumentsOf(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  SmallVector<BlockArgument> arguments;
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value next = reached[i];
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner()->getParent() == &getRegion())
        arguments.push_back(argument);
    } else if (Operation *def = next.getDefiningOp();
               def->getParentRegion() == &getRegion()) {
      reached.insert_range(def->getOperands());
    }
  }
  return arguments;
}

/// Whether a value of the region depends on the score, or on the key.
static bool dependsOnKey(Value value, AttendOp op) {
  unsigned numModifiers = op.getModifiers().size();
  return llvm::any_of(op.getArgumentsOf(value), [&](BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    if (number == 0)
      return true;
    if (number <= numModifiers)
      return op.getModifierMap(number - 1).isFunctionOfDim(op.getKeyAxis());
    return number - 1 - numModifiers == op.getKeyAxis();
  });
}

/// A3: arguments of the region, and what it does.
static LogicalResult verifyRegion(AttendOp op) {
  AttentionOperands operands = getOperandsOf(op);
  if (failed(operands.verifyRegion(op.getModifiers())))
    return failure();
  if (Value sink = op.getSink()) {
    if (sink.getType() != operands.getScoreType())
      return operands.emitError(3)
             << "a sink is of the type of logits, " << operands.getScoreType()
             << ", not " << sink.getType();
    if (dependsOnKey(sink, op))
      return operands.emitError(3)
             << "a sink depends on the score, or on the key";
  }
  return success();
}

/// A5: modifiers that are no masks.
static LogicalResult verifyBiases(AttendOp op) {
  int64_t least = 0, numModifiers = op.getModifiers().size();
  for (int64_t modifier : op.getBiases().value_or(ArrayRef<int64_t>())) {
    if (modifier < least || modifier >= numModifiers)
      return op.emitOpError("A5: 'biases' are numbers of the ")
             << numModifiers << " modifiers, in ascending order";
    least = modifier + 1;
    if (!isa<FloatType>(getElementTypeOrSelf(op.getModifiers()[modifier])))
      return op.emitOpError("A5: modifier ")
             << modifier << " is not of floats, and so no bias";
  }
  return success();
}

LogicalResult AttendOp::verify() {
  if (failed(verifyMaps(*this)) || failed(verifyOperands(*this)) ||
      failed(verifyRegion(*this)))
    return failure();
  for (Value operand : getOperands())
    if (isa<MemRefType>(operand.getType()) != isOnBuffers())
      return emitOpError("A4: mixes tensors and buffers");
  OperandRange inits = getDpsInits();
  if (isOnBuffers() ? !getOutputs().empty()
                    : getOutputs().getTypes() != inits.getTypes())
    return emitOpError("A4: has the types of 'init' and 'lse' as its results "
                       "on tensors, and none on buffers");
  return verifyBiases(*this);
}
