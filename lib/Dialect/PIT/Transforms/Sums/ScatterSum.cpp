//===- ScatterSum.cpp - Sums of rows that are listed once -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows element by element comes before the rows are written, and once
// for all that nobody writes:
//
//   z[t] = f(y[t])   =>   z[t] = f(c + packed[p]), and f(c) in all other rows
//
//===----------------------------------------------------------------------===//

#include "SumSplitter.h"

#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

/// The constant in all rows before the sum, if no row is listed twice. Null
/// otherwise.
Value SumSplitter::getValueOfOtherRows() {
  auto detect = op.getIndex().getDefiningOp<DetectOp>();
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  auto result = cast<RankedTensorType>(op.getResultTypes()[0]);
  if (!detect || !listsRowsOnce(detect.getPattern(), type) || !fill ||
      result.getEncoding() ||
      fill.value().getType() != result.getElementType() ||
      !fill.value().getDefiningOp<arith::ConstantOp>())
    return Value();
  // Otherwise there are loops that the output does not have.
  bool hasLoopsOfOutput =
      isContraction() ||
      sum.getMatchingIndexingMap(sum.getDpsInitOperand(0)).isPermutation();
  return hasLoopsOfOutput ? fill.value() : Value();
}

/// The only op that reads `value`, if it makes one element of each element, of
/// constants besides, and could stand where `place` is. Null otherwise.
static linalg::GenericOp findElementwiseUser(Value value, Operation *place) {
  if (!value.hasOneUse())
    return nullptr;
  OpOperand &use = *value.use_begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user || user->getBlock() != place->getBlock() ||
      user->getNumOperands() != 2 || !user.isDpsInput(&use) ||
      user.hasIndexSemantics() ||
      user.payloadUsesValueFromOperand(user.getDpsInitOperand(0)) ||
      !llvm::all_of(user.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      !llvm::all_of(*user.getBlock(),
                    [](Operation &nested) { return isPure(&nested); }))
    return nullptr;
  auto result = cast<RankedTensorType>(user.getResultTypes()[0]);
  if (result !=
      cast<RankedTensorType>(value.getType()).clone(result.getElementType()))
    return nullptr;
  // Scalars of the device must not cross the launches of what is packed.
  SetVector<Value> scalars;
  getUsedValuesDefinedAbove(user.getRegion(), scalars);
  DominanceInfo dominance(place->getParentOp());
  bool areKnown = llvm::all_of(scalars, [&](Value scalar) {
    return scalar.getDefiningOp<arith::ConstantOp>() &&
           dominance.properlyDominates(scalar, place);
  });
  return areKnown ? user : nullptr;
}

/// Clones what a payload computes from `values`, its arguments.
static Value clonePayload(OpBuilder &builder, linalg::GenericOp op,
                          ArrayRef<Value> values) {
  IRMapping mapping;
  for (auto [argument, value] :
       llvm::zip(op.getBlock()->getArguments(), values))
    mapping.map(argument, value);
  for (Operation &nested : op.getBlock()->without_terminator())
    builder.clone(nested, mapping);
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

void SumSplitter::createScatter(RewriterBase &rewriter,
                                OpFoldResult numPositions) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value before = getValueOfOtherRows();
  linalg::GenericOp after = findElementwiseUser(op.getResult(0), op);

  SmallVector<Value> inputs;
  SmallVector<Attribute> dims;
  SmallVector<bool> packed;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> packedDims(type.getRank(), -1);
  auto add = [&](Value input, Attribute dimsOf, bool isPacked, Type tile,
                 AffineMap map) {
    inputs.push_back(input);
    dims.push_back(dimsOf);
    packed.push_back(isPacked);
    types.push_back(tile);
    maps.push_back(map);
  };
  auto tile = cast<RankedTensorType>(body.getArguments().back().getType());
  AffineMap outputMap = rewriter.getMultiDimIdentityMap(tile.getRank());
  if (isContraction()) {
    packedDims[type.getCoordinate()] = rowDim;
    Value rows = createPackedProduct(rewriter, numPositions);
    add(rows, rewriter.getDenseI64ArrayAttr(packedDims), true, tile, outputMap);
  } else {
    outputMap = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
    packedDims[type.getCoordinate()] = 0;
    for (OpOperand *use : sum.getDpsInputOperands()) {
      unsigned operand = cast<BlockArgument>(use->get()).getArgNumber();
      bool isElement = getAccess(operand) == Access::Element;
      add(isElement ? createEarlyNumbers(rewriter, operand, numPositions)
                    : op.getInputs()[operand],
          isElement ? rewriter.getDenseI64ArrayAttr(packedDims)
                    : op.getDims()[operand],
          isElement || op.getPacked()[operand], use->get().getType(),
          sum.getMatchingIndexingMap(use));
    }
  }

  // Computed where it is stored: not all functions fold.
  Type element = after ? getElementTypeOrSelf(after.getResultTypes()[0])
                       : before.getType();
  Value rest = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getOutputs()[0]),
      element);
  if (after)
    rest =
        linalg::GenericOp::create(
            rewriter, loc, rest.getType(), ValueRange(), rest,
            rewriter.getMultiDimIdentityMap(tile.getRank()),
            SmallVector<utils::IteratorType>(tile.getRank(),
                                             utils::IteratorType::parallel),
            [&](OpBuilder &b, Location loc, ValueRange) {
              linalg::YieldOp::create(b, loc, clonePayload(b, after, before));
            })
            .getResult(0);
  else
    rest = linalg::FillOp::create(rewriter, loc, before, rest).getResult(0);
  dims.push_back(op.getDims().getValue().back());
  packed.push_back(false);
  types.push_back(tile.clone(element));
  maps.push_back(outputMap);
  auto tiled = TiledOp::create(
      rewriter, loc, rest.getType(), op.getIndex(), inputs, rest,
      rewriter.getArrayAttr(dims), rewriter.getDenseBoolArrayAttr(packed),
      op.getTileSizeAttr(), UnitAttr(), op.getRuleAttr());
  {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *block =
        rewriter.createBlock(&tiled.getRegion(), {}, types,
                             SmallVector<Location>(types.size(), loc));
    SmallVector<utils::IteratorType> iterators(tile.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, types.back(), block->getArguments().drop_back(),
        block->getArguments().back(), maps, iterators,
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          SmallVector<Value> values(arguments.drop_back());
          Value total;
          if (!isContraction()) {
            values.push_back(before);
            total = clonePayload(b, sum, values);
          } else if (isa<FloatType>(before.getType())) {
            total = arith::AddFOp::create(b, loc, before, values[0]);
          } else {
            total = arith::AddIOp::create(b, loc, before, values[0]);
          }
          linalg::YieldOp::create(
              b, loc, after ? clonePayload(b, after, total) : total);
        });
    YieldOp::create(rewriter, loc, generic.getResults());
  }
  if (after) {
    rewriter.replaceOp(after, tiled.getResults());
    rewriter.eraseOp(op);
  } else {
    rewriter.replaceOp(op, tiled.getResults());
  }
}
