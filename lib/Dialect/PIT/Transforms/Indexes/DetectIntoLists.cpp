//===- DetectIntoLists.cpp - Lists as destinations of detection -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "DeviceScalars.h"
#include "IndexExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDETECTINTOLISTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Moves the op right behind what it reads, so that less can cross it.
static void moveUp(DetectOp op) {
  Operation *last = nullptr;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && (!last || last->isBeforeInBlock(def)))
      last = def;
  if (last)
    op->moveAfter(last);
  else
    op->moveBefore(&op->getBlock()->front());
}

static bool isSupported(DetectOp op) {
  auto type = cast<RankedTensorType>(
      (op.getSource() ? op.getSource() : op.getBy()).getType());
  Type element = type.getElementType();
  bool isKnown = element.isF16() || element.isBF16() || element.isF32() ||
                 element.isF64() || element.isIndex() || element.isInteger(1) ||
                 element.isInteger(8) || element.isInteger(16) ||
                 element.isInteger(32) || element.isInteger(64);
  auto fits = [](int64_t extent) {
    return ShapedType::isDynamic(extent) ||
           (extent > 0 && extent <= std::numeric_limits<int32_t>::max());
  };
  return isKnown && llvm::all_of(type.getShape(), fits) &&
         llvm::all_of(op.getIndex().getType().getExtents().asArrayRef(), fits);
}

static void giveLists(DetectOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  ExtentMath math(builder, loc);
  PatternAttr pattern = op.getPattern();
  SparseIndexType type = op.getIndex().getType();
  SmallVector<OpFoldResult> extents =
      getIndexExtents(builder, loc, type, op.getIndex());
  // Each list is an allocation that nothing else is merged with: the index owns
  // it.
  auto createList = [&](OpFoldResult size, unsigned width) -> Value {
    SmallVector<Value> dynamic;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(getAsOpFoldResult(math.value(size)), dynamic,
                               shape);
    return bufferization::AllocTensorOp::create(
        builder, loc,
        RankedTensorType::get(shape, builder.getIntegerType(width)), dynamic);
  };
  Value offsets =
      createList(math.add(createNumSegments(builder, loc, type, extents),
                          builder.getIndexAttr(1)),
                 64);
  Value coords = createList(
      createCapacity(builder, loc, pattern, type, extents), type.getWidth());
  auto detect = DetectIntoOp::create(
      builder, loc, TypeRange{offsets.getType(), coords.getType()},
      op.getSource(), op.getBy(), op.getExtents(), offsets, coords, pattern,
      type, op.getRuleAttr());
  Value index = AssembleOp::create(builder, loc, type, detect.getResults()[0],
                                   detect.getResults()[1], op.getExtents());
  op.getIndex().replaceAllUsesWith(index);
  op.erase();
}

namespace {

struct PITDetectIntoLists
    : pit::impl::PITDetectIntoListsBase<PITDetectIntoLists> {
  void runOnOperation() override {
    Region &body = getOperation().getBody();
    if (!body.hasOneBlock())
      return;
    SmallVector<DetectOp> worklist;
    for (auto op : body.front().getOps<DetectOp>())
      if (isSupported(op))
        worklist.push_back(op);
    for (DetectOp op : worklist) {
      moveUp(op);
      if (!isCrossedByScalar(op))
        giveLists(op);
    }
  }
};

} // namespace
