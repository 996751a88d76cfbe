//===- PatternIndexes.cpp - Builds and shares the index of each pattern ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternIndexes.h"

#include "LogitMask.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

/// The same number without extents of results of ops: those that are restricted
/// by a pattern are computed behind its index, which needs its extents.
static OpFoldResult settle(OpBuilder &builder, Location loc,
                           OpFoldResult number) {
  auto value = dyn_cast<Value>(number);
  Operation *def = value ? value.getDefiningOp() : nullptr;
  if (!def)
    return number;
  if (auto dim = dyn_cast<tensor::DimOp>(def)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    bool isKnown = axis && type && *axis >= 0 && *axis < type.getRank() &&
                   dim.getSource().getDefiningOp();
    return isKnown ? pit::getExtent(builder, loc, dim.getSource(), *axis)
                   : number;
  }
  bool isArithmetic =
      isa<arith::ArithDialect, affine::AffineDialect>(def->getDialect());
  if (!isArithmetic || def->getNumRegions() != 0)
    return number;
  IRMapping mapping;
  bool changes = false;
  for (Value operand : def->getOperands()) {
    OpFoldResult settled = settle(builder, loc, operand);
    if (settled == OpFoldResult(operand))
      continue;
    changes = true;
    mapping.map(operand,
                getValueOrCreateConstantIndexOp(builder, loc, settled));
  }
  if (!changes)
    return number;
  unsigned result = cast<OpResult>(value).getResultNumber();
  return builder.clone(*def, mapping)->getResult(result);
}

OpFoldResult pit::getExtent(OpBuilder &builder, Location loc, Value value,
                            int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  while (Operation *def = value.getDefiningOp()) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(def))
      return settle(builder, loc, empty.getMixedSizes()[dim]);
    if (auto mark = dyn_cast<SparseOp>(def))
      value = mark.getSource();
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(def))
      value = destination.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto movement =
                 isDataMovement(def)
                     ? dyn_cast<ReifyRankedShapedTypeOpInterface>(def)
                     : ReifyRankedShapedTypeOpInterface()) {
      // The op itself may not be there in the end.
      ReifiedRankedShapedTypeDims extents;
      if (failed(movement.reifyResultShapes(builder, extents)))
        break;
      return settle(builder, loc, extents[0][dim]);
    } else
      break;
  }
  return tensor::DimOp::create(builder, loc, value, dim).getResult();
}

PatternIndexes::PatternIndexes(const SparsityPropagation &propagation,
                               FunctionOpInterface func, bool productsReadBits,
                               std::function<Value(Value)> getWhole)
    : propagation(propagation), productsReadBits(productsReadBits),
      getWhole(std::move(getWhole)), indexes(propagation.getPatterns().size()),
      masks(indexes.size()) {
  for (unsigned id = 0; id < indexes.size(); ++id)
    coordinates.push_back(chooseCoordinate(id, func));
}

/// Elements of an operand that are moved for each listed micro-tile when
/// `coordinate` is listed: nothing when the operand does not vary along it.
static double gatheredElements(linalg::LinalgOp op, OpOperand &operand,
                               ArrayRef<int64_t> axes, unsigned coordinate,
                               PatternAttr attr) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(axes[coordinate]))
    return 0;
  // An operand that varies along every axis of the pattern moves the same data
  // whichever is listed.
  if (llvm::all_of(axes,
                   [&](int64_t axis) { return map.isFunctionOfDim(axis); }))
    return 0;
  constexpr double kUnknownExtent = 512;
  double elements = 1;
  auto type = cast<ShapedType>(operand.get().getType());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto axisExpr = dyn_cast<AffineDimExpr>(expr);
    const auto *it =
        axisExpr ? llvm::find(axes, axisExpr.getPosition()) : axes.end();
    if (it != axes.end())
      elements *= attr.getTileExtent(it - axes.begin());
    else
      elements *=
          type.isDynamicDim(dim) ? kUnknownExtent : type.getDimSize(dim);
  }
  // A destination is read and written.
  return op.isDpsInit(&operand) ? 2 * elements : elements;
}

