//===- LowerSparse.cpp - Marks become what they mean ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERSPARSE
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static TypedAttr getAbsentAttr(OpBuilder &builder, Absent absent, Type element, double undefFill) {
  if (auto type = dyn_cast<FloatType>(element)) {
    if (absent == Absent::NegInf)
      return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
    return FloatAttr::get(type, absent == Absent::Undef ? undefFill : 0.0);
  }
  return cast<TypedAttr>(builder.getZeroAttr(element));
}

/// Whether the point is live, given the pattern tensor's element `by` (an index for blocks is already applied).
static Value createIsLive(OpBuilder &b, Location loc, PatternAttr pattern, Value by, Value extent) {
  switch (pattern.getKind()) {
  case PatternKind::Mask:
  case PatternKind::Blocks:
    return by;
  case PatternKind::Routing: {
    Value zero = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(by.getType())));
    if (isa<FloatType>(by.getType()))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, by, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, by, zero);
  }
  case PatternKind::Lengths: {
    Value position = linalg::IndexOp::create(b, loc, pattern.getAxes()[1]);
    Value length = by;
    if (!by.getType().isIndex())
      length = arith::IndexCastOp::create(b, loc, b.getIndexType(), by);
    if (pattern.getPad() == Padding::Right)
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, position, length);
    Value first = arith::SubIOp::create(b, loc, extent, length);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, position, first);
  }
  case PatternKind::Values:
    break;
  }
  return Value();
}

static Value lowerMark(OpBuilder &builder, SparseOp mark, double undefFill) {
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
    extent = tensor::DimOp::create(builder, loc, mark.getSource(), pattern.getAxes()[1]);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, mark.getSource()), type.getElementType());
  Value absent = arith::ConstantOp::create(
      builder, loc, getAbsentAttr(builder, pattern.getAbsent(), type.getElementType(), undefFill));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), inputs, ValueRange(empty), maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value by = args[1];
               if (isBlocks) {
                 // The block of a point is a quotient, which no indexing map of an operand may hold.
                 SmallVector<Value> block;
                 for (int64_t i = 0; i < byRank; ++i) {
                   Value position = linalg::IndexOp::create(b, loc, pattern.getAxes()[i]);
                   Value tile = arith::ConstantIndexOp::create(b, loc, pattern.getTileExtent(i));
                   block.push_back(arith::DivUIOp::create(b, loc, position, tile));
                 }
                 by = tensor::ExtractOp::create(b, loc, mark.getBy(), block);
               }
               Value live = createIsLive(b, loc, pattern, by, extent);
               Value value = arith::SelectOp::create(b, loc, live, args[0], absent);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

namespace {
struct PITLowerSparse : pit::impl::PITLowerSparseBase<PITLowerSparse> {
  using PITLowerSparseBase::PITLowerSparseBase;

  void runOnOperation() override {
    SmallVector<SparseOp> marks;
    getOperation().walk([&](SparseOp mark) { marks.push_back(mark); });
    for (SparseOp mark : marks) {
      OpBuilder builder(mark);
      bool isValues = mark.getPattern().getKind() == PatternKind::Values;
      Value meaning = isValues ? mark.getSource() : lowerMark(builder, mark, undefFill);
      mark.getResult().replaceAllUsesWith(meaning);
      mark.erase();
    }
  }
};
} // namespace
