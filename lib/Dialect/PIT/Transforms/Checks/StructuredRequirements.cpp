//===- StructuredRequirements.cpp - What structured ops require -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRequirements.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

static bool isDynamic(Value tensor, int64_t axis) {
  return cast<RankedTensorType>(tensor.getType()).isDynamicDim(unsigned(axis));
}

static std::string nameOperand(unsigned number) {
  return ("operand " + Twine(number)).str();
}

void OpRequirements::requireSame(Operation *op, const Dimension &one,
                                 const Dimension &other) {
  if (!isDynamic(one.tensor, one.axis) && !isDynamic(other.tensor, other.axis))
    return;
  writer.requireEqual(op, values.getExtent(one.tensor, one.axis),
                      values.getExtent(other.tensor, other.axis),
                      "dimension " + Twine(one.axis) + " of " + one.name +
                          " is {0}, dimension " + Twine(other.axis) + " of " +
                          other.name + " is {1}");
}

void OpRequirements::requireSameShapes(Operation *op, ValueRange tensors) {
  std::optional<unsigned> first;
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type)
      continue;
    if (!first) {
      first = unsigned(i);
      continue;
    }
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      requireSame(op, {tensors[*first], axis, nameOperand(*first)},
                  {tensor, axis, nameOperand(unsigned(i))});
  }
}

//===----------------------------------------------------------------------===//
// Ops with indexing maps
//===----------------------------------------------------------------------===//

/// An operand that is read at sums of iteration axes: the least and the
/// greatest index lie in it, unless there is nothing to iterate over.
void OpRequirements::writeIndexed(Operation *op, const Dimension &read,
                                  AffineExpr index, ArrayRef<Value> extents) {
  unsigned numLoops = unsigned(extents.size());
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(index, numLoops, 0, &flat)) ||
      flat.size() != numLoops + 1 || llvm::is_contained(extents, Value()))
    return writer.miss(op);
  Value least = writer.constant(flat.back()), greatest = least;
  Value isEmpty;
  for (auto [factor, extent] : llvm::zip(flat, extents)) {
    Value none =
        writer.compare(arith::CmpIPredicate::eq, extent, writer.constant(0));
    isEmpty = isEmpty ? writer.combine<arith::OrIOp>(isEmpty, none) : none;
    if (factor == 0)
      continue;
    Value last = writer.combine<arith::SubIOp>(extent, writer.constant(1));
    last = writer.combine<arith::MulIOp>(last, writer.constant(factor));
    Value &bound = factor > 0 ? greatest : least;
    bound = writer.combine<arith::AddIOp>(bound, last);
  }
  Value extent = values.getExtent(read.tensor, read.axis);
  if (!extent)
    return writer.miss(op);
  auto requireInside = [&](Value reached, Value isInside) {
    if (isEmpty)
      isInside = writer.combine<arith::OrIOp>(isEmpty, isInside);
    writer.require(op, isInside, reached, extent,
                   "reaches index {0} of dimension " + Twine(read.axis) +
                       " of " + read.name + ", which is {1}");
  };
  requireInside(greatest,
                writer.compare(arith::CmpIPredicate::slt, greatest, extent));
  requireInside(least, writer.compare(arith::CmpIPredicate::sge, least,
                                      writer.constant(0)));
}

/// A number of a region as a sum of iteration axes; null for others.
static AffineExpr getSumOfAxes(Value number) {
  MLIRContext *context = number.getContext();
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return getAffineConstantExpr(*constant, context);
  Operation *op = number.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(op))
    return getAffineDimExpr(unsigned(index.getDim()), context);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !number.getType().isIndex())
    return {};
  AffineExpr a = getSumOfAxes(op->getOperand(0));
  AffineExpr b = getSumOfAxes(op->getOperand(1));
  if (!a || !b)
    return {};
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  return a.isSymbolicOrConstant() || b.isSymbolicOrConstant() ? a * b
                                                              : AffineExpr();
}

/// An element at an index that is looked at where it runs: there is one where
/// there is something to iterate over.
void OpRequirements::guardElement(Operation *op, int64_t axis,
                                  ArrayRef<Value> extents) {
  auto extract = cast<tensor::ExtractOp>(op);
  Value extent = values.getExtent(extract.getTensor(), axis);
  if (!extent || llvm::is_contained(extents, Value()))
    return writer.miss(op);
  Value isNeeded =
      writer.compare(arith::CmpIPredicate::sge, extent, writer.constant(1));
  for (Value loop : extents)
    isNeeded = writer.combine<arith::OrIOp>(
        isNeeded,
        writer.compare(arith::CmpIPredicate::eq, loop, writer.constant(0)));
  writer.require(op, isNeeded, extent, writer.constant(0),
                 "needs an element along dimension " + Twine(axis) +
                     ", which is {0}");
  writer.guardAxis(op, axis);
}