/// Whether all that the pattern restricts are results that are sampled where it
/// is live, in blocks. Packed by the first dimension, those lie as they do in
/// the tensor, and tiles of all ops are alike. Kernels that read bits of blocks
/// do not ask which dimension is listed.
bool PatternIndexes::samplesBlocks(unsigned pattern,
                                   FunctionOpInterface func) const {
  PatternAttr attr = propagation.getPatterns()[pattern].attr;
  for (unsigned dim = 0; dim < attr.getRank(); ++dim)
    if (attr.getTileExtent(dim) == 1)
      return false;
  bool anySampled = false;
  WalkResult result = func.getFunctionBody().walk([&](linalg::LinalgOp op) {
    const Restriction *restriction = propagation.getRestriction(op);
    if (!restriction || restriction->pattern != pattern)
      return WalkResult::advance();
    if (restriction->reason == Restriction::Demand)
      anySampled |= isProduct(op);
    else if (!productsReadBits)
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return anySampled && !result.wasInterrupted();
}

unsigned PatternIndexes::chooseCoordinate(unsigned pattern,
                                          FunctionOpInterface func) const {
  PatternAttr attr = propagation.getPatterns()[pattern].attr;
  unsigned rank = attr.getRank();
  // What is packed behind a reshape is so in the same order.
  ArrayRef<SparsePattern> patterns = propagation.getPatterns();
  for (unsigned other = 0; other < patterns.size(); ++other)
    if (patterns[other].isMoved() &&
        propagation.getRoot(other) == propagation.getRoot(pattern))
      return rank - 1;
  if (rank == 2 && samplesBlocks(pattern, func))
    return 0;
  // An elementwise op moves a row for each row that it computes, whichever is
  // listed; a product may read a matrix for it, and a sum writes a row. So the
  // latter decide only where there is nothing else.
  enum Kind { Product, Sum, Elementwise };
  std::array<SmallVector<double>, 3> costs;
  costs.fill(SmallVector<double>(rank, 0));
  std::array<bool, 3> found = {};
  func.getFunctionBody().walk([&](linalg::LinalgOp op) {
    const Restriction *restriction = propagation.getRestriction(op);
    if (!restriction || restriction->pattern != pattern)
      return;
    Kind kind = isProduct(op)                    ? Product
                : op.getNumReductionLoops() != 0 ? Sum
                                                 : Elementwise;
    found[kind] = true;
    for (OpOperand &operand : op->getOpOperands())
      for (unsigned i = 0; i < rank; ++i)
        costs[kind][i] +=
            gatheredElements(op, operand, restriction->axes, i, attr);
  });
  ArrayRef<double> cost = costs[found[Product] ? Product
                                : found[Sum]   ? Sum
                                               : Elementwise];
  // Ties go to the last dimension, the one that is contiguous in the pattern.
  unsigned best = rank - 1;
  for (unsigned i = 0; i < rank; ++i)
    if (cost[i] < cost[best])
      best = i;
  return best;
}

/// Behind the value that an index or a mask is made of, or, where that comes
/// from outside, at the start of the block in which the pattern is marked: a
/// branch that is not taken finds nothing. Blocks are sorted in the end.
static void setInsertionPointAfter(OpBuilder &builder, Value source,
                                   const SparsePattern &pattern) {
  if (source.getParentBlock() == pattern.home)
    builder.setInsertionPointAfterValue(source);
  else
    builder.setInsertionPointToStart(pattern.home);
}

SmallVector<OpFoldResult> PatternIndexes::getExtents(OpBuilder &builder,
                                                     unsigned id) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  SmallVector<OpFoldResult> extents;
  for (auto [i, extent] : llvm::enumerate(pattern.extents)) {
    if (!ShapedType::isDynamic(extent)) {
      extents.push_back(builder.getIndexAttr(extent));
      continue;
    }
    if (pattern.reshaped) {
      // All points, by those of the other dimensions.
      AffineExpr count = builder.getAffineConstantExpr(1);
      SmallVector<OpFoldResult> all = getExtents(builder, *pattern.reshaped);
      for (unsigned dim = 0, e = all.size(); dim < e; ++dim)
        count = count * builder.getAffineSymbolExpr(dim);
      int64_t others = 1;
      for (int64_t other : pattern.extents)
        others *= ShapedType::isDynamic(other) ? 1 : other;
      // Without points, there is any number of nothing.
      count = count.floorDiv(std::max<int64_t>(others, 1));
      extents.push_back(affine::makeComposedFoldedAffineApply(
          builder, pattern.loc, AffineMap::get(0, all.size(), count), all));
      continue;
    }
    if (pattern.padded || !pattern.parts.empty()) {
      // Padding is along dimensions that are known.
      extents.push_back(getExtents(builder, *pattern.getBase())[i]);
      continue;
    }
    int64_t byDim =
        pattern.projected ? pattern.kept[i] : static_cast<int64_t>(i);
    bool byHasExtent =
        pattern.by && pattern.attr.getKind() != PatternKind::Blocks &&
        byDim < cast<RankedTensorType>(pattern.by.getType()).getRank();
    extents.push_back(byHasExtent
                          ? getExtent(builder, pattern.loc, pattern.by, byDim)
                          : getExtent(builder, pattern.loc, pattern.carrier,
                                      pattern.attr.getAxes()[i]));
  }
  return extents;
}

Value PatternIndexes::getSource(unsigned id) const {
  return getWhole(propagation.getPatterns()[id].getSource());
}

/// The mask of a pattern in a larger space.
Value PatternIndexes::createPadded(unsigned id, Value mask) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  OpBuilder builder(mask.getContext());
  setInsertionPointAfter(builder, mask, pattern);
  return createPaddedMask(builder, pattern.loc, mask, getExtents(builder, id),
                          pattern.before);
}

