//===- DeviceFallback.cpp - Ops of devices that do not fit ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFallback.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

Value DeviceFallback::constant(int64_t number) {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

OpFoldResult DeviceFallback::choose(OpFoldResult number, int64_t otherwise) {
  Value value = getValueOrCreateConstantIndexOp(builder, loc, number);
  return arith::SelectOp::create(builder, loc, holds, value,
                                 constant(otherwise))
      .getResult();
}

OpFoldResult DeviceFallback::getExtent(Value tensor, int64_t axis) {
  return tensor::getMixedSize(builder, loc, tensor, axis);
}

Value DeviceFallback::take(Value tensor, const Sizes &sizes) {
  Sizes offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                        strides);
}

Value DeviceFallback::placeInto(RankedTensorType type, Value part,
                                const Sizes &sizes) {
  Value whole = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  Sizes offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, part, whole, offsets,
                                       sizes, strides);
}

void DeviceFallback::replace(Value value) {
  op->replaceAllUsesWith(ValueRange(value));
  op->erase();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> pit::getMarkedExtents(OpBuilder &builder,
                                                SparseOp mark) {
  PatternAttr pattern = mark.getPattern();
  SmallVector<OpFoldResult> extents;
  for (auto [i, axis] : llvm::enumerate(pattern.getAxes().asArrayRef())) {
    if (int64_t(i) == cast<RankedTensorType>(mark.getBy().getType()).getRank())
      break;
    OpFoldResult extent =
        tensor::getMixedSize(builder, mark.getLoc(), mark.getSource(), axis);
    if (pattern.getKind() == PatternKind::Blocks && pattern.getTile()) {
      AffineExpr blocks =
          builder.getAffineSymbolExpr(0).ceilDiv(pattern.getTile()[i]);
      extent = affine::makeComposedFoldedAffineApply(builder, mark.getLoc(),
                                                     blocks, extent);
    }
    extents.push_back(extent);
  }
  return extents;
}

/// Where the type says how long the result is, all of it is padding.
void DeviceFallback::guard(tensor::PadOp pad) {
  RankedTensorType from = pad.getSourceType(), to = pad.getResultType();
  Sizes sizes, low(pad.getMixedLowPad()), high(pad.getMixedHighPad());
  for (int64_t axis = 0; axis < to.getRank(); ++axis) {
    auto dim = unsigned(axis);
    sizes.push_back(getExtent(pad.getSource(), axis));
    if (!from.isDynamicDim(dim) && getConstantIntValue(low[dim]) &&
        getConstantIntValue(high[dim]))
      continue;
    bool isKnown = !to.isDynamicDim(dim);
    if (isKnown)
      sizes.back() = choose(sizes.back());
    if (isKnown || !getConstantIntValue(low[dim]))
      low[dim] = choose(low[dim], isKnown ? to.getDimSize(dim) : 0);
    if (isKnown || !getConstantIntValue(high[dim]))
      high[dim] = choose(high[dim]);
  }
  auto padded =
      tensor::PadOp::create(builder, loc, to, take(pad.getSource(), sizes), low,
                            high, pad.getNofold());
  padded.getRegion().takeBody(pad.getRegion());
  replace(padded);
}

void DeviceFallback::guard(tensor::ConcatOp concat) {
  auto dim = int64_t(concat.getDim());
  for (OpOperand &part : concat->getOpOperands()) {
    Sizes sizes = tensor::getMixedSizes(builder, loc, part.get());
    sizes[size_t(dim)] = choose(sizes[size_t(dim)]);
    part.set(take(part.get(), sizes));
  }
}

/// Along dimensions that the type does not know, nothing is taken; there is one
/// where the result is no tensor of its own.
void DeviceFallback::guard(tensor::CastOp cast) {
  auto to = ::mlir::cast<RankedTensorType>(cast.getType());
  Value source = cast.getSource();
  Sizes sizes;
  for (int64_t axis = 0; axis < to.getRank(); ++axis)
    sizes.push_back(to.hasStaticShape() || to.isDynamicDim(unsigned(axis))
                        ? choose(getExtent(source, axis))
                        : OpFoldResult(builder.getIndexAttr(
                              to.getDimSize(unsigned(axis)))));
  Value part = take(source, sizes);
  replace(to.hasStaticShape() ? placeInto(to, part, sizes) : part);
}

/// A dimension that is not known becomes some of which one is not.
void DeviceFallback::guard(tensor::ExpandShapeOp expand) {
  RankedTensorType from = expand.getSrcType(), to = expand.getResultType();
  Sizes shape = expand.getMixedOutputShape(), sizes;
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    OpFoldResult extent = getExtent(expand.getSrc(), axis);
    sizes.push_back(from.isDynamicDim(unsigned(axis)) ? choose(extent)
                                                      : extent);
  }
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (to.isDynamicDim(unsigned(dim)))
      extent = choose(extent);
  replace(tensor::ExpandShapeOp::create(
      builder, loc, to, take(expand.getSrc(), sizes),
      expand.getReassociationIndices(), shape));
}

