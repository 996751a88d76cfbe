//===- Splits.cpp - What part of a value a rank has -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Splits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::isCheap(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::DimOp, linalg::FillOp>(op))
    return true;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (!isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          op) &&
      !isa<arith::ArithDialect>(op->getDialect()))
    return false;
  return llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

InvertOp pit::getInverse(TiledOp op) {
  return op.getIndex().getDefiningOp<InvertOp>();
}

Type Splits::getType(Type type, Split split) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !split.isCut() || tensor.isDynamicDim(split.dim))
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[split.dim] /= ranks;
  return tensor.clone(shape);
}

LogicalResult Splits::checkType(Operation *at, Value value) {
  Split split = get(value);
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || !split.isCut() || tensor.isDynamicDim(split.dim))
    return success();
  int64_t extent = tensor.getDimSize(split.dim);
  if (extent % ranks == 0)
    return success();
  return at->emitError("cannot split ")
         << extent << (split.kind == Split::Rows ? " rows" : " experts")
         << " of " << tensor << " over " << ranks << " ranks";
}

LogicalResult Splits::set(Operation *user, Value value, Split split) {
  auto [place, isNew] = splits.try_emplace(value, split);
  if (!isNew) {
    if (place->second == split)
      return success();
    return user->emitError("cannot be split over ranks: a tensor of type ")
           << value.getType() << " is needed in parts along two dimensions";
  }
  changed = true;
  return checkType(user, value);
}

bool Splits::isOwn(TiledOp op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Split::Kind kind = get(operand).kind;
    return kind == Split::Experts || kind == Split::Packed;
  });
}

/// The dimension that a segment of the index stands for, or -1.
static int64_t getSegmentDim(SparseIndexType type, ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (int64_t(i) != type.getCoordinate() && dim >= 0)
      return dim;
  return -1;
}

LogicalResult Splits::visitTiled(TiledOp op) {
  SparseIndexType type = op.getIndexType();
  const bool isInverse = bool(getInverse(op));
  if (!isInverse && !op.getIndex().getDefiningOp<DetectOp>())
    return op.emitError("cannot be split over ranks: its index is neither "
                        "detected nor the inverse of one that is");
  if (type.getExtents().size() != 2)
    return op.emitError("cannot be split over ranks: its index does not list "
                        "rows of segments");
  const unsigned numInputs = op.getInputs().size();
  // Segments of the inverse are rows, what it lists are positions.
  for (auto [i, operand] : llvm::enumerate(op->getOperands().drop_front())) {
    ArrayRef<int64_t> dims = op.getOperandDims(i);
    const int64_t listed = dims[type.getCoordinate()];
    const int64_t segment = getSegmentDim(type, dims);
    const bool isOutput = i >= numInputs;
    Split split;
    if (isInverse && segment >= 0)
      split = {Split::Rows, segment};
    else if (!isInverse && !op.getPacked()[i] && listed >= 0)
      split = {Split::Rows, listed};
    else if (!isInverse && !op.getPacked()[i] && segment >= 0)
      split = {Split::Experts, segment};
    if (isOutput && !isInverse && split.kind == Split::Rows)
      return op.emitError("cannot be split over ranks: it writes to rows of "
                          "other ranks");
    if (isOutput && isInverse && split.kind != Split::Rows)
      return op.emitError(
          "cannot be split over ranks: it adds up rows of several ranks");
    Value value = isOutput ? op.getResult(i - numInputs) : operand;
    if (split.kind != Split::Whole && failed(set(op, value, split)))
      return failure();
    if (isOutput && op.getPacked()[i] && isOwn(op) &&
        failed(set(op, value, {Split::Packed, 0})))
      return failure();
  }
  return success();
}

LogicalResult Splits::visitLinalg(linalg::LinalgOp op) {
  // What each loop is split by, and whether it is.
  SmallVector<Split> loops(op.getNumLoops());
  auto values = [&](OpOperand &use) -> Value {
    return op.isDpsInit(&use)
               ? op->getResult(use.getOperandNumber() - op.getNumDpsInputs())
               : use.get();
  };
  for (OpOperand &use : op->getOpOperands()) {
    Split split = get(values(use));
    AffineMap map = op.getMatchingIndexingMap(&use);
    if (split.kind == Split::Whole || map.getNumResults() == 0)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(split.dim));
    if (!loop)
      return op.emitError("cannot be split over ranks: it reads a split "
                          "dimension at computed positions");
    if (op.getIteratorTypesArray()[loop.getPosition()] !=
        utils::IteratorType::parallel)
      return op.emitError("cannot be split over ranks: it adds up along a "
                          "dimension that is split");
    loops[loop.getPosition()] = {split.kind, 0};
  }
  for (OpOperand &use : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&use);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || loops[loop.getPosition()].kind == Split::Whole)
        continue;
      if (failed(set(op, values(use),
                     {loops[loop.getPosition()].kind, int64_t(dim)})))
        return failure();
    }
  }
  return success();
}

LogicalResult Splits::visit(Operation &op) {
  if (isCheap(&op) || isa<InvertOp, func::ReturnOp>(op))
    return success();
  if (auto detect = dyn_cast<DetectOp>(op)) {
    PatternAttr pattern = detect.getPattern();
    SparseIndexType type = detect.getIndex().getType();
    Value source = detect.getSource() ? detect.getSource() : detect.getBy();
    if (type.getExtents().size() != 2 || !detect.getSource() ||
        llvm::any_of(type.getTile().asArrayRef(),
                     [](int64_t tile) { return tile != 1; }))
      return op.emitError("cannot be split over ranks: a pattern that is not "
                          "that of a gate [rows, experts]");
    int64_t experts = type.getExtents()[1 - type.getCoordinate()];
    if (ShapedType::isDynamic(experts))
      return op.emitError("cannot be split over ranks: the number of experts "
                          "is not known");
    if (experts % ranks)
      return op.emitError("cannot split ")
             << experts << " experts over " << ranks << " ranks";
    return set(&op, source,
               {Split::Rows, pattern.getAxes()[type.getCoordinate()]});
  }
  if (auto tiled = dyn_cast<TiledOp>(op))
    return visitTiled(tiled);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && structured.hasPureTensorSemantics())
    return visitLinalg(structured);
  for (Value operand : op.getOperands())
    if (get(operand).kind != Split::Whole ||
        isa<SparseIndexType>(operand.getType()))
      return op.emitError("cannot be split over ranks");
  return success();
}

LogicalResult Splits::find() {
  Block &block = function.getBody().front();
  do {
    changed = false;
    for (Operation &op : block)
      if (failed(visit(op)))
        return failure();
  } while (changed);
  return success();
}
