//===- LogitMask.cpp - Where logits of attention are no low numbers -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogitMask.h"

#include "PatternIndexes.h"

#include "PIT/Analysis/RegionAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Clones an op of a region; where a select writes the lowest number of f16, it
/// is the -inf that it stands for.
static void cloneWithInf(OpBuilder &builder, Operation &op,
                         IRMapping &mapping) {
  Operation *copy = builder.clone(op, mapping);
  if (!isa<arith::SelectOp>(copy))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  for (OpOperand &arm : copy->getOpOperands().drop_front()) {
    Attribute constant;
    if (matchPattern(arm.get(), m_Constant(&constant)) &&
        isLowestOfF16(constant))
      arm.set(arith::ConstantOp::create(
          builder, op.getLoc(),
          builder.getFloatAttr(arm.get().getType(),
                               -std::numeric_limits<double>::infinity())));
  }
}

Value mlir::pit::createLogitMask(AttendOp op, const SparsePattern &pattern,
                                 function_ref<Value(Value)> getWhole) {
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToStart(pattern.home);
  Location loc = op.getLoc();
  SmallVector<int64_t> axes = getLogitAxes(op);
  SmallVector<AffineExpr> places(op.getNumAxes(),
                                 builder.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> extents;
  for (auto [place, axis] : llvm::enumerate(axes)) {
    places[axis] = builder.getAffineDimExpr(place);
    for (unsigned i = 0, e = op.getMaps().size(); i < e; ++i)
      if (std::optional<unsigned> dim = op.getDimension(i, axis)) {
        // An operand that is there before keys and values are.
        bool isModifier = i >= 3 && i + 1 < e;
        if (extents.size() == place)
          extents.emplace_back();
        if (!extents.back() || isModifier)
          extents.back() = getExtent(builder, loc, op->getOperand(i), *dim);
      }
  }
  SmallVector<AffineMap> maps;
  for (unsigned i = 0, e = op.getModifiers().size(); i < e; ++i)
    maps.push_back(
        op.getModifierMap(i).replaceDimsAndSymbols(places, {}, axes.size(), 0));
  maps.push_back(builder.getMultiDimIdentityMap(axes.size()));
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, builder.getI1Type());
  SmallVector<utils::IteratorType> parallel(axes.size(),
                                            utils::IteratorType::parallel);
  SmallVector<Value> modifiers =
      llvm::map_to_vector(op.getModifiers(), getWhole);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), modifiers, empty, maps,
             parallel,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               IRMapping mapping;
               auto type = cast<FloatType>(op.getScoreArgument().getType());
               mapping.map(op.getScoreArgument(),
                           arith::ConstantOp::create(
                               nested, loc, nested.getFloatAttr(type, 0)));
               for (unsigned i = 0, e = op.getModifiers().size(); i < e; ++i)
                 mapping.map(op.getModifierArgument(i), args[i]);
               for (auto [place, axis] : llvm::enumerate(axes))
                 mapping.map(op.getPosition(axis),
                             linalg::IndexOp::create(nested, loc, place));
               Block &body = op.getRegion().front();
               for (Operation &inside : body.without_terminator())
                 cloneWithInf(nested, inside, mapping);
               Value low = arith::ConstantOp::create(
                   nested, loc, nested.getFloatAttr(type, kHighestLowNumber));
               Value logit =
                   mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
               linalg::YieldOp::create(
                   nested, loc,
                   arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OGT,
                                         logit, low)
                       .getResult());
             })
      .getResult(0);
}
