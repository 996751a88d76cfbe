//===- LowerSparse.cpp - Marks become what they mean ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerSparse.h"

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERSPARSE
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What an undef element holds: `fill`, times a factor between 1 and 2 that
/// varies with the position without any regularity, so that several fills give
/// different results wherever undef elements are read. A fill of 0 is 0
/// everywhere.
static Value createUndefValue(OpBuilder &b, Location loc, Type element,
                              int64_t rank, double fill) {
  if (fill == 0.0)
    return arith::ConstantOp::create(b, loc,
                                     cast<TypedAttr>(b.getZeroAttr(element)));
  constexpr int64_t kPrimes[] = {31, 37, 41, 43, 47, 53};
  constexpr int64_t kNumSteps = 61;
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value).getResult();
  };
  Value sum = constant(1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value position = linalg::IndexOp::create(b, loc, dim);
    Value term = arith::MulIOp::create(
        b, loc, position, constant(kPrimes[dim % std::size(kPrimes)]));
    sum = arith::AddIOp::create(b, loc, sum, term);
  }
  Value square = arith::MulIOp::create(b, loc, sum, sum);
  Value step = arith::IndexCastOp::create(
      b, loc, b.getI64Type(),
      arith::RemUIOp::create(b, loc, square, constant(kNumSteps)).getResult());
  if (auto type = dyn_cast<FloatType>(element)) {
    Value ratio = arith::SIToFPOp::create(b, loc, b.getF64Type(), step);
    Value scale =
        arith::ConstantOp::create(b, loc, b.getF64FloatAttr(fill / kNumSteps));
    Value offset = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(fill));
    Value value = arith::AddFOp::create(
        b, loc, arith::MulFOp::create(b, loc, ratio, scale), offset);
    if (type.getWidth() == 64)
      return value;
    return arith::TruncFOp::create(b, loc, type, value);
  }
  // Not even under all fills, so that single bits vary, too.
  int64_t factor = std::isfinite(fill) ? static_cast<int64_t>(fill * 8) : 1;
  step = arith::MulIOp::create(
      b, loc, step,
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(factor)));
  step = arith::AddIOp::create(
      b, loc, step,
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(fill < 0)));
  if (element.isIndex())
    return arith::IndexCastOp::create(b, loc, element, step);
  if (element.getIntOrFloatBitWidth() == 64)
    return step;
  return element.getIntOrFloatBitWidth() > 64
             ? arith::ExtUIOp::create(b, loc, element, step).getResult()
             : arith::TruncIOp::create(b, loc, element, step).getResult();
}

static Value createAbsentValue(OpBuilder &b, Location loc, Absent absent,
                               RankedTensorType type, double undefFill) {
  Type element = type.getElementType();
  if (absent == Absent::Undef)
    return createUndefValue(b, loc, element, type.getRank(), undefFill);
  if (absent == Absent::NegInf) {
    auto floatType = cast<FloatType>(element);
    auto infinity =
        APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/true);
    return arith::ConstantOp::create(b, loc,
                                     FloatAttr::get(floatType, infinity));
  }
  return arith::ConstantOp::create(b, loc,
                                   cast<TypedAttr>(b.getZeroAttr(element)));
}

/// Whether the point is live, given the pattern tensor's element `by`; `extent`
/// is that of the positions of lengths.
static Value createIsPointLive(OpBuilder &b, Location loc, PatternAttr pattern,
                               Value by, Value extent) {
  if (pattern.getKind() != PatternKind::Lengths)
    return createIsLive(b, loc, pattern, by);
  Value length = by;
  if (!by.getType().isIndex())
    length = arith::IndexCastOp::create(b, loc, b.getIndexType(), by);
  Value position = linalg::IndexOp::create(b, loc, pattern.getAxes()[1]);
  return createIsInside(b, loc, pattern.getPad(), position, length, extent);
}

