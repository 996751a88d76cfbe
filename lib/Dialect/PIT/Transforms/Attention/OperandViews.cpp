//===- OperandViews.cpp - Operands without views and copies ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandViews.h"

#include "ElementValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

/// A product or quotient with a constant: the other factor, and the constant.
static std::pair<Value, double> getScaled(Value value) {
  Operation *op = value.getDefiningOp();
  FloatAttr constant;
  if (!op || !isa<arith::MulFOp, arith::DivFOp>(op) ||
      cast<FloatType>(value.getType()).getWidth() < 32)
    return {Value(), 1.0};
  for (unsigned i : {1, 0}) {
    if (!matchPattern(skipFloatCasts(op->getOperand(i)),
                      m_Constant(&constant)) ||
        (i == 0 && isa<arith::DivFOp>(op)))
      continue;
    double number = constant.getValueAsDouble();
    if (isa<arith::DivFOp>(op))
      number = 1.0 / number;
    if (std::isfinite(number) && number != 0.0)
      return {op->getOperand(1 - i), number};
  }
  return {Value(), 1.0};
}

/// If the op moves elements of its one tensor, and computes nothing but a
/// multiple of them, that operand and the factor.
static std::pair<OpOperand *, double> getMovedOperand(linalg::LinalgOp op,
                                                      bool scales) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1)
    return {nullptr, 1.0};
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  double factor = 1.0;
  while (true) {
    auto [inner, number] = getScaled(value);
    if (auto wide = value.getDefiningOp<arith::ExtFOp>())
      value = wide.getIn();
    else if (inner && scales)
      value = inner, factor *= number;
    else
      break;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return {nullptr, 1.0};
  OpOperand *operand = op.getDpsInputOperand(argument.getArgNumber());
  if (!isa<RankedTensorType>(operand->get().getType()))
    return {nullptr, 1.0};
  return {operand, factor};
}

/// One step back; null at the end.
static std::optional<View> skipView(AttentionAxes &axes, const View &view,
                                    bool scales) {
  Operation *op = view.tensor.getDefiningOp();
  FailureOr<Places> places = failure();
  Value source;
  double factor = view.factor;
  if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(op)) {
    source = expand.getSrc();
    places = axes.getSourcePlaces(expand, view.places);
  } else if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(op)) {
    source = collapse.getSrc();
    places = axes.getSourcePlaces(collapse, view.places);
  } else if (auto moved = dyn_cast_if_present<linalg::LinalgOp>(op)) {
    auto [operand, number] = getMovedOperand(moved, scales);
    if (!operand)
      return std::nullopt;
    factor *= number;
    source = operand->get();
    places = getLoopsOfOperand(moved, moved.getDpsInitOperand(0), view.places);
    if (succeeded(places))
      places = getPlacesOfOperand(moved, operand, *places);
  }
  if (failed(places))
    return std::nullopt;
  for (auto [list, extent] : llvm::zip_equal(
           *places, cast<RankedTensorType>(source.getType()).getShape()))
    if (list.empty() && extent != 1)
      return std::nullopt;
  return View{source, *places, factor};
}

View pit::skipViews(AttentionAxes &axes, View view, bool scales,
                    bool keepsAxes) {
  auto countAxes = [](const View &view) {
    size_t count = 0;
    for (const AxisList &list : view.places)
      count += list.size();
    return count;
  };
  while (std::optional<View> next = skipView(axes, view, scales)) {
    if (keepsAxes && countAxes(*next) != countAxes(view))
      break;
    view = *next;
  }
  return view;
}

bool pit::hasAlignedRows(Value tensor) {
  constexpr int64_t kElements = 8;
  Operation *op = tensor.getDefiningOp();
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::CastOp>(op))
    return hasAlignedRows(op->getOperand(0));
  auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op);
  if (!slice)
    return true;
  int64_t stride = 1, offset = 0, rank = slice.getSourceType().getRank();
  for (int64_t dimension = rank - 1; dimension >= 0; --dimension) {
    int64_t step = slice.getStaticStrides()[dimension],
            first = slice.getStaticOffsets()[dimension],
            extent = slice.getSourceType().getDimSize(dimension);
    if (ShapedType::isDynamic(step) || ShapedType::isDynamic(first) ||
        (ShapedType::isDynamic(extent) && dimension != 0))
      return false;
    bool isRow = dimension == rank - 1;
    if (isRow ? step != 1 : stride * step % kElements != 0)
      return false;
    offset += first * stride;
    stride *= extent;
  }
  return offset % kElements == 0 && hasAlignedRows(slice.getSource());
}

