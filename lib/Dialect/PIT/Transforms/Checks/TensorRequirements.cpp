//===- TensorRequirements.cpp - What ops on tensors require ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRequirements.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// An offset lies in the tensor or at its end, and from there on are as many
/// elements as are taken. Sums of what a program computes are avoided, as they
/// may pass 2^63.
void OpRequirements::writeSlice(Operation *op, Value whole,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes,
                                ArrayRef<OpFoldResult> strides) {
  auto type = cast<RankedTensorType>(whole.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    OpFoldResult parts[] = {offsets[axis], sizes[axis], strides[axis]};
    // The verifier has seen these.
    if (!type.isDynamicDim(unsigned(axis)) &&
        llvm::all_of(parts, [](OpFoldResult part) {
          return bool(dyn_cast<Attribute>(part));
        }))
      continue;
    Value extent = values.getExtent(whole, axis);
    Value offset = values.get(offsets[axis]);
    Value size = values.get(sizes[axis]);
    Value stride = values.get(strides[axis]);
    std::string where = (" of dimension " + Twine(axis)).str();
    // Some offset fits at least, of which it is looked at where it runs which.
    if (extent && !offset && size && getConstantIntValue(stride) == 1)
      writer.requireWithin(op, size, 0, extent,
                           "takes {0} elements" + where + ", which is {1}");
    if (extent && stride && (!offset || !size)) {
      writer.guardAxis(op, axis);
      continue;
    }
    if (!extent || !offset || !size || !stride) {
      writer.miss(op);
      continue;
    }
    writer.requireWithin(op, offset, 0, extent,
                         "offset {0}" + where + " is not within 0 to {1}");
    writer.requireWithin(op, stride, 1,
                         writer.constant(CheckWriter::kMostBytes),
                         "stride {0}" + where + " is not within 1 to {1}");
    Value left = writer.combine<arith::SubIOp>(extent, offset);
    if (getConstantIntValue(stride) != 1) {
      left = writer.combine<arith::MaxSIOp>(left, writer.constant(0));
      left = writer.combine<arith::CeilDivUIOp>(
          left, writer.combine<arith::MaxSIOp>(stride, writer.constant(1)));
    }
    writer.requireWithin(op, size, 0, left,
                         "takes {0} elements" + where +
                             ", where 0 to {1} are from the offset on");
  }
}

void OpRequirements::writeInserted(Operation *op, Value part,
                                   ArrayRef<OpFoldResult> sizes,
                                   const llvm::SmallBitVector &dropped) {
  int64_t axis = 0;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (dropped.test(unsigned(i)))
      continue;
    writer.requireEqual(op, values.getExtent(part, axis), values.get(size),
                        "dimension " + Twine(axis) +
                            " of what is inserted is {0}, and {1} elements "
                            "are written");
    ++axis;
  }
}

void OpRequirements::writeAccess(Operation *op, Value tensor,
                                 ValueRange indices) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> known = getConstantIntValue(index);
    if (known && !type.isDynamicDim(unsigned(axis)) && *known >= 0 &&
        *known < type.getDimSize(unsigned(axis)))
      continue;
    Value extent = values.getExtent(tensor, int64_t(axis));
    Value number = values.get(index);
    if (extent && !number) {
      writer.require(
          op,
          writer.compare(arith::CmpIPredicate::sge, extent, writer.constant(1)),
          extent, writer.constant(0),
          "needs an element along dimension " + Twine(axis) + ", which is {0}");
      writer.guardAxis(op, int64_t(axis));
      continue;
    }
    if (!extent || !number) {
      writer.miss(op);
      continue;
    }
    Value isInside = writer.combine<arith::AndIOp>(
        writer.compare(arith::CmpIPredicate::sge, number, writer.constant(0)),
        writer.compare(arith::CmpIPredicate::slt, number, extent));
    writer.require(op, isInside, number, extent,
                   "index {0} of dimension " + Twine(axis) +
                       " is not less than {1}, or negative");
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value pit::getPaddedExtent(tensor::PadOp pad, int64_t axis, OpValues &values,
                           CheckWriter &writer) {
  Value extent = values.getExtent(pad.getSource(), axis);
  for (OpFoldResult amount :
       {pad.getMixedLowPad()[axis], pad.getMixedHighPad()[axis]}) {
    Value number = values.get(amount);
    extent = extent && number ? writer.combine<arith::AddIOp>(extent, number)
                              : Value();
  }
  return extent;
}

void OpRequirements::writePad(Operation *op) {
  auto pad = cast<tensor::PadOp>(op);
  auto require = [&](ArrayRef<OpFoldResult> amounts, StringRef where) {
    for (auto [axis, amount] : llvm::enumerate(amounts))
      if (!dyn_cast<Attribute>(amount))
        writer.requireWithin(op, values.get(amount), 0,
                             writer.constant(CheckWriter::kMostBytes),
                             "pads dimension " + Twine(axis) + " by {0} " +
                                 where + ", which is not within 0 to {1}");
  };
  require(pad.getMixedLowPad(), "in front");
  require(pad.getMixedHighPad(), "behind");
  // The type may say how long that is, which the verifier sees of constants.
  RankedTensorType type = pad.getResultType();
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool isConstant = !pad.getSourceType().isDynamicDim(unsigned(axis)) &&
                      getConstantIntValue(pad.getMixedLowPad()[axis]) &&
                      getConstantIntValue(pad.getMixedHighPad()[axis]);
    if (!type.isDynamicDim(unsigned(axis)) && !isConstant)
      writer.requireEqual(op, getPaddedExtent(pad, axis, values, writer),
                          writer.constant(type.getDimSize(unsigned(axis))),
                          "dimension " + Twine(axis) +
                              " becomes {0} elements long, of its result {1}");
  }
}

