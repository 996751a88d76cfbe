//===- PlacedLookups.cpp - Lookups at places that are known ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedLookups.h"

#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
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

/// Looks up in front of a reshape what is looked up behind it, where loops and
/// constants say the place there: heads of sequences are joined for a product,
/// and `[sequence * heads + head, ...]` is `[sequence, head, ...]`.
struct LookupThroughReshape : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override;
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

/// The loop whose place a value is, perhaps with a number added, or a place
/// that is constant; null for others.
static AffineExpr getPlace(Value value) {
  MLIRContext *context = value.getContext();
  if (std::optional<int64_t> loop = getLoopOfPlace(value))
    return getAffineDimExpr(*loop, context);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && !constant.isNegative())
    return getAffineConstantExpr(constant.getSExtValue(), context);
  while (value.getDefiningOp<arith::IndexCastOp>())
    value = value.getDefiningOp()->getOperand(0);
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || !matchPattern(sum.getRhs(), m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 32)
    return {};
  if (std::optional<int64_t> loop = getLoopOfPlace(sum.getLhs()))
    return getAffineDimExpr(*loop, context) + constant.getSExtValue();
  return {};
}

namespace {

/// The part of a tensor that loops look up in, and how they index it.
struct LookedUpPart {
  SmallVector<OpFoldResult> offsets, sizes;
  AffineMap map;
  bool isWhole = true;
};

} // namespace

/// What an extraction reads by the loops, if none of its places lies outside
/// and each loop's extent is known: an operand may have such a map.
static std::optional<LookedUpPart> getLookedUpPart(tensor::ExtractOp extract,
                                                   linalg::GenericOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  Builder b(op.getContext());
  LookedUpPart part;
  SmallVector<AffineExpr> places;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    AffineExpr place = getPlace(index);
    int64_t extent = type.getDimSize(dim);
    if (!place || ShapedType::isDynamic(extent))
      return std::nullopt;
    int64_t first = 0, size = extent;
    if (auto constant = dyn_cast<AffineConstantExpr>(place)) {
      if (constant.getValue() >= extent)
        return std::nullopt;
    } else {
      if (auto sum = dyn_cast<AffineBinaryOpExpr>(place)) {
        first = cast<AffineConstantExpr>(sum.getRHS()).getValue();
        place = sum.getLHS();
      }
      size = extents[cast<AffineDimExpr>(place).getPosition()];
      if (ShapedType::isDynamic(size) || first < 0 || first > extent - size)
        return std::nullopt;
    }
    part.isWhole &= size == extent;
    part.offsets.push_back(b.getIndexAttr(first));
    part.sizes.push_back(b.getIndexAttr(size));
    places.push_back(place);
  }
  part.map = AffineMap::get(op.getNumLoops(), 0, places, op.getContext());
  return part;
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
    std::optional<LookedUpPart> part = getLookedUpPart(extract, op);
    if (!part)
      continue;
    Value tensor = extract.getTensor();
    if (!part->isWhole)
      tensor = tensor::ExtractSliceOp::create(
          rewriter, extract.getLoc(), tensor, part->offsets, part->sizes,
          SmallVector<OpFoldResult>(part->sizes.size(),
                                    rewriter.getIndexAttr(1)));
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    unsigned place = inputs.size();
    inputs.push_back(tensor);
    maps.insert(maps.begin() + place, part->map);
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

/// A place as a sum of places of loops, each times a number, if it is one.
static std::optional<SmallVector<std::pair<Value, int64_t>>>
getTerms(Value place) {
  using Terms = SmallVector<std::pair<Value, int64_t>>;
  if (getLoopOfPlace(place))
    return Terms{{place, 1}};
  auto apply = place.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  AffineMap map = apply.getAffineMap();
  // Such as a remainder by a symbol, on which flattening fails hard.
  if (!map.getResult(0).isPureAffine())
    return std::nullopt;
  SmallVector<int64_t> coefficients;
  if (failed(getFlattenedAffineExpr(map.getResult(0), map.getNumDims(),
                                    map.getNumSymbols(), &coefficients)) ||
      coefficients.size() != map.getNumInputs() + 1 || coefficients.back() != 0)
    return std::nullopt;
  Terms terms;
  for (auto [operand, coefficient] :
       llvm::zip(apply.getMapOperands(), coefficients)) {
    if (coefficient == 0)
      continue;
    if (!getLoopOfPlace(operand))
      return std::nullopt;
    terms.push_back({operand, coefficient});
  }
  return terms;
}