void DeviceFallback::guard(tensor::ExtractSliceOp slice) {
  Sizes offsets, strides, sizes;
  RankedTensorType type = slice.getType();
  bool isOwn = type.hasStaticShape();
  for (OpFoldResult offset : slice.getMixedOffsets())
    offsets.push_back(choose(offset));
  for (OpFoldResult stride : slice.getMixedStrides())
    strides.push_back(choose(stride, 1));
  for (OpFoldResult size : slice.getMixedSizes())
    sizes.push_back(isOwn || isa<Value>(size) ? choose(size) : size);
  if (!isOwn) {
    replace(tensor::ExtractSliceOp::create(
        builder, loc, type, slice.getSource(), offsets, sizes, strides));
    return;
  }
  Value part = tensor::ExtractSliceOp::create(builder, loc, slice.getSource(),
                                              offsets, sizes, strides);
  Value whole = placeInto(
      RankedTensorType::get(slice.getStaticSizes(), type.getElementType()),
      part, sizes);
  Sizes all = slice.getMixedSizes();
  if (whole.getType() != type) {
    Sizes none(all.size(), builder.getIndexAttr(0)),
        one(all.size(), builder.getIndexAttr(1));
    whole = tensor::ExtractSliceOp::create(builder, loc, type, whole, none, all,
                                           one);
  }
  replace(whole);
}

/// What says which points are live has the extents of what is marked, which
/// the host knows, and says that none are.
void DeviceFallback::guard(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getBy().getType());
  Sizes extents = getMarkedExtents(builder, mark), sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    sizes.push_back(choose(getExtent(mark.getBy(), axis)));
  Value dead = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value whole =
      tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
  whole = linalg::FillOp::create(builder, loc, dead, whole).getResult(0);
  Sizes offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  mark.getByMutable().assign(tensor::InsertSliceOp::create(
      builder, loc, take(mark.getBy(), sizes), whole, offsets, sizes, strides));
}

/// Operands have the type of the result, which does not know all extents.
void DeviceFallback::guardElementwise() {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    Sizes sizes = tensor::getMixedSizes(builder, loc, operand.get());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(unsigned(axis)))
        sizes[size_t(axis)] = choose(sizes[size_t(axis)]);
    operand.set(take(operand.get(), sizes));
  }
}

bool DeviceFallback::isKnown(Operation *op) {
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType());
  return isa<tensor::PadOp, tensor::ConcatOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, SparseOp>(op) ||
         (op->getNumRegions() == 0 &&
          OpTrait::hasElementwiseMappableTraits(op));
}

void DeviceFallback::apply() {
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::PadOp, tensor::ConcatOp, tensor::CastOp,
            tensor::ExpandShapeOp, tensor::ExtractSliceOp, SparseOp>(
          [&](auto known) { guard(known); })
      .Default([&](Operation *) { guardElementwise(); });
}
