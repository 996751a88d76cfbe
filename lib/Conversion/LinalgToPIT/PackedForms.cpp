//===- PackedForms.cpp - Marks and movements of packed tensors ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is no computation of its own is done to the packed form: a mark on a
// tensor that was computed packed, and ops that only move elements.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"
#include "ReportRules.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::isTransparent(SparseOp mark, const SparsePattern &pattern) {
  return mark.getPattern().getAbsent() == Absent::Undef ||
         pattern.isTransparent();
}

/// The packed form of a destination, or of what is moved beside a packed
/// tensor. Constants stay constants, so that back ends can start tiles from
/// them.
Value Converter::pack(OpBuilder &builder, Value value, unsigned pattern,
                      ArrayRef<int64_t> dims) {
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> extents;
  RankedTensorType type =
      values.getPackedType(builder, pattern, value, dims, extents);
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (fill || value.getDefiningOp<tensor::EmptyOp>()) {
    Value empty =
        tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
    return fill ? linalg::FillOp::create(builder, fill.getLoc(),
                                         fill.getInputs()[0], empty)
                      .getResult(0)
                : empty;
  }
  const PackedValue *form = values.getPacked(value);
  if (form && form->pattern == pattern && ArrayRef<int64_t>(form->dims) == dims)
    return form->packed;
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  return SReadOp::create(builder, loc, type, values.getFull(value),
                         indexes.getIndex(pattern), ValueRange(), dynamic,
                         builder.getDenseI64ArrayAttr(dims));
}

/// A mark whose source was computed packed is applied there, where that has to
/// be done at all.
void Converter::convertMark(SparseOp mark) {
  unsigned id = propagation.getPattern(mark);
  const PackedValue *source = values.getPacked(mark.getSource());
  if (source && source->pattern == id &&
      ArrayRef<int64_t>(source->dims) ==
          mark.getPattern().getAxes().asArrayRef()) {
    if (isTransparent(mark, propagation.getPatterns()[id])) {
      values.setPacked(mark.getResult(), *source);
      return;
    }
    if (Value packed = createPackedMark(mark, *source)) {
      values.setPacked(mark.getResult(), {id, source->dims, packed});
      return;
    }
  }
  mark.getSourceMutable().assign(values.getFull(mark.getSource()));
}

/// Selects between a packed source and the absent value by the bits of the
/// pattern; null when it has none.
Value Converter::createPackedMark(SparseOp mark, const PackedValue &source) {
  OpBuilder builder(mark);
  Location loc = mark.getLoc();
  Value mask = indexes.getMask(source.pattern);
  if (!mask)
    return Value();
  auto type = cast<RankedTensorType>(mark.getType());
  SmallVector<OpFoldResult> extents;
  values.getPackedType(builder, source.pattern, mark.getResult(), source.dims,
                       extents);
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
  Value absent = arith::ConstantOp::create(
      builder, loc,
      getAbsentConstant(mark.getPattern().getAbsent(), type.getElementType()));
  SmallVector<AffineExpr> maskExprs;
  for (int64_t dim : source.dims)
    maskExprs.push_back(builder.getAffineDimExpr(dim));
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap maskMap =
      AffineMap::get(type.getRank(), 0, maskExprs, builder.getContext());
  SmallVector<Attribute> iterators(
      type.getRank(), linalg::IteratorTypeAttr::get(
                          builder.getContext(), utils::IteratorType::parallel));
  auto select = GenericOp::create(
      builder, loc, TypeRange(empty.getType()),
      indexes.getIndex(source.pattern), ValueRange(),
      ValueRange{mask, source.packed}, ValueRange(empty),
      builder.getAffineMapArrayAttr({maskMap, identity, identity}),
      builder.getArrayAttr(iterators),
      builder.getDenseI64ArrayAttr(source.dims),
      builder.getDenseBoolArrayAttr({false, true, true}), ArrayAttr(),
      IntegerAttr(), DenseI64ArrayAttr());
  Type element = type.getElementType();
  Block *body = builder.createBlock(&select.getRegion(), {},
                                    {builder.getI1Type(), element, element},
                                    {loc, loc, loc});
  Value value = arith::SelectOp::create(builder, loc, body->getArgument(0),
                                        body->getArgument(1), absent);
  YieldOp::create(builder, loc, value);
  return select.getResult(0);
}

/// A reshape of the packed dimensions alone has the same packed form on both
/// sides, as points stand in the same order.
bool Converter::shareForm(Operation *op, const PackedValue &form,
                          unsigned pattern, ArrayRef<int64_t> dims) {
  Value result = op->getResult(0);
  auto isLast = [&](unsigned id) {
    return indexes.getCoordinate(id) + 1 ==
           propagation.getPatterns()[id].extents.size();
  };
  if (!isLast(form.pattern) || !isLast(pattern) ||
      !(propagation.findFact(result, pattern, dims) ||
        llvm::is_contained(propagation.getDemand(result),
                           std::pair(pattern, llvm::to_vector(dims)))))
    return false;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> extents;
  RankedTensorType type =
      values.getPackedType(builder, pattern, result, dims, extents);
  if (type != form.packed.getType())
    return false;
  values.setPacked(result, {pattern, llvm::to_vector(dims), form.packed});
  return true;
}

/// What moves packed data along other dimensions than the packed ones moves the
/// packed form, where all else of the result is known or read by nobody.
bool Converter::convertMovement(Operation *op) {
  if (!isDataMovement(op))
    return false;
  Value result = op->getResult(0);
  SmallVector<OpOperand *> moved = getMovedOperands(op);
  for (OpOperand *operand : moved) {
    const PackedValue *form = values.getPacked(operand->get());
    if (!form)
      continue;
    unsigned pattern = form->pattern;
    std::string reason;
    std::optional<SmallVector<int64_t>> dims =
        mapDimsToResult(*operand, form->dims, &reason);
    if (!dims) {
      auto moved = propagation.findMoved(op, pattern, form->dims,
                                         /*toOperand=*/false);
      if (!moved)
        reportEnd(op, pattern, reason, propagation);
      else if (shareForm(op, *form, moved->first, moved->second))
        return true;
      continue;
    }
    if (!propagation.findFact(result, pattern, *dims) &&
        !llvm::is_contained(propagation.getDemand(result),
                            std::make_pair(pattern, *dims))) {
      reportEnd(op, pattern, "it joins what is dead there with what is not",
                propagation);
      continue;
    }
    OpBuilder builder(op);
    SmallVector<Value> packed;
    for (OpOperand *other : moved) {
      std::optional<SmallVector<int64_t>> otherDims =
          mapDimsToOperand(*other, *dims);
      if (!otherDims)
        return false;
      packed.push_back(pack(builder, other->get(), pattern, *otherDims));
    }
    SmallVector<OpFoldResult> extents;
    RankedTensorType type =
        values.getPackedType(builder, pattern, result, *dims, extents);
    unsigned inPlace = type.getRank() + dims->size() -
                       cast<RankedTensorType>(result.getType()).getRank();
    values.setPacked(result, {pattern, *dims,
                              moveForms(builder, op, packed, *dims, inPlace,
                                        type, extents)});
    return true;
  }
  return false;
}
