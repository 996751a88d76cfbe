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

#include "OperandEffects.h"
#include "Verification.h"

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

std::optional<unsigned> AttendOp::getDimension(unsigned number, unsigned axis) {
  AffineMap map = getMap(number);
  return map.getResultPosition(getAffineDimExpr(axis, map.getContext()));
}

int64_t AttendOp::getAxisExtent(unsigned axis) {
  for (auto [number, operand] : llvm::enumerate(getOperands()))
    if (std::optional<unsigned> dimension = getDimension(number, axis))
      if (auto type = cast<ShapedType>(operand.getType());
          !type.isDynamicDim(*dimension))
        return type.getDimSize(*dimension);
  return ShapedType::kDynamic;
}

/// A1: which axes each operand has.
static LogicalResult verifyMaps(AttendOp op) {
  unsigned numOperands = op->getNumOperands();
  if (op.getMaps().size() != numOperands)
    return op.emitOpError("A1: got ")
           << op.getMaps().size() << " maps for " << numOperands << " operands";
  unsigned numAxes = op.getNumAxes();
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    AffineMap map = op.getMap(number);
    if (map.getNumDims() != numAxes || numAxes < 4 ||
        map.getNumSymbols() != 0 || !map.isProjectedPermutation())
      return op.emitOpError("A1: map ")
             << number << " is no projected permutation of the same axes, at "
             << "least four: " << AffineMapAttr::get(map);
    if (map.getNumResults() != cast<ShapedType>(operand.getType()).getRank())
      return op.emitOpError("A1: map ")
             << number << " has " << map.getNumResults() << " results for "
             << operand.getType();
  }
  // Whether query, key, value, modifiers and init have i, j, e and f.
  enum class Has { Yes, No, Maybe };
  using Row = std::array<Has, 4>;
  constexpr Row kModifier = {Has::Maybe, Has::Maybe, Has::No, Has::No};
  constexpr Row kRows[] = {{Has::Yes, Has::No, Has::Yes, Has::No},
                           {Has::No, Has::Yes, Has::Yes, Has::No},
                           {Has::No, Has::Yes, Has::No, Has::Yes}};
  constexpr Row kInit = {Has::Yes, Has::No, Has::No, Has::Yes};
  constexpr const char *kNames[] = {"i (queries)", "j (keys)",
                                    "e (the width of queries)",
                                    "f (the width of values)"};
  for (unsigned number = 0; number < numOperands; ++number) {
    const Row &row = number < 3                 ? kRows[number]
                     : number + 1 < numOperands ? kModifier
                                                : kInit;
    for (unsigned i = 0; i < 4; ++i) {
      bool has = op.getDimension(number, op.getNumBatchAxes() + i).has_value();
      if (row[i] != Has::Maybe && has != (row[i] == Has::Yes))
        return op.emitOpError("A1: operand ")
               << number << (has ? " has" : " lacks") << " the axis "
               << kNames[i] << ": " << op.getMaps()[number];
    }
  }
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis)
    if (!op.getDimension(numOperands - 1, axis))
      return op.emitOpError("A1: 'init' lacks axis ")
             << axis << " of the batch: " << op.getMaps()[numOperands - 1];
  return success();
}

/// A2: extents and element types of operands that belong together.
static LogicalResult verifyOperands(AttendOp op) {
  Type element = cast<ShapedType>(op.getQuery().getType()).getElementType();
  if (!element.isF64() && !element.isF32() && !element.isBF16() &&
      !element.isF16())
    return op.emitOpError("A2: elements are f64, f32, bf16 or f16, not ")
           << element;
  for (Value operand : {op.getKey(), op.getValue()})
    if (cast<ShapedType>(operand.getType()).getElementType() != element)
      return op.emitOpError("A2: ")
             << operand.getType() << " is no operand beside "
             << op.getQuery().getType();
  if (!isa<FloatType>(
          cast<ShapedType>(op.getInit().getType()).getElementType()))
    return op.emitOpError("A2: 'init' has floats, not ")
           << op.getInit().getType();
  for (unsigned axis = 0; axis < op.getNumAxes(); ++axis) {
    int64_t extent = op.getAxisExtent(axis);
    for (auto [number, operand] : llvm::enumerate(op->getOperands()))
      if (std::optional<unsigned> dimension = op.getDimension(number, axis);
          dimension && extentsDiffer(extent, cast<ShapedType>(operand.getType())
                                                 .getDimSize(*dimension)))
        return op.emitOpError("A2: axis ")
               << axis << " has " << extent << " points, and "
               << operand.getType() << " does not";
    if (axis >= op.getScoreAxis() && ShapedType::isDynamic(extent))
      return op.emitOpError("A2: axis ")
             << axis << ", elements of a row, has an unknown extent";
  }
  return success();
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
  Type element = cast<ShapedType>(op.getQuery().getType()).getElementType();
  Type score = element.isF64() ? element : Float32Type::get(op.getContext());
  SmallVector<Type> expected{score};
  for (Value modifier : op.getModifiers())
    expected.push_back(cast<ShapedType>(modifier.getType()).getElementType());
  expected.append(op.getNumBatchAxes() + 2, IndexType::get(op.getContext()));
  Block &body = op.getRegion().front();
  if (body.getArgumentTypes() != TypeRange(expected))
    return op.emitOpError("A3: the region takes ")
           << expected << ", not " << body.getArgumentTypes();
  for (Operation &inside : body.without_terminator())
    if (!isMemoryEffectFree(&inside) || inside.getNumRegions() != 0)
      return op.emitOpError("A3: the region computes with scalars, and has '")
             << inside.getName() << "'";
  auto logit = dyn_cast<LogitOp>(body.getTerminator());
  if (!logit || logit.getValue().getType() != score)
    return op.emitOpError("A3: the region yields one logit in ") << score;
  if (Value sink = logit.getSink()) {
    if (sink.getType() != score)
      return op.emitOpError("A3: a sink is of the type of logits, ")
             << score << ", not " << sink.getType();
    if (dependsOnKey(sink, op))
      return op.emitOpError("A3: a sink depends on the score, or on the key");
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
  if (isOnBuffers() == (getResult() != nullptr) ||
      (getResult() && getResult().getType() != getInit().getType()))
    return emitOpError("A4: has the type of 'init' as its result on tensors, "
                       "and none on buffers");
  return success();
}
