//===- AttentionChecks.cpp - Constraints of attention ops -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionChecks.h"

#include "Verification.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

using namespace mlir;
using namespace mlir::pit;

std::optional<unsigned> AttentionOperands::getDimension(unsigned number,
                                                        unsigned axis) const {
  AffineMap map = getMap(number);
  return map.getResultPosition(getAffineDimExpr(axis, map.getContext()));
}

int64_t AttentionOperands::getExtent(unsigned axis) const {
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> dimension = getDimension(number, axis))
      if (auto type = cast<ShapedType>(operand.getType());
          !type.isDynamicDim(*dimension))
        return type.getDimSize(*dimension);
  return ShapedType::kDynamic;
}

InFlightDiagnostic AttentionOperands::emitError(unsigned constraint) const {
  return op->emitOpError(std::string(1, letter))
         << std::to_string(constraint) << ": ";
}

LogicalResult AttentionOperands::verifyMaps(ArrayRef<Axes> axes) const {
  unsigned numOperands = op->getNumOperands();
  if (maps.size() != numOperands)
    return emitError(1) << "got " << maps.size() << " maps for " << numOperands
                        << " operands";
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    AffineMap map = getMap(number);
    if (map.getNumDims() != getNumAxes() || getNumAxes() < 4 ||
        map.getNumSymbols() != 0 || !map.isProjectedPermutation())
      return emitError(1) << "map " << number
                          << " is no projected permutation of the same axes, "
                             "at least four: "
                          << AffineMapAttr::get(map);
    if (map.getNumResults() != cast<ShapedType>(operand.getType()).getRank())
      return emitError(1) << "map " << number << " has " << map.getNumResults()
                          << " results for " << operand.getType();
  }
  constexpr const char *kNames[] = {"i (queries)", "j (keys)",
                                    "e (the width of queries)",
                                    "f (the width of values)"};
  for (auto [number, row] : llvm::enumerate(axes))
    for (unsigned i = 0; i < 4; ++i) {
      bool has = getDimension(number, getNumBatchAxes() + i).has_value();
      if (row[i] != Has::Maybe && has != (row[i] == Has::Yes))
        return emitError(1)
               << "operand " << number << (has ? " has" : " lacks")
               << " the axis " << kNames[i] << ": " << maps[number];
    }
  return success();
}

LogicalResult AttentionOperands::verifyWholeBatch(unsigned number,
                                                  StringRef name) const {
  for (unsigned axis = 0; axis < getNumBatchAxes(); ++axis)
    if (!getDimension(number, axis))
      return emitError(1) << "'" << name << "' lacks axis " << axis
                          << " of the batch: " << maps[number];
  return success();
}

LogicalResult
AttentionOperands::verifyElement(ArrayRef<unsigned> numbers) const {
  Type first = op->getOperand(numbers[0]).getType();
  Type element = cast<ShapedType>(first).getElementType();
  if (!element.isF64() && !element.isF32() && !element.isBF16() &&
      !element.isF16())
    return emitError(2) << "elements are f64, f32, bf16 or f16, not "
                        << element;
  for (unsigned number : numbers.drop_front())
    if (Type type = op->getOperand(number).getType();
        cast<ShapedType>(type).getElementType() != element)
      return emitError(2) << type << " is no operand beside " << first;
  return success();
}

LogicalResult AttentionOperands::verifyExtents() const {
  for (unsigned axis = 0; axis < getNumAxes(); ++axis) {
    int64_t extent = getExtent(axis);
    for (auto [number, operand] : llvm::enumerate(op->getOperands()))
      if (std::optional<unsigned> dimension = getDimension(number, axis);
          dimension && extentsDiffer(extent, cast<ShapedType>(operand.getType())
                                                 .getDimSize(*dimension)))
        return emitError(2)
               << "axis " << axis << " has " << extent << " points, and "
               << operand.getType() << " does not";
    if (axis >= getNumBatchAxes() + 2 && ShapedType::isDynamic(extent))
      return emitError(2) << "axis " << axis
                          << ", elements of a row, has an unknown extent";
  }
  return success();
}

Type AttentionOperands::getScoreType() const {
  Type element = cast<ShapedType>(op->getOperand(0).getType()).getElementType();
  return element.isF64() ? element : Float32Type::get(op->getContext());
}

LogicalResult AttentionOperands::verifyRegion(OperandRange modifiers) const {
  Type score = getScoreType();
  SmallVector<Type> expected{score};
  for (Value modifier : modifiers)
    expected.push_back(cast<ShapedType>(modifier.getType()).getElementType());
  expected.append(getNumBatchAxes() + 2, IndexType::get(op->getContext()));
  Block &body = op->getRegion(0).front();
  if (body.getArgumentTypes() != TypeRange(expected))
    return emitError(3) << "the region takes " << expected << ", not "
                        << body.getArgumentTypes();
  for (Operation &inside : body.without_terminator())
    if (!isMemoryEffectFree(&inside) || inside.getNumRegions() != 0)
      return emitError(3) << "the region computes with scalars, and has '"
                          << inside.getName() << "'";
  auto logit = dyn_cast<LogitOp>(body.getTerminator());
  if (!logit || logit.getValue().getType() != score)
    return emitError(3) << "the region yields one logit in " << score;
  return success();
}