/// The points of one of the parts, or of all; `getPart` gives their masks.
Value PatternIndexes::createCombined(unsigned id,
                                     function_ref<Value(unsigned)> getPart) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  Value combined;
  for (unsigned part : pattern.parts) {
    Value mask = getPart(part);
    if (!combined) {
      combined = mask;
      continue;
    }
    OpBuilder builder(mask.getContext());
    setInsertionPointAfter(builder, mask, pattern);
    combined = pattern.combination == Combination::AnyOf
                   ? createUnitedMask(builder, pattern.loc, combined, mask)
                   : createMaskWithin(builder, pattern.loc, combined, mask,
                                      llvm::to_vector(llvm::seq<int64_t>(
                                          0, pattern.extents.size())));
  }
  return combined;
}

Value PatternIndexes::getMask(unsigned id) {
  if (masks[id])
    return masks[id];
  const SparsePattern &pattern = propagation.getPatterns()[id];
  OpBuilder builder(pattern.getSource().getContext());
  if (pattern.projected && pattern.by) {
    Value base = getMask(*pattern.projected);
    if (!base)
      return Value();
    setInsertionPointAfter(builder, base, pattern);
    return masks[id] = createAnyOf(builder, pattern.loc, base, pattern.kept);
  }
  if (pattern.reshaped) {
    Value base = getMask(*pattern.reshaped);
    setInsertionPointAfter(builder, base, pattern);
    return masks[id] =
               createReshapedMask(builder, pattern.loc, base, pattern.extents);
  }
  if (pattern.padded)
    return masks[id] = createPadded(id, getMask(*pattern.padded));
  if (!pattern.parts.empty())
    return masks[id] =
               createCombined(id, [&](unsigned part) { return getMask(part); });
  Value source = getSource(id);
  setInsertionPointAfter(builder, source, pattern);
  SmallVector<OpFoldResult> extents;
  if (pattern.attr.getKind() == PatternKind::Lengths)
    extents = getExtents(builder, id);
  return masks[id] = createPatternMask(builder, pattern.loc, pattern.attr,
                                       source, extents);
}

Value PatternIndexes::getListedMask(unsigned id) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  OpBuilder builder(pattern.getSource().getContext());
  Value mask;
  if (pattern.projected) {
    // A line that is listed as a whole is live in what it is projected to.
    mask = getListedMask(*pattern.projected);
    setInsertionPointAfter(builder, mask, pattern);
    mask = createAnyOf(builder, pattern.loc, mask, pattern.kept);
  } else if (pattern.reshaped) {
    mask = getListedMask(*pattern.reshaped);
    setInsertionPointAfter(builder, mask, pattern);
    mask = createReshapedMask(builder, pattern.loc, mask, pattern.extents);
  } else if (pattern.padded) {
    mask = createPadded(id, getListedMask(*pattern.padded));
  } else if (!pattern.parts.empty()) {
    mask =
        createCombined(id, [&](unsigned part) { return getListedMask(part); });
  } else if (pattern.attr.getKind() == PatternKind::Blocks) {
    // Their bits stand for whole micro-tiles, and so do completed lines.
    mask = getSource(id);
  } else {
    mask = getMask(id);
  }
  if (pattern.within) {
    // Both may come from the block around, or be behind each other.
    Value other = getListedMask(*pattern.within);
    setInsertionPointAfter(builder, mask, pattern);
    return createMaskWithin(builder, pattern.loc, mask, other,
                            pattern.withinDims);
  }
  if (pattern.completed.empty())
    return mask;
  setInsertionPointAfter(builder, mask, pattern);
  mask = createCompletedMask(builder, pattern.loc, mask, pattern.completed);
  for (const EmptyLines &lines : pattern.completedBy) {
    Value narrower = lines.attention
                         ? createLogitMask(lines.attention, pattern, getWhole)
                         : getMask(lines.narrower);
    Value read = lines.read ? getMask(*lines.read) : Value();
    setInsertionPointAfter(builder, mask, pattern);
    mask = createCompletedMask(builder, pattern.loc, mask, lines.lines,
                               {narrower, lines.dims, read, lines.readDims});
  }
  return mask;
}

