//===- PlacedLookups.cpp - Lookups at places that are known ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedLookups.h"

#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Replaces what the extents of loops decide.
struct FoldByExtents : OpRewritePattern<linalg::GenericOp> {
  FoldByExtents(MLIRContext *context, StringRef excluded)
      : OpRewritePattern(context), excluded(excluded) {}
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;
  StringRef excluded;
};

/// Makes an operand of what is looked up at places of loops.
struct LookupToOperand : OpRewritePattern<linalg::GenericOp> {
  LookupToOperand(MLIRContext *context, StringRef excluded)
      : OpRewritePattern(context), excluded(excluded) {}
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;
  StringRef excluded;
};

} // namespace

LogicalResult FoldByExtents::matchAndRewrite(linalg::GenericOp op,
                                             PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op->hasAttr(excluded))
    return failure();
  PlaceRanges ranges;
  bool changed = false;
  for (Operation &nested :
       llvm::make_early_inc_range(op.getBlock()->without_terminator())) {
    if (auto compare = dyn_cast<arith::CmpIOp>(nested)) {
      std::optional<APInt> value = ranges.getConstant(compare);
      if (!value)
        continue;
      rewriter.setInsertionPoint(compare);
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          compare, rewriter.getBoolAttr(!value->isZero()));
      changed = true;
    } else if (auto assertion = dyn_cast<cf::AssertOp>(nested)) {
      if (!matchPattern(assertion.getArg(), m_One()))
        continue;
      rewriter.eraseOp(assertion);
      changed = true;
    } else if (auto select = dyn_cast<arith::SelectOp>(nested)) {
      // Of what was decided before.
      bool isTrue = matchPattern(select.getCondition(), m_One());
      if (!isTrue && !matchPattern(select.getCondition(), m_Zero()))
        continue;
      rewriter.replaceOp(select, isTrue ? select.getTrueValue()
                                        : select.getFalseValue());
      changed = true;
    }
  }
  return success(changed);
}

/// The loop whose place a value is, or a place that is constant; null for
/// others.
static AffineExpr getPlace(Value value) {
  while (Operation *cast = value.getDefiningOp()) {
    // Places are not negative, and no larger than a tensor: other extensions
    // and truncations do not matter to them.
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(cast))
      break;
    value = cast->getOperand(0);
    // What does not fit would wrap around.
    if (auto type = dyn_cast<IntegerType>(value.getType());
        type && type.getWidth() < 32)
      return {};
  }
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return getAffineDimExpr(index.getDim(), value.getContext());
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && !constant.isNegative())
    return getAffineConstantExpr(constant.getSExtValue(), value.getContext());
  return {};
}

/// Where an extraction reads by the loops, if it reads all of the source along
/// those: a map that an operand may have.
static std::optional<AffineMap> getLookupMap(tensor::ExtractOp extract,
                                             linalg::GenericOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  SmallVector<AffineExpr> places;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    AffineExpr place = getPlace(index);
    int64_t extent = type.getDimSize(dim);
    if (!place || ShapedType::isDynamic(extent))
      return std::nullopt;
    auto loop = dyn_cast<AffineDimExpr>(place);
    auto constant = dyn_cast<AffineConstantExpr>(place);
    if (loop ? extents[loop.getPosition()] != extent
             : constant.getValue() >= extent)
      return std::nullopt;
    places.push_back(place);
  }
  return AffineMap::get(op.getNumLoops(), 0, places, op.getContext());
}

LogicalResult
LookupToOperand::matchAndRewrite(linalg::GenericOp op,
                                 PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op->hasAttr(excluded))
    return failure();
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    if (!op->getParentRegion()->isAncestor(
            extract.getTensor().getParentRegion()) &&
        !extract.getTensor().getParentRegion()->isAncestor(
            op->getParentRegion()))
      continue;
    std::optional<AffineMap> map = getLookupMap(extract, op);
    if (!map)
      continue;
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    unsigned place = inputs.size();
    inputs.push_back(extract.getTensor());
    maps.insert(maps.begin() + place, *map);
    auto result = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(),
        maps, op.getIteratorTypesArray());
    result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), result.getRegion(),
                                result.getRegion().begin());
    BlockArgument element = result.getBlock()->insertArgument(
        place, extract.getType(), extract.getLoc());
    rewriter.replaceOp(extract, element);
    rewriter.replaceOp(op, result);
    return success();
  }
  return failure();
}

void mlir::pit::populatePlacedLookupsPatterns(RewritePatternSet &patterns,
                                              StringRef excluded) {
  patterns.add<FoldByExtents, LookupToOperand>(patterns.getContext(), excluded);
}