/// The place in each dimension of a group that a reshape joins: the one of the
/// loop with its stride, over its extent; null where there is one place.
static std::optional<SmallVector<Value>> splitPlace(Value place,
                                                    RankedTensorType wide,
                                                    ArrayRef<int64_t> group,
                                                    linalg::GenericOp op) {
  auto terms = getTerms(place);
  if (!terms)
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<Value> places(group.size());
  size_t used = 0;
  int64_t stride = 1;
  for (size_t i = group.size(); i-- > 0;) {
    int64_t extent = wide.getDimSize(group[i]);
    if (extent == 1)
      continue;
    auto *term = llvm::find_if(*terms, [&](const auto &candidate) {
      return candidate.second == stride &&
             extents[*getLoopOfPlace(candidate.first)] == extent;
    });
    // Behind an extent that is not known, strides are not.
    if (term == terms->end() || ShapedType::isDynamic(stride))
      return std::nullopt;
    places[i] = term->first;
    ++used;
    stride =
        ShapedType::isDynamic(extent) ? ShapedType::kDynamic : stride * extent;
  }
  return used == terms->size() ? std::optional(places) : std::nullopt;
}

/// The places of a lookup in what a collapse joins.
static std::optional<SmallVector<Value>>
splitPlaces(tensor::CollapseShapeOp collapse, ValueRange indices,
            linalg::GenericOp op) {
  SmallVector<Value> places;
  for (auto [index, group] :
       llvm::zip(indices, collapse.getReassociationIndices())) {
    if (group.size() == 1) {
      places.push_back(index);
      continue;
    }
    auto split = splitPlace(index, collapse.getSrcType(), group, op);
    if (!split)
      return std::nullopt;
    places.append(*split);
  }
  return places;
}

/// The places of a lookup in what an expansion by extents of 1 is made of. Of
/// several dimensions with more than one place, it would be a sum.
static std::optional<SmallVector<Value>>
joinPlaces(tensor::ExpandShapeOp expand, ValueRange indices) {
  SmallVector<Value> places;
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    SmallVector<int64_t> wide = llvm::filter_to_vector(group, [&](int64_t dim) {
      return expand.getResultType().getDimSize(dim) != 1;
    });
    if (wide.size() > 1)
      return std::nullopt;
    places.push_back(indices[wide.empty() ? group.front() : wide.front()]);
  }
  return places;
}

LogicalResult
LookupThroughReshape::matchAndRewrite(tensor::ExtractOp extract,
                                      PatternRewriter &rewriter) const {
  auto op = dyn_cast<linalg::GenericOp>(extract->getParentOp());
  Operation *reshape = extract.getTensor().getDefiningOp();
  if (!op || !op.hasPureTensorSemantics() || !reshape ||
      op->isAncestor(reshape))
    return failure();
  std::optional<SmallVector<Value>> places;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape))
    places = splitPlaces(collapse, extract.getIndices(), op);
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
    places = joinPlaces(expand, extract.getIndices());
  if (!places)
    return failure();
  for (Value &place : *places)
    if (!place)
      place = arith::ConstantIndexOp::create(rewriter, extract.getLoc(), 0);
  rewriter.replaceOpWithNewOp<tensor::ExtractOp>(
      extract, reshape->getOperand(0), *places);
  return success();
}

void mlir::pit::populatePlacedLookupsPatterns(RewritePatternSet &patterns,
                                              StringRef excluded) {
  patterns.add<LookupThroughReshape>(patterns.getContext());
  patterns.add<FoldByExtents, LookupToOperand>(patterns.getContext(), excluded);
}