/// Splits dimensions with several axes.
static Value expandGroups(OpBuilder &builder, Location loc,
                          const AttentionAxes &axes, const View &view) {
  auto type = cast<RankedTensorType>(view.tensor.getType());
  SmallVector<int64_t> known, shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [list, extent] : llvm::zip_equal(view.places, type.getShape())) {
    ReassociationIndices &group = groups.emplace_back();
    int64_t product = 1, numUnknown = 0;
    for (unsigned axis : list) {
      if (ShapedType::isDynamic(axes.getExtent(axis)))
        ++numUnknown;
      else
        product *= axes.getExtent(axis);
    }
    bool isSplit = list.size() > 1;
    if (isSplit && numUnknown > 1)
      return Value();
    // A dimension of an unknown extent whose axes are known has theirs.
    known.push_back(isSplit && numUnknown == 0 ? product : extent);
    for (unsigned i = 0; i < std::max<size_t>(list.size(), 1); ++i) {
      group.push_back(shape.size());
      int64_t size = isSplit ? axes.getExtent(list[i]) : extent;
      if (isSplit && ShapedType::isDynamic(size) &&
          !ShapedType::isDynamic(extent))
        size = extent / product;
      shape.push_back(size);
    }
  }
  if (shape.size() == known.size())
    return view.tensor;
  Value tensor = view.tensor;
  if (type.clone(known) != type)
    tensor = tensor::CastOp::create(builder, loc, type.clone(known), tensor);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       groups);
}

/// Groups with one dimension each that is `kept`; none if there is none.
static SmallVector<ReassociationIndices> groupAround(ArrayRef<bool> kept) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [dimension, keeps] : llvm::enumerate(kept)) {
    if (keeps) {
      groups.push_back(leading);
      leading.clear();
      groups.back().push_back(dimension);
    } else {
      (groups.empty() ? leading : groups.back()).push_back(dimension);
    }
  }
  return groups;
}

Value pit::expandToAxes(OpBuilder &builder, Location loc,
                        const AttentionAxes &axes, const View &view,
                        SmallVectorImpl<unsigned> &list) {
  SmallVector<bool> kept;
  for (auto [places, extent] : llvm::zip_equal(
           view.places,
           cast<RankedTensorType>(view.tensor.getType()).getShape())) {
    if (places.empty() && extent != 1)
      return Value();
    llvm::append_range(list, places);
    kept.append(std::max<size_t>(places.size(), 1), !places.empty());
  }
  Value tensor = expandGroups(builder, loc, axes, view);
  if (!tensor || llvm::all_of(kept, [](bool keeps) { return keeps; }))
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, tensor,
                                         groupAround(kept));
}

Value pit::collapseFromAxes(OpBuilder &builder, Location loc, Value tensor,
                            RankedTensorType type, const Places &places) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<bool> kept;
  int64_t dimension = 0;
  for (const AxisList &list : places) {
    kept.push_back(!list.empty());
    if (list.empty())
      continue;
    ReassociationIndices &group = groups.emplace_back();
    for (size_t i = 0; i < list.size(); ++i)
      group.push_back(dimension++);
  }
  if (int64_t(groups.size()) != dimension)
    tensor = tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
  auto collapsed = cast<RankedTensorType>(tensor.getType());
  if (groups.size() != places.size()) {
    SmallVector<int64_t> shape(places.size(), 1);
    unsigned next = 0;
    for (auto [keeps, extent] : llvm::zip_equal(kept, shape))
      if (keeps)
        extent = collapsed.getDimSize(next++);
    tensor = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                           tensor, groupAround(kept));
  }
  if (tensor.getType() != type)
    tensor = tensor::CastOp::create(builder, loc, type, tensor);
  return tensor;
}
