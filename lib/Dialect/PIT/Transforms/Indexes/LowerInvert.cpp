//===- LowerInvert.cpp - Inversions of indexes as loops on tensors --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stable counting sort (Seward 1954; Knuth, The Art of Computer Programming,
// volume 3, 5.2): counts per coordinate become the ends of the segments, and
// positions are placed from the last one to the first, each right before what
// its segment has so far. Ends become starts on the way.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "IndexExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERINVERT
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

class InvertLowering {
public:
  InvertLowering(InvertOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()), math(builder, loc),
        source(op.getSource().getType()), type(op.getIndex().getType()),
        extents(getIndexExtents(builder, loc, type, op.getIndex())) {}

  Value createLists();
  Value createLoops();

private:
  Value createList(OpFoldResult size, unsigned width);
  Value createOffsetsList() {
    return createList(math.add(extents[0], builder.getIndexAttr(1)), 64);
  }
  Value toIndex(Value number) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      number);
  }
  Value fromIndex(Value number, unsigned width) {
    return arith::IndexCastOp::create(builder, loc,
                                      builder.getIntegerType(width), number);
  }
  Value load(Value list, Value position) {
    return toIndex(tensor::ExtractOp::create(builder, loc, list, position));
  }
  Value store(Value number, unsigned width, Value list, Value position) {
    return tensor::InsertOp::create(builder, loc, fromIndex(number, width),
                                    list, position);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  InvertOp op;
  OpBuilder &builder;
  Location loc;
  ExtentMath math;
  SparseIndexType source, type;
  SmallVector<OpFoldResult> extents;
};

} // namespace

/// The index owns its lists: each is an allocation that nothing else is merged
/// with.
Value InvertLowering::createList(OpFoldResult size, unsigned width) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(getAsOpFoldResult(math.value(size)), dynamic,
                             shape);
  return bufferization::AllocTensorOp::create(
      builder, loc, RankedTensorType::get(shape, builder.getIntegerType(width)),
      dynamic);
}

Value InvertLowering::createLists() {
  Value offsets = createOffsetsList();
  Value coords = createList(extents[1], type.getWidth());
  auto lists = InvertIntoOp::create(
      builder, loc, TypeRange{offsets.getType(), coords.getType()},
      op.getSource(), offsets, coords);
  return AssembleOp::create(builder, loc, type, lists.getResults()[0],
                            lists.getResults()[1], op.getExtents());
}

Value InvertLowering::createLoops() {
  MLIRContext *context = builder.getContext();
  auto listType = [&](unsigned width) {
    return RankedTensorType::get({ShapedType::kDynamic},
                                 IntegerType::get(context, width));
  };
  Value fromOffsets =
      OffsetsOp::create(builder, loc, listType(64), op.getSource());
  Value fromCoords = CoordsOp::create(builder, loc, listType(source.getWidth()),
                                      op.getSource());
  Value numSegments = math.value(
      createNumSegments(builder, loc, source,
                        getIndexExtents(builder, loc, source, op.getSource())));
  Value count = load(fromOffsets, numSegments);
  count = arith::MinUIOp::create(builder, loc, count, math.value(extents[1]));
  Value zero = constant(0), one = constant(1);
  Value numCoordinates = math.value(extents[0]);
  Value numOffsets = arith::AddIOp::create(builder, loc, numCoordinates, one);

  Value nothing =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value offsets =
      linalg::FillOp::create(builder, loc, nothing, createOffsetsList())
          .getResult(0);
  offsets =
      createLoop(builder, loc, zero, count, one, offsets,
                 [&](Value position, ValueRange carried) -> SmallVector<Value> {
                   Value coordinate = load(fromCoords, position);
                   Value seen = load(carried[0], coordinate);
                   seen = arith::AddIOp::create(builder, loc, seen, one);
                   return {store(seen, 64, carried[0], coordinate)};
                 })[0];
  offsets = createLoop(
      builder, loc, zero, numOffsets, one, ValueRange{offsets, zero},
      [&](Value coordinate, ValueRange carried) -> SmallVector<Value> {
        Value seen = load(carried[0], coordinate);
        Value end = arith::AddIOp::create(builder, loc, carried[1], seen);
        return {store(end, 64, carried[0], coordinate), end};
      })[0];
  SmallVector<Value> lists = createLoop(
      builder, loc, zero, count, one,
      ValueRange{offsets, createList(extents[1], type.getWidth())},
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        Value position = arith::SubIOp::create(builder, loc, count, number);
        position = arith::SubIOp::create(builder, loc, position, one);
        Value coordinate = load(fromCoords, position);
        Value slot = load(carried[0], coordinate);
        slot = arith::SubIOp::create(builder, loc, slot, one);
        return {store(slot, 64, carried[0], coordinate),
                store(position, type.getWidth(), carried[1], slot)};
      });
  return AssembleOp::create(builder, loc, type, lists[0], lists[1],
                            op.getExtents());
}

namespace {

struct PITLowerInvert : pit::impl::PITLowerInvertBase<PITLowerInvert> {
  using PITLowerInvertBase::PITLowerInvertBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool canLaunch = !function.isExternal() && function.getBody().hasOneBlock();
    SmallVector<InvertOp> worklist;
    function.walk([&](InvertOp op) { worklist.push_back(op); });
    for (InvertOp op : worklist) {
      OpBuilder builder(op);
      InvertLowering lowering(op, builder);
      bool keeps = intoLists && canLaunch && op->getParentOp() == function;
      Value index = keeps ? lowering.createLists() : lowering.createLoops();
      op.getIndex().replaceAllUsesWith(index);
      op.erase();
    }
  }
};

} // namespace
