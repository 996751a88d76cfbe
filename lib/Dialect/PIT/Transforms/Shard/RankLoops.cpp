//===- RankLoops.cpp - Parts of dense ops ---------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the tensor is filled with what the combiner starts from.
static bool isNeutral(Value value, Operation *combiner) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  Attribute number;
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&number)))
    return false;
  if (!combiner || isa<arith::AddFOp, arith::AddIOp>(combiner))
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
           matchPattern(fill.getInputs()[0], m_Zero());
  return number == *arith::getNeutralElement(combiner);
}

/// Numbers of the loop count from where the rank's part begins.
static void moveNumbers(Operation *op, int64_t loop, Value first) {
  SmallVector<linalg::IndexOp> numbers;
  for (Region &region : op->getRegions())
    for (auto number : region.getOps<linalg::IndexOp>())
      if (int64_t(number.getDim()) == loop)
        numbers.push_back(number);
  for (linalg::IndexOp number : numbers) {
    OpBuilder b(number->getContext());
    b.setInsertionPointAfter(number);
    Value moved = arith::AddIOp::create(b, number.getLoc(), number, first);
    number.getResult().replaceAllUsesExcept(moved, moved.getDefiningOp());
  }
}

void RankBuilder::buildLoops(const OpLoops &loops, LoopSplit loop) {
  Operation *op = loops.op;
  SmallVector<Value> operands(op->getNumOperands());
  SmallVector<Type> types(op->getNumResults());
  // What a result starts from is added once, not by each rank.
  SmallVector<Value> starts(op->getNumResults());
  Value first;
  for (const OpLoops::Access &access : loops.accesses) {
    const Split split = loop.of(access);
    Value made;
    if (!access.isResult) {
      made = operands[access.operand] = as(access.value, split);
    } else {
      unsigned number = cast<OpResult>(access.value).getResultNumber();
      types[number] = splits.getType(access.value.getType(), split);
      if (access.operand < 0)
        continue;
      Value init = op->getOperand(access.operand);
      Operation *combiner = loops.getCombiner(access);
      if (split.isCut() || !loops.accumulates || isNeutral(init, combiner)) {
        made = as(init, split);
      } else {
        made = neutral(whole(init), cast<RankedTensorType>(init.getType()),
                       combiner);
        starts[number] = as(init, splits.get(access.value));
      }
      operands[access.operand] = made;
    }
    if (split.isCut() && !first && loops.readsNumber(loop.loop)) {
      OpFoldResult size = extent(made, split.dim);
      auto attr = dyn_cast<Attribute>(size);
      first = arith::MulIOp::create(
          b, rank(),
          attr ? constant(cast<IntegerAttr>(attr).getInt())
               : cast<Value>(size));
    }
  }
  for (auto [operand, old] : llvm::zip_equal(operands, op->getOperands()))
    if (!operand)
      operand = whole(old);
  Operation *clone = nullptr;
  auto retype = [&](OffsetSizeAndStrideOpInterface slice) {
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    for (OpFoldResult &size : sizes)
      if (auto value = dyn_cast<Value>(size))
        size = scalar(value);
    auto part = cast<RankedTensorType>(
        isa<tensor::ExtractSliceOp>(op) ? types[0] : operands[0].getType());
    sizes[loop.loop] = b.getIndexAttr(part.getDimSize(loop.loop));
    return sizes;
  };
  auto numbers = [&](SmallVector<OpFoldResult> mixed) {
    for (OpFoldResult &number : mixed)
      if (auto value = dyn_cast<Value>(number))
        number = scalar(value);
    return mixed;
  };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    clone = tensor::ExtractSliceOp::create(
        b, cast<RankedTensorType>(types[0]), operands[0],
        numbers(slice.getMixedOffsets()), retype(slice),
        numbers(slice.getMixedStrides()));
  else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    clone = tensor::InsertSliceOp::create(
        b, operands[0], operands[1], numbers(slice.getMixedOffsets()),
        retype(slice), numbers(slice.getMixedStrides()));
  else
    clone = cloneWith(op, operands, types);
  if (first)
    moveNumbers(clone, loop.loop, first);
  for (const OpLoops::Access &access : loops.accesses) {
    if (!access.isResult)
      continue;
    unsigned number = cast<OpResult>(access.value).getResultNumber();
    Value made = clone->getResult(number);
    if (Split split = loop.of(access); split.isCut())
      place(access.value, made, split);
    else
      parts[access.value] = reduce(made, loops.getCombiner(access),
                                   splits.get(access.value), starts[number]);
  }
}

void RankBuilder::buildReshape(Operation *op, Split source) {
  Split split = followReshape(op, source, /*forward=*/true, ranks);
  Value operand = as(op->getOperand(0), source);
  auto type =
      cast<RankedTensorType>(splits.getType(op->getResult(0).getType(), split));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    place(collapse,
          tensor::CollapseShapeOp::create(b, type, operand,
                                          collapse.getReassociationIndices()),
          split);
    return;
  }
  auto expand = cast<tensor::ExpandShapeOp>(op);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(expand.getMixedOutputShape())) {
    if (!type.isDynamicDim(dim))
      sizes.push_back(b.getIndexAttr(type.getDimSize(dim)));
    else
      sizes.push_back(int64_t(dim) == split.dim
                          ? extentOfPart(cast<Value>(size))
                          : scalar(cast<Value>(size)));
  }
  place(expand,
        tensor::ExpandShapeOp::create(b, type, operand,
                                      expand.getReassociationIndices(), sizes),
        split);
}