Value PatternIndexes::getIndex(unsigned id) {
  if (indexes[id])
    return indexes[id];
  const SparsePattern &pattern = propagation.getPatterns()[id];
  SmallVector<int64_t> tile;
  for (unsigned i = 0, e = pattern.attr.getRank(); i < e; ++i)
    tile.push_back(pattern.attr.getTileExtent(i));
  MLIRContext *ctx = pattern.attr.getContext();
  Builder attributes(ctx);
  auto type = SparseIndexType::get(
      ctx, attributes.getDenseI64ArrayAttr(pattern.extents), coordinates[id],
      attributes.getDenseI64ArrayAttr(tile), /*width=*/32);
  return indexes[id] = createDetect(id, type);
}

/// Detects the pattern from its own tensor where that says all, else from a
/// mask made of it.
Value PatternIndexes::createDetect(unsigned id, SparseIndexType type) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  PatternAttr attr = pattern.attr;
  Value source = getSource(id);
  OpBuilder builder(source.getContext());
  setInsertionPointAfter(builder, source, pattern);
  bool isMasked = !pattern.completed.empty() || pattern.isMoved() ||
                  !pattern.parts.empty() || pattern.within;
  if (pattern.projected)
    isMasked |=
        pattern.by ||
        !propagation.getPatterns()[*pattern.projected].completed.empty();
  if (attr.getKind() == PatternKind::Lengths && pattern.completedBy.empty() &&
      pattern.completed == SmallVector<int64_t>{1}) {
    // Stays a pattern of lengths, which detection checks.
    Value extent = getValueOrCreateConstantIndexOp(builder, pattern.loc,
                                                   getExtents(builder, id)[1]);
    source = createCompletedLengths(builder, pattern.loc, source, extent);
  } else if (isMasked) {
    source = getListedMask(id);
    setInsertionPointAfter(builder, source, pattern);
    bool isBlocks = attr.getKind() == PatternKind::Blocks;
    attr = PatternAttr::get(attr.getContext(),
                            isBlocks ? PatternKind::Blocks : PatternKind::Mask,
                            attr.getAxes(), attr.getAbsent(), attr.getPad(),
                            attr.getTile(), attr.getAtMost());
  }
  SmallVector<Value> dynamicExtents;
  for (auto [extent, mixed] :
       llvm::zip(pattern.extents, getExtents(builder, id)))
    if (ShapedType::isDynamic(extent))
      dynamicExtents.push_back(
          getValueOrCreateConstantIndexOp(builder, pattern.loc, mixed));
  bool isValues = attr.getKind() == PatternKind::Values;
  return DetectOp::create(builder, pattern.loc, type,
                          isValues ? source : Value(),
                          isValues ? Value() : source, dynamicExtents, attr,
                          builder.getI64IntegerAttr(id));
}

OpFoldResult PatternIndexes::getCapacity(OpBuilder &builder, unsigned id) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  // Packed values are shared by what has the same points.
  if (pattern.isMoved())
    return getCapacity(builder, *pattern.getBase());
  SmallVector<OpFoldResult> extents = getExtents(builder, id);
  // Counted in micro-tiles; the coordinate counts elements again at the end. At
  // most `at_most` points are live in each row of the pattern space's first
  // dimension, each perhaps in a micro-tile of its own.
  AffineExpr capacity = builder.getAffineConstantExpr(1);
  for (unsigned i = 0, e = extents.size(); i < e; ++i) {
    if (!pattern.attr.hasBound())
      capacity = capacity * builder.getAffineSymbolExpr(i).ceilDiv(
                                pattern.attr.getTileExtent(i));
    else if (i == 0)
      capacity = builder.getAffineSymbolExpr(i) *
                 (e > 1 ? pattern.attr.getAtMost() : 1);
  }
  capacity = capacity * pattern.attr.getTileExtent(coordinates[id]);
  return affine::makeComposedFoldedAffineApply(
      builder, pattern.loc, AffineMap::get(0, extents.size(), capacity),
      extents);
}
