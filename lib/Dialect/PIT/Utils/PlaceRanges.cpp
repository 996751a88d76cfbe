//===- PlaceRanges.cpp - What is known of counted numbers -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Programs count in a few steps; what takes more is data.
static constexpr unsigned kMostSteps = 64;

static ConstantIntRanges getEverything(Type type) {
  return ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(type));
}

ConstantIntRanges PlaceRanges::getOf(Value number, unsigned depth) {
  if (auto it = known.find(number); it != known.end())
    return it->second;
  ConstantIntRanges range = depth > kMostSteps ? getEverything(number.getType())
                                               : compute(number, depth + 1);
  known.try_emplace(number, range);
  return range;
}

ConstantIntRanges PlaceRanges::compute(Value number, unsigned depth) {
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  if (auto argument = dyn_cast<BlockArgument>(number)) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (op && op.hasPureTensorSemantics() &&
        argument.getArgNumber() < op.getNumDpsInputs())
      return getOfElements(op->getOperand(argument.getArgNumber()), depth);
    return getEverything(number.getType());
  }
  Operation *def = number.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    auto op = cast<linalg::LinalgOp>(def->getParentOp());
    int64_t extent = op.getStaticLoopRanges()[index.getDim()];
    int64_t last = ShapedType::isDynamic(extent)
                       ? std::numeric_limits<int64_t>::max()
                       : std::max<int64_t>(extent, 1) - 1;
    return ConstantIntRanges::fromSigned(APInt(64, 0), APInt(64, last));
  }
  auto isInteger = [](Type type) { return type.isIntOrIndex(); };
  auto inferrable = dyn_cast<InferIntRangeInterface>(def);
  ConstantIntRanges range = getEverything(number.getType());
  if (!inferrable || !llvm::all_of(def->getOperandTypes(), isInteger) ||
      !llvm::all_of(def->getResultTypes(), isInteger))
    return range;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : def->getOperands())
    operands.push_back(getOf(operand, depth));
  inferrable.inferResultRanges(
      operands, [&](Value result, const ConstantIntRanges &inferred) {
        if (result == number)
          range = inferred;
      });
  return range;
}

/// What the elements of a tensor, or a scalar operand, can be.
ConstantIntRanges PlaceRanges::getOfElements(Value tensor, unsigned depth) {
  Type element = getElementTypeOrSelf(tensor.getType());
  if (!element.isIntOrIndex() || depth > kMostSteps)
    return getEverything(element);
  if (!isa<ShapedType>(tensor.getType()))
    return getOf(tensor, depth + 1);
  APInt constant;
  if (matchPattern(tensor, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  Operation *def = tensor.getDefiningOp();
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::CastOp, tensor::ExtractSliceOp>(def))
    return getOfElements(def->getOperand(0), depth + 1);
  auto unite = [&](ValueRange tensors) {
    ConstantIntRanges range = getOfElements(tensors[0], depth + 1);
    for (Value other : tensors.drop_front())
      range = range.rangeUnion(getOfElements(other, depth + 1));
    return range;
  };
  if (auto concat = dyn_cast_if_present<tensor::ConcatOp>(def))
    return unite(concat.getInputs());
  auto op = dyn_cast_if_present<linalg::LinalgOp>(def);
  if (!op || !op.hasPureTensorSemantics())
    return getEverything(element);
  if (op.getNumReductionLoops() != 0) {
    // Of an arg-max, it is the start or one of the positions.
    unsigned result = cast<OpResult>(tensor).getResultNumber();
    Value before = op.getRegionOutputArgs()[result];
    auto select = op.getBlock()
                      ->getTerminator()
                      ->getOperand(result)
                      .getDefiningOp<arith::SelectOp>();
    if (!select ||
        (select.getTrueValue() == before) == (select.getFalseValue() == before))
      return getEverything(element);
    Value position = select.getTrueValue() == before ? select.getFalseValue()
                                                     : select.getTrueValue();
    return getOf(position, depth + 1)
        .rangeUnion(getOfElements(op.getDpsInits()[result], depth + 1));
  }
  return getOf(op.getBlock()->getTerminator()->getOperand(
                   cast<OpResult>(tensor).getResultNumber()),
               depth + 1);
}
