//===- AxisBuilder.cpp - Structured ops along axes ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;
using utils::IteratorType;

AxisBuilder::AxisBuilder(OpBuilder &builder, Operation *op, ArrayAttr maps,
                         Type scoreType)
    : builder(builder), loc(op->getLoc()), op(op), maps(maps),
      scoreType(scoreType) {
  builder.setInsertionPoint(op);
}

OpFoldResult AxisBuilder::getSize(unsigned axis) {
  std::optional<OpFoldResult> size;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<unsigned> dimension =
        getOperandMap(number).getResultPosition(builder.getAffineDimExpr(axis));
    if (!dimension)
      continue;
    int64_t extent = cast<ShapedType>(operand.getType()).getDimSize(*dimension);
    if (!ShapedType::isDynamic(extent))
      return builder.getIndexAttr(extent);
    if (!size)
      size = tensor::getMixedSize(builder, loc, operand, *dimension);
  }
  // The verifier knows each axis in an operand.
  return size.value_or(builder.getIndexAttr(1));
}

AffineMap AxisBuilder::getMap(ArrayRef<unsigned> axes) {
  SmallVector<AffineExpr> exprs;
  for (unsigned axis : axes)
    exprs.push_back(builder.getAffineDimExpr(axis));
  return AffineMap::get(getNumAxes(), 0, exprs, builder.getContext());
}

Value AxisBuilder::getNumber(OpBuilder &b, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(scoreType, value));
}

Value AxisBuilder::convert(OpBuilder &b, Value value, Type type) {
  return convertScalarToDtype(b, loc, value, type, /*isUnsignedCast=*/false);
}

Value AxisBuilder::createEmpty(ArrayRef<unsigned> axes, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned axis : axes)
    sizes.push_back(getSize(axis));
  return tensor::EmptyOp::create(builder, loc, sizes, element);
}

Value AxisBuilder::createFilled(ArrayRef<unsigned> axes, double value) {
  Value empty = createEmpty(axes, scoreType);
  return linalg::FillOp::create(builder, loc, getNumber(builder, value), empty)
      .getResult(0);
}

Value AxisBuilder::create(ArrayRef<Value> inputs, ArrayRef<AffineMap> maps,
                          Value init, AffineMap initMap, Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(initMap);
  // Loops are the axes that any operand has.
  llvm::SmallBitVector unused =
      getUnusedDimsBitVector(SmallVector<AffineMap>(all));
  SmallVector<IteratorType> iterators;
  for (unsigned axis = 0; axis < getNumAxes(); ++axis)
    if (!unused.test(axis))
      iterators.push_back(initMap.isFunctionOfDim(axis)
                              ? IteratorType::parallel
                              : IteratorType::reduction);
  for (AffineMap &map : all)
    map = projectDims(map, unused, /*compressDimsFlag=*/true);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, all, iterators,
             [&](OpBuilder &b, Location, ValueRange arguments) {
               linalg::YieldOp::create(b, loc, body(b, arguments));
             })
      .getResult(0);
}

Value AxisBuilder::createProduct(Value a, AffineMap mapOfA, Value b,
                                 AffineMap mapOfB,
                                 ArrayRef<unsigned> ofResult) {
  return create(
      {a, b}, {mapOfA, mapOfB}, createFilled(ofResult, 0), getMap(ofResult),
      [&](OpBuilder &inside, ValueRange arguments) -> Value {
        Value product = arith::MulFOp::create(
            inside, loc, convert(inside, arguments[0], scoreType),
            convert(inside, arguments[1], scoreType));
        return arith::AddFOp::create(inside, loc, arguments[2], product);
      });
}

Value AxisBuilder::round(Value tensor, ArrayRef<unsigned> axes, Type element) {
  if (getElementTypeOrSelf(tensor.getType()) == element)
    return tensor;
  return create({tensor}, {getMap(axes)}, createEmpty(axes, element),
                getMap(axes), [&](OpBuilder &b, ValueRange arguments) {
                  return convert(b, arguments[0], element);
                });
}

Value AxisBuilder::cloneValue(OpBuilder &b, Value value,
                              ArrayRef<Value> arguments) {
  Region &region = op->getRegion(0);
  IRMapping mapping;
  for (auto [number, argument] : llvm::enumerate(arguments))
    if (argument)
      mapping.map(region.getArgument(number), argument);
  // Where there is no score there is no key.
  unsigned numPlaces = getNumAxes() - (arguments[0] ? 2 : 3);
  for (unsigned axis = 0; axis < numPlaces; ++axis)
    mapping.map(region.getArgument(arguments.size() + axis),
                linalg::IndexOp::create(b, loc, axis).getResult());
  llvm::SetVector<Operation *> slice;
  std::function<void(Value)> collect = [&](Value used) {
    Operation *def = used.getDefiningOp();
    if (!def || def->getParentRegion() != &region || slice.count(def))
      return;
    llvm::for_each(def->getOperands(), collect);
    slice.insert(def);
  };
  collect(value);
  for (Operation *inside : slice)
    b.clone(*inside, mapping);
  return mapping.lookupOrDefault(value);
}

Value AxisBuilder::createLogits(Value scores, OperandRange modifiers,
                                unsigned firstModifier) {
  return createOfScores(
      scores, modifiers, firstModifier,
      op->getRegion(0).front().getTerminator()->getOperand(0));
}

Value AxisBuilder::createOfScores(Value scores, OperandRange modifiers,
                                  unsigned firstModifier, Value value) {
  AffineMap scoresMap =
      getMap(llvm::to_vector(llvm::seq<unsigned>(0, getNumAxes() - 2)));
  SmallVector<Value> inputs{scores};
  SmallVector<AffineMap> inputMaps{scoresMap};
  for (auto [number, modifier] : llvm::enumerate(modifiers)) {
    inputs.push_back(modifier);
    inputMaps.push_back(getOperandMap(firstModifier + number));
  }
  return create(inputs, inputMaps, scores, scoresMap,
                [&](OpBuilder &b, ValueRange arguments) {
                  Value made = cloneValue(
                      b, value,
                      SmallVector<Value>(arguments.take_front(inputs.size())));
                  return convert(b, made, scoreType);
                });
}