/// What the region reads of tensors itself: at every point, at sums of axes, or
/// else where it is looked at when it runs.
void OpRequirements::writeBody(linalg::LinalgOp op,
                               ArrayRef<std::optional<Dimension>> given) {
  SmallVector<Value> extents;
  op->walk([&](tensor::ExtractOp extract) {
    if (extents.empty())
      for (const std::optional<Dimension> &first : given)
        extents.push_back(first ? values.getExtent(first->tensor, first->axis)
                                : Value());
    auto type = dyn_cast<RankedTensorType>(extract.getTensor().getType());
    for (auto [axis, index] : llvm::enumerate(extract.getIndices())) {
      std::optional<int64_t> known = getConstantIntValue(index);
      if (known && type && !type.isDynamicDim(unsigned(axis)) && *known >= 0 &&
          *known < type.getDimSize(unsigned(axis)))
        continue;
      AffineExpr sum = getSumOfAxes(index);
      if (type && sum && extract->getParentOp() == op)
        writeIndexed(extract,
                     {extract.getTensor(), int64_t(axis), "its tensor"}, sum,
                     extents);
      else if (type && extract->getParentOp() == op)
        guardElement(extract, int64_t(axis), extents);
      else
        writer.miss(extract);
    }
  });
}

/// Whether the number of one loop, divided by a constant, is known to lie in a
/// dimension of `size`, given the loops' extents. The verifier of linalg says
/// so of ops alone that have no unknown extent.
static bool isKnownInside(AffineExpr index, ArrayRef<int64_t> loops,
                          int64_t size) {
  auto divided = dyn_cast<AffineBinaryOpExpr>(index);
  bool isRest = index.getKind() == AffineExprKind::Mod;
  if (!divided || (!isRest && index.getKind() != AffineExprKind::FloorDiv))
    return false;
  auto loop = dyn_cast<AffineDimExpr>(divided.getLHS());
  auto by = dyn_cast<AffineConstantExpr>(divided.getRHS());
  if (!loop || !by || by.getValue() < 1 || ShapedType::isDynamic(size))
    return false;
  int64_t extent = loops[loop.getPosition()];
  if (ShapedType::isDynamic(extent))
    return false;
  return size >= (isRest ? std::min(extent, by.getValue())
                         : llvm::divideCeil(extent, by.getValue()));
}

void OpRequirements::writeStructured(linalg::LinalgOp op) {
  unsigned numLoops = op.getNumLoops();
  // The first operand that says how long an axis is.
  SmallVector<std::optional<Dimension>> given(numLoops);
  auto forEachDimension = [&](auto visit) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        for (auto [axis, index] :
             llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
          visit(operand, int64_t(axis), index);
  };
  forEachDimension([&](OpOperand &operand, int64_t axis, AffineExpr index) {
    auto plain = dyn_cast<AffineDimExpr>(index);
    if (!plain)
      return;
    Dimension here{operand.get(), axis,
                   nameOperand(operand.getOperandNumber())};
    std::optional<Dimension> &first = given[plain.getPosition()];
    if (first)
      requireSame(op, *first, here);
    else
      first = here;
  });
  bool anyDynamic = llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
  SmallVector<Value> extents;
  SmallVector<int64_t> known =
      llvm::map_to_vector(given, [](const std::optional<Dimension> &first) {
        return first ? cast<ShapedType>(first->tensor.getType())
                           .getDimSize(first->axis)
                     : ShapedType::kDynamic;
      });
  // Indexes that are computed where the op runs are looked at there.
  if (!writer.isAtOp())
    writeBody(op, given);
  if (!anyDynamic)
    return;
  forEachDimension([&](OpOperand &operand, int64_t axis, AffineExpr index) {
    if (isa<AffineDimExpr>(index) ||
        isKnownInside(index, known, op.getShape(&operand)[axis]))
      return;
    if (extents.empty())
      for (std::optional<Dimension> &first : given)
        extents.push_back(first ? values.getExtent(first->tensor, first->axis)
                                : Value());
    writeIndexed(op,
                 {operand.get(), axis, nameOperand(operand.getOperandNumber())},
                 index, extents);
  });
}

//===----------------------------------------------------------------------===//
// Packed layouts
//===----------------------------------------------------------------------===//