/// The extents of each group are those of one dimension. Products do not pass
/// 2^63, as the result's size is required as well.
void OpRequirements::writeExpansion(Operation *op) {
  auto expand = cast<tensor::ExpandShapeOp>(op);
  SmallVector<OpFoldResult> shape = expand.getMixedOutputShape();
  for (auto [axis, group] : llvm::enumerate(expand.getReassociationIndices())) {
    Value product;
    bool isDynamic = expand.getSrcType().isDynamicDim(unsigned(axis));
    for (int64_t dim : group) {
      isDynamic |= expand.getResultType().isDynamicDim(unsigned(dim));
      Value extent = values.get(shape[size_t(dim)]);
      if (!extent)
        return writer.miss(op);
      product =
          product ? writer.combine<arith::MulIOp>(product, extent) : extent;
    }
    if (isDynamic && product)
      writer.requireEqual(op, values.getExtent(expand.getSrc(), int64_t(axis)),
                          product,
                          "dimension " + Twine(axis) +
                              " of its operand is {0}, what it becomes has "
                              "{1} elements");
  }
}

Value pit::getJoinedExtent(tensor::ConcatOp concat, int64_t axis,
                           OpValues &values, CheckWriter &writer) {
  OperandRange parts = concat.getInputs();
  Value extent = values.getExtent(parts.front(), axis);
  if (axis != int64_t(concat.getDim()))
    return extent;
  for (Value part : parts.drop_front()) {
    Value next = values.getExtent(part, axis);
    extent =
        extent && next ? writer.combine<arith::AddIOp>(extent, next) : Value();
  }
  return extent;
}

void OpRequirements::writeConcat(Operation *op) {
  auto concat = cast<tensor::ConcatOp>(op);
  for (unsigned i = 1, e = op->getNumOperands(); i < e; ++i)
    for (int64_t axis = 0; axis < concat.getRank(); ++axis)
      if (axis != int64_t(concat.getDim()))
        requireSame(op, {op->getOperand(0), axis, "operand 0"},
                    {op->getOperand(i), axis, ("operand " + Twine(i)).str()});
  // The type may say how long all of them are together.
  auto type = concat.getResultType();
  int64_t dim = int64_t(concat.getDim());
  if (type.isDynamicDim(unsigned(dim)))
    return;
  writer.requireEqual(op, getJoinedExtent(concat, dim, values, writer),
                      writer.constant(type.getDimSize(unsigned(dim))),
                      "its operands have {0} along dimension " + Twine(dim) +
                          ", its result {1}");
}

void OpRequirements::writeCast(Operation *op) {
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to)
    return writer.miss(op);
  for (int64_t axis = 0; axis < to.getRank(); ++axis)
    if (from.isDynamicDim(unsigned(axis)) && !to.isDynamicDim(unsigned(axis)))
      writer.requireEqual(op, values.getExtent(op->getOperand(0), axis),
                          writer.constant(to.getDimSize(unsigned(axis))),
                          "dimension " + Twine(axis) +
                              " of its operand is {0}, of its result {1}");
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void OpRequirements::writeTensorOp(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return writeSlice(op, slice.getSource(), slice.getMixedOffsets(),
                      slice.getMixedSizes(), slice.getMixedStrides());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    writeSlice(op, slice.getDest(), slice.getMixedOffsets(),
               slice.getMixedSizes(), slice.getMixedStrides());
    return writeInserted(op, slice.getSource(), slice.getMixedSizes(),
                         slice.getDroppedDims());
  }
  if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    writeSlice(op, slice.getDest(), slice.getMixedOffsets(),
               slice.getMixedSizes(), slice.getMixedStrides());
    return writeInserted(op, slice.getSource(), slice.getMixedSizes(),
                         slice.getDroppedDims());
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return writeAccess(op, extract.getTensor(), extract.getIndices());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return writeAccess(op, insert.getDest(), insert.getIndices());
  if (isa<tensor::PadOp>(op))
    return writePad(op);
  if (isa<tensor::ExpandShapeOp>(op))
    return writeExpansion(op);
  if (isa<tensor::ConcatOp>(op))
    return writeConcat(op);
  if (isa<tensor::CastOp>(op))
    return writeCast(op);
  if (isa<tensor::ReshapeOp, tensor::GatherOp, tensor::ScatterOp>(op))
    writer.miss(op);
}

void OpRequirements::writeSizes(Operation *op) {
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(unsigned(axis)))
        extents.push_back(values.getExtent(result, axis));
    writer.requireSize(op, type, extents, "result " + Twine(i));
  }
}
