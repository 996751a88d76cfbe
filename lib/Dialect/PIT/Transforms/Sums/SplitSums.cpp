//===- SplitSums.cpp - Sums over the inverse of an index ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "SumSplitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPLITSUMS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// A type without one of its dimensions.
static Type dropDim(Type type, int64_t dim) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// The sum over the inverse index into the output; `region`, if given, is the
/// payload, else the one input is added.
TiledOp SumSplitter::createSum(RewriterBase &rewriter, Value inverse,
                               ArrayRef<Value> inputs, ArrayRef<Attribute> dims,
                               ArrayRef<Type> tileTypes,
                               ArrayRef<AffineMap> maps,
                               ArrayRef<utils::IteratorType> iterators,
                               Region *region) {
  Location loc = op.getLoc();
  auto tiled = TiledOp::create(
      rewriter, loc, op.getResultTypes(), inverse, inputs, op.getOutputs(),
      rewriter.getArrayAttr(dims),
      rewriter.getDenseBoolArrayAttr(SmallVector<bool>(dims.size(), false)),
      op.getTileSizeAttr(), UnitAttr(), op.getRuleAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  Block *block =
      rewriter.createBlock(&tiled.getRegion(), {}, tileTypes,
                           SmallVector<Location>(tileTypes.size(), loc));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, tileTypes.back(), block->getArguments().drop_back(),
      block->getArguments().back(), maps, iterators);
  IRMapping mapping;
  if (region) {
    region->cloneInto(&generic.getRegion(), mapping);
  } else {
    Type element = getElementTypeOrSelf(tileTypes.back());
    OpBuilder::InsertionGuard guard(rewriter);
    Block *payload = rewriter.createBlock(&generic.getRegion(), {},
                                          {element, element}, {loc, loc});
    Value row = payload->getArgument(0), before = payload->getArgument(1);
    Value total =
        isa<FloatType>(element)
            ? arith::AddFOp::create(rewriter, loc, before, row).getResult()
            : arith::AddIOp::create(rewriter, loc, before, row).getResult();
    linalg::YieldOp::create(rewriter, loc, total);
  }
  YieldOp::create(rewriter, loc, generic.getResults());
  return tiled;
}

Value SumSplitter::createSumOfRows(RewriterBase &rewriter, Value inverse,
                                   Value rows) {
  Type tile = body.getArguments().back().getType();
  unsigned rank = cast<RankedTensorType>(tile).getRank();
  AffineMap map = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[rowDim] = utils::IteratorType::reduction;
  return createSum(rewriter, inverse, rows,
                   {rewriter.getDenseI64ArrayAttr({-1, rowDim}),
                    rewriter.getDenseI64ArrayAttr({rowDim, -1})},
                   {tile, dropDim(tile, rowDim)}, {map, map.dropResult(rowDim)},
                   iterators, /*region=*/nullptr)
      .getResult(0);
}

/// The loop over the coordinate becomes one over the positions of a row.
Value SumSplitter::createSumOfElements(RewriterBase &rewriter, Value inverse,
                                       OpFoldResult numPositions) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> dims;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps;
  for (OpOperand &use : sum->getOpOperands()) {
    unsigned operand = cast<BlockArgument>(use.get()).getArgNumber();
    bool isInput = sum.isDpsInput(&use);
    Type tile = use.get().getType();
    AffineMap map = sum.getMatchingIndexingMap(&use);
    int64_t dim = op.getOperandDims(operand)[type.getCoordinate()];
    int64_t ofCoordinate = -1, ofPosition = -1;
    Value input = isInput ? op.getInputs()[operand] : Value();
    switch (getAccess(operand)) {
    case Access::Element:
      input = createEarlyNumbers(rewriter, operand, numPositions);
      ofPosition = 0;
      break;
    case Access::Packed:
      ofPosition = dim;
      break;
    case Access::Coordinate:
      ofCoordinate = dim;
      tile = dropDim(tile, dim);
      map = map.dropResult(dim);
      break;
    case Access::Segment:
    case Access::Whole:
      break;
    }
    if (isInput)
      inputs.push_back(input);
    dims.push_back(rewriter.getDenseI64ArrayAttr({ofCoordinate, ofPosition}));
    types.push_back(tile);
    maps.push_back(map);
  }
  SmallVector<utils::IteratorType> iterators = sum.getIteratorTypesArray();
  AffineMap outputMap = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
  iterators[outputMap.getDimPosition(rowDim)] = utils::IteratorType::reduction;
  return createSum(rewriter, inverse, inputs, dims, types, maps, iterators,
                   &sum.getRegion())
      .getResult(0);
}

bool SumSplitter::run(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  FailureOr<OpFoldResult> numPositions = getNumPositions(rewriter);
  if (failed(numPositions))
    return false;
  inversePoint = rewriter.saveInsertionPoint();
  moveToLists(rewriter, *numPositions);
  if (scatter && getValueOfOtherRows()) {
    createScatter(rewriter, *numPositions);
    return true;
  }
  rewriter.restoreInsertionPoint(inversePoint);
  Value inverse = createInverse(rewriter, *numPositions);
  rewriter.setInsertionPoint(op);
  Value result =
      isContraction()
          ? createSumOfRows(rewriter, inverse,
                            createPackedProduct(rewriter, *numPositions))
          : createSumOfElements(rewriter, inverse, *numPositions);
  rewriter.replaceOp(op, result);
  return true;
}

namespace {
struct PITSplitSums : pit::impl::PITSplitSumsBase<PITSplitSums> {
  using PITSplitSumsBase::PITSplitSumsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Rows of other ranks are not written to.
    const bool isOfRanks =
        getOperation()->hasAttr(PITDialect::SplitsAttrHelper::getNameStr());
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    for (TiledOp op : worklist) {
      SumSplitter splitter(op, scatter && !isOfRanks);
      if (splitter.match() && splitter.run(rewriter))
        ++numSums;
    }
  }
};
} // namespace