void OpRequirements::requireTiled(Operation *op, Value whole, Value packed,
                                  ArrayRef<int64_t> innerDims,
                                  ArrayRef<int64_t> outerPerm,
                                  ArrayRef<OpFoldResult> tiles, bool isPadded) {
  int64_t rank = cast<RankedTensorType>(whole.getType()).getRank();
  for (int64_t outer = 0; outer < rank; ++outer) {
    int64_t axis = outerPerm.empty() ? outer : outerPerm[size_t(outer)];
    const int64_t *inner = llvm::find(innerDims, axis);
    if (inner == innerDims.end()) {
      requireSame(op, {whole, axis, "the whole tensor"},
                  {packed, outer, "the packed tensor"});
      continue;
    }
    int64_t number = inner - innerDims.begin();
    Value tile = values.get(tiles[size_t(number)]);
    Value extent = values.getExtent(whole, axis);
    Value numTiles = values.getExtent(packed, outer);
    Value tileExtent = values.getExtent(packed, rank + number);
    if (!tile || !extent || !numTiles || !tileExtent)
      return writer.miss(op);
    writer.requireWithin(op, tile, 1, writer.constant(CheckWriter::kMostBytes),
                         "tile " + Twine(number) +
                             " is {0}, where 1 to {1} "
                             "fit");
    writer.requireEqual(op, tileExtent, tile,
                        "dimension " + Twine(rank + number) +
                            " of the packed tensor is {0}, its tile {1}");
    Value positive = writer.combine<arith::MaxSIOp>(tile, writer.constant(1));
    Value needed = writer.combine<arith::CeilDivUIOp>(extent, positive);
    writer.requireEqual(op, numTiles, needed,
                        "dimension " + Twine(outer) +
                            " of the packed tensor is {0}, its tiles are {1}");
    if (isPadded)
      continue;
    Value full = writer.combine<arith::MulIOp>(needed, tile);
    writer.requireEqual(op, extent, full,
                        "dimension " + Twine(axis) +
                            " of the whole tensor is {0}, without padding "
                            "its tiles have {1}");
  }
}

void OpRequirements::writePack(linalg::PackOp op) {
  if (!isa<RankedTensorType>(op.getSource().getType()))
    return;
  requireTiled(op, op.getSource(), op.getDest(), op.getInnerDimsPos(),
               op.getOuterDimsPerm(), op.getMixedTiles(),
               op.getPaddingValue() != nullptr);
}

void OpRequirements::writeUnPack(linalg::UnPackOp op) {
  if (!isa<RankedTensorType>(op.getSource().getType()))
    return;
  requireTiled(op, op.getDest(), op.getSource(), op.getInnerDimsPos(),
               op.getOuterDimsPerm(), op.getMixedTiles(), /*isPadded=*/true);
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

void OpRequirements::writeMark(Operation *op) {
  auto mark = cast<SparseOp>(op);
  Value by = mark.getBy();
  if (!by)
    return;
  PatternAttr pattern = mark.getPattern();
  StringRef kind = stringifyPatternKind(pattern.getKind());
  for (auto [i, axis] : llvm::enumerate(pattern.getAxes().asArrayRef())) {
    if (int64_t(i) >= cast<RankedTensorType>(by.getType()).getRank())
      break;
    int64_t tile = pattern.getKind() == PatternKind::Blocks && pattern.getTile()
                       ? pattern.getTile()[i]
                       : 1;
    if (tile == 1) {
      requireSame(op, {by, int64_t(i), ("its " + kind).str()},
                  {mark.getSource(), axis, "the marked tensor"});
      continue;
    }
    Value extent = values.getExtent(mark.getSource(), axis);
    Value blocks = values.getExtent(by, int64_t(i));
    if (!extent || !blocks)
      return writer.miss(op);
    Value needed =
        writer.combine<arith::CeilDivUIOp>(extent, writer.constant(tile));
    writer.requireEqual(op, blocks, needed,
                        "dimension " + Twine(i) + " of its " + kind +
                            " is {0}, the marked tensor has {1} along "
                            "dimension " +
                            Twine(axis));
  }
}

void OpRequirements::write(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    writeStructured(structured);
  else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    requireSameShapes(op, op->getOperands());
  else if (auto pack = dyn_cast<linalg::PackOp>(op))
    writePack(pack);
  else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    writeUnPack(unpack);
  else if (isa<SparseOp>(op))
    writeMark(op);
  else if (OpTrait::hasElementwiseMappableTraits(op))
    requireSameShapes(op, op->getOperands());
  else
    writeTensorOp(op);
  if (!writer.isAtOp())
    writeSizes(op);
}