Value mlir::pit::lowerMark(OpBuilder &builder, SparseOp mark,
                           double undefFill) {
  Location loc = mark.getLoc();
  PatternAttr pattern = mark.getPattern();
  auto type = cast<RankedTensorType>(mark.getType());
  MLIRContext *ctx = builder.getContext();

  int64_t byRank = cast<RankedTensorType>(mark.getBy().getType()).getRank();
  SmallVector<AffineExpr> byExprs;
  for (int64_t i = 0; i < byRank; ++i)
    byExprs.push_back(getAffineDimExpr(pattern.getAxes()[i], ctx));
  bool isBlocks = pattern.getKind() == PatternKind::Blocks;
  AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), ctx);
  SmallVector<AffineMap> maps{identity};
  SmallVector<Value> inputs{mark.getSource()};
  if (!isBlocks) {
    maps.push_back(AffineMap::get(type.getRank(), 0, byExprs, ctx));
    inputs.push_back(mark.getBy());
  }
  maps.push_back(identity);
  Value extent;
  if (pattern.getKind() == PatternKind::Lengths)
    extent = tensor::DimOp::create(builder, loc, mark.getSource(),
                                   pattern.getAxes()[1]);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, mark.getSource()),
      type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), inputs, ValueRange(empty), maps,
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value by = args[1];
               if (isBlocks) {
                 // The block of a point is a quotient, which no indexing map of
                 // an operand may hold.
                 SmallVector<Value> block;
                 for (int64_t i = 0; i < byRank; ++i) {
                   Value position =
                       linalg::IndexOp::create(b, loc, pattern.getAxes()[i]);
                   Value tile = arith::ConstantIndexOp::create(
                       b, loc, pattern.getTileExtent(i));
                   block.push_back(
                       arith::DivUIOp::create(b, loc, position, tile));
                 }
                 by = tensor::ExtractOp::create(b, loc, mark.getBy(), block);
               }
               Value live = createIsPointLive(b, loc, pattern, by, extent);
               Value absent = createAbsentValue(b, loc, pattern.getAbsent(),
                                                type, undefFill);
               Value value =
                   arith::SelectOp::create(b, loc, live, args[0], absent);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

/// NaN swallows what undef elements hold, so that two fills look the same
/// behind it. Where propagation finds an element of a result undef, NaN is
/// replaced by an undef value.
static void markUndefNaNs(func::FuncOp func, double undefFill) {
  SparsityPropagation propagation(func, PropagationOptions());
  for (OpOperand &returned :
       func.getBody().front().getTerminator()->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(returned.get().getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      continue;
    for (const SparseFact &fact :
         SmallVector<SparseFact>(propagation.getFacts(returned.get()))) {
      const SparsePattern &pattern = propagation.getPatterns()[fact.pattern];
      if (fact.dead.kind != DeadValue::Undef || pattern.getBase())
        continue;
      Location loc = pattern.loc;
      OpBuilder builder(returned.getOwner());
      SmallVector<OpFoldResult> extents;
      for (int64_t axis : pattern.attr.getAxes().asArrayRef())
        extents.push_back(
            tensor::getMixedSize(builder, loc, pattern.carrier, axis));
      Value mask = createPatternMask(builder, loc, pattern.attr,
                                     pattern.getSource(), extents);
      if (!mask)
        continue;
      SmallVector<AffineExpr> exprs;
      for (int64_t dim : fact.dims)
        exprs.push_back(builder.getAffineDimExpr(dim));
      AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
      Value empty = tensor::EmptyOp::create(
          builder, loc, tensor::getMixedSizes(builder, loc, returned.get()),
          type.getElementType());
      auto select = linalg::GenericOp::create(
          builder, loc, TypeRange(empty.getType()),
          ValueRange{mask, returned.get()}, ValueRange(empty),
          ArrayRef<AffineMap>{
              AffineMap::get(type.getRank(), 0, exprs, builder.getContext()),
              identity, identity},
          SmallVector<utils::IteratorType>(type.getRank(),
                                           utils::IteratorType::parallel),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value isNumber = arith::CmpFOp::create(
                b, loc, arith::CmpFPredicate::ORD, args[1], args[1]);
            Value keeps = arith::OrIOp::create(b, loc, args[0], isNumber);
            Value undef = createUndefValue(b, loc, type.getElementType(),
                                           type.getRank(), undefFill);
            linalg::YieldOp::create(
                b, loc,
                arith::SelectOp::create(b, loc, keeps, args[1], undef)
                    .getResult());
          });
      Value result = select.getResult(0);
      if (result.getType() != type)
        result = tensor::CastOp::create(builder, loc, type, result);
      returned.set(result);
    }
  }
}

namespace {
struct PITLowerSparse : pit::impl::PITLowerSparseBase<PITLowerSparse> {
  using PITLowerSparseBase::PITLowerSparseBase;

  void runOnOperation() override {
    if (undefNaN && getOperation().getBody().hasOneBlock())
      markUndefNaNs(getOperation(), undefFill);
    SmallVector<SparseOp> marks;
    getOperation().walk([&](SparseOp mark) { marks.push_back(mark); });
    for (SparseOp mark : marks) {
      OpBuilder builder(mark);
      // What was inferred changes no result either.
      bool changesNothing =
          mark.getPattern().getKind() == PatternKind::Values ||
          mark->hasAttr(kKeptMark);
      Value meaning = changesNothing ? mark.getSource()
                                     : lowerMark(builder, mark, undefFill);
      mark.getResult().replaceAllUsesWith(meaning);
      mark.erase();
    }
  }
};
} // namespace
