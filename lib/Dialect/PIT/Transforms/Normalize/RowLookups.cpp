//===- RowLookups.cpp - Elements at the place of an arg-max ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowLookups.h"

#include "PIT/Dialect/PIT/Utils/Combiner.h"
#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// The input of the op that an index of a row is, perhaps as another type; null
/// if it is none.
static BlockArgument findInput(Value index, linalg::GenericOp op) {
  while (index.getDefiningOp<arith::IndexCastOp>() ||
         index.getDefiningOp<arith::ExtSIOp>())
    index = index.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(index);
  return argument && argument.getOwner() == op.getBlock() &&
                 argument.getArgNumber() < op.getNumDpsInputs()
             ? argument
             : BlockArgument();
}

/// Whether the tensor is the place of the largest, or smallest, of rows of so
/// many columns, none of which lies elsewhere.
static bool isPlaceInRow(Value tensor, int64_t columns) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumLoops() != 2 || op.getNumReductionLoops() != 1 ||
      op.getNumDpsInits() != 2 || tensor != op.getResult(1) ||
      op.getStaticLoopRanges()[1] != columns)
    return false;
  return Combiner::match(op, /*log=*/{}).has_value();
}

/// The row of the loop and a column that an arg-max found, of a matrix.
static BlockArgument matchLookup(tensor::ExtractOp lookup,
                                 linalg::GenericOp op) {
  auto type = cast<RankedTensorType>(lookup.getTensor().getType());
  Type element = type.getElementType();
  if (type.getRank() != 2 || type.isDynamicDim(1) ||
      !(isa<FloatType>(element) || element.isSignlessInteger()) ||
      element.getIntOrFloatBitWidth() < 16)
    return {};
  auto row = lookup.getIndices()[0].getDefiningOp<linalg::IndexOp>();
  BlockArgument place = findInput(lookup.getIndices()[1], op);
  if (!row || row.getDim() != 0 || !place ||
      !isPlaceInRow(op.getInputs()[place.getArgNumber()], type.getDimSize(1)))
    return {};
  ConstantIntRanges range = PlaceRanges().get(lookup.getIndices()[1]);
  return range.smin().isNonNegative() && range.smax().slt(type.getDimSize(1))
             ? place
             : BlockArgument();
}

/// Of each row, the element at its place.
static Value sumAtPlaces(Value matrix, Value places, OpBuilder &b,
                         Location loc) {
  auto type = cast<RankedTensorType>(matrix.getType());
  Type element = type.getElementType();
  // -0.0 changes no float that it is added to.
  TypedAttr zero = isa<FloatType>(element)
                       ? TypedAttr(b.getFloatAttr(element, -0.0))
                       : TypedAttr(b.getIntegerAttr(element, 0));
  Value nothing = arith::ConstantOp::create(b, loc, zero);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, places), element);
  Value start = linalg::FillOp::create(b, loc, nothing, empty).getResult(0);
  AffineExpr row = b.getAffineDimExpr(0), column = b.getAffineDimExpr(1);
  SmallVector<AffineMap> maps = {
      AffineMap::get(2, 0, {row, column}, b.getContext()),
      AffineMap::get(2, 0, row), AffineMap::get(2, 0, row)};
  return linalg::GenericOp::create(
             b, loc, TypeRange(empty.getType()), ValueRange{matrix, places},
             ValueRange(start), maps,
             {utils::IteratorType::parallel, utils::IteratorType::reduction},
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               Value at = linalg::IndexOp::create(nested, loc, 1);
               at = arith::IndexCastOp::create(nested, loc,
                                               arguments[1].getType(), at);
               Value is = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::eq, at, arguments[1]);
               Value counted = arith::SelectOp::create(nested, loc, is,
                                                       arguments[0], nothing);
               Value sum = isa<FloatType>(element)
                               ? arith::AddFOp::create(nested, loc, counted,
                                                       arguments[2])
                                     .getResult()
                               : arith::AddIOp::create(nested, loc, counted,
                                                       arguments[2])
                                     .getResult();
               linalg::YieldOp::create(nested, loc, sum);
             })
      .getResult(0);
}

int64_t mlir::pit::replaceRowLookups(func::FuncOp function) {
  int64_t count = 0;
  for (auto op : llvm::make_early_inc_range(
           function.getBody().front().getOps<linalg::GenericOp>())) {
    if (!op.hasPureTensorSemantics() || op.getNumLoops() != 1 ||
        op.getNumParallelLoops() != 1 || op.getNumDpsInits() != 1)
      continue;
    SmallVector<tensor::ExtractOp> lookups(
        op.getBlock()->getOps<tensor::ExtractOp>());
    if (lookups.size() != 1)
      continue;
    BlockArgument place = matchLookup(lookups[0], op);
    if (!place || !op.getIndexingMapsArray()[place.getArgNumber()].isIdentity())
      continue;
    OpBuilder b(op);
    // Another input in front of the others.
    Value found = sumAtPlaces(lookups[0].getTensor(),
                              op.getInputs()[place.getArgNumber()], b,
                              lookups[0].getLoc());
    op.getInputsMutable().append(found);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.insert(maps.end() - 1, b.getMultiDimIdentityMap(1));
    op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    Value argument = op.getBlock()->insertArgument(
        op.getNumDpsInputs() - 1, lookups[0].getType(), lookups[0].getLoc());
    lookups[0].replaceAllUsesWith(argument);
    lookups[0].erase();
    ++count;
  }
  return count;
}
