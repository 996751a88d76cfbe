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

std::string Split::print() const {
  StringRef name = kind == Rows      ? "rows "
                   : kind == Experts ? "experts "
                                     : "cut ";
  return isCut() ? (name + Twine(dim)).str() : "whole";
}

std::optional<Split> Split::parse(StringRef text) {
  Split split;
  if (text == "whole")
    return split;
  auto [name, number] = text.split(' ');
  if (name != "cut" || number.getAsInteger(10, split.dim))
    return std::nullopt;
  split.kind = Cut;
  return split;
}

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

Split pit::followReshape(Operation *reshape, Split split, bool forward,
                         int64_t ranks) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices()
               : cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices();
  Value expanded = collapse ? reshape->getOperand(0) : reshape->getResult(0);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(expanded.getType()).getShape();
  // A cut of a dimension cuts each piece of the group that outer dimensions
  // number.
  auto getOuter = [&](ArrayRef<int64_t> group, int64_t dim) {
    int64_t pieces = 1;
    for (int64_t other : group.take_while([&](int64_t i) { return i != dim; }))
      pieces = pieces < 0 || ShapedType::isDynamic(shape[other])
                   ? -1
                   : pieces * shape[other];
    return pieces;
  };
  const bool isExpanded = bool(collapse) == forward;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (isExpanded) {
      if (!llvm::is_contained(group, split.dim))
        continue;
      int64_t pieces = getOuter(group, split.dim);
      return pieces < 0
                 ? Split()
                 : Split{split.kind, int64_t(number), pieces * split.pieces};
    }
    if (int64_t(number) != split.dim)
      continue;
    for (int64_t dim : group) {
      if (shape[dim] == 1 || getOuter(group, dim) != split.pieces)
        continue;
      return ShapedType::isDynamic(shape[dim]) || shape[dim] % ranks == 0
                 ? Split{split.kind, dim}
                 : Split();
    }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Splits::getType(Type type, Split split) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !split.isCut() || tensor.isDynamicDim(split.dim))
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[split.dim] /= ranks;
  return tensor.clone(shape);
}

bool Splits::isEven(Type type, Split split) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !split.isCut())
    return true;
  return tensor.isDynamicDim(split.dim)
             ? split.pieces == 1
             : tensor.getDimSize(split.dim) % (ranks * split.pieces) == 0;
}

Split Splits::getResult(unsigned number) const {
  auto found = results.find(number);
  if (found != results.end())
    return found->second;
  func::FuncOp of = function;
  Split split = get(of.getBody().front().getTerminator()->getOperand(number));
  return split.pieces == 1 ? split : Split();
}

LogicalResult Splits::need(Operation *user, Value value, Split split) {
  if (!isEven(value.getType(), split)) {
    auto tensor = cast<RankedTensorType>(value.getType());
    return user->emitError("cannot split ")
           << tensor.getDimSize(split.dim)
           << (split.kind == Split::Rows      ? " rows"
               : split.kind == Split::Experts ? " experts"
                                              : " elements")
           << " of " << tensor << " over " << ranks << " ranks";
  }
  set(value, split);
  return success();
}

void Splits::set(Value value, Split split) {
  Operation *op = value.getDefiningOp();
  if ((op && isCheap(op)) || !isEven(value.getType(), split))
    return;
  changed |= splits.try_emplace(value, split).second;
}

//===----------------------------------------------------------------------===//
// Ops over indexes
//===----------------------------------------------------------------------===//

std::optional<Gate> pit::getGate(DetectOp op) {
  SparseIndexType type = op.getIndex().getType();
  if (type.getExtents().size() != 2 ||
      llvm::any_of(type.getTile().asArrayRef(),
                   [](int64_t tile) { return tile != 1; }))
    return std::nullopt;
  PatternAttr pattern = op.getPattern();
  const int64_t experts = type.getExtents()[1 - type.getCoordinate()];
  if (op.getSource())
    return Gate{op.getSource(), pattern.getAxes()[type.getCoordinate()],
                experts};
  // Of a router that says which experts a row has, and of which share apart.
  auto by = op.getBy() ? dyn_cast<RankedTensorType>(op.getBy().getType())
                       : RankedTensorType();
  if (!by || by.getRank() != 2 || !pattern.hasBound() ||
      (pattern.getKind() != PatternKind::Mask &&
       pattern.getKind() != PatternKind::Routing))
    return std::nullopt;
  return Gate{op.getBy(), int64_t(type.getCoordinate()), experts};
}

bool Splits::isOfGate(Value index) const {
  Operation *op = index.getDefiningOp();
  if (auto invert = dyn_cast_or_null<InvertOp>(op))
    return isOfGate(invert.getSource());
  auto detect = dyn_cast_or_null<DetectOp>(op);
  std::optional<Gate> gate = detect ? getGate(detect) : std::nullopt;
  return gate && !ShapedType::isDynamic(gate->experts) &&
         gate->experts % ranks == 0;
}

/// The dimension that a segment of the index stands for, or -1.
static int64_t getSegmentDim(SparseIndexType type, ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (int64_t(i) != type.getCoordinate() && dim >= 0)
      return dim;
  return -1;
}

bool Splits::isOwn(TiledOp op) const {
  if (getInverse(op) || !isOfGate(op.getIndex()))
    return false;
  SparseIndexType type = op.getIndexType();
  const unsigned numInputs = op.getInputs().size();
  for (auto [i, operand] : llvm::enumerate(op->getOperands().drop_front())) {
    if (get(operand).kind == Split::Packed)
      return true;
    ArrayRef<int64_t> dims = op.getOperandDims(i);
    // Rows of results. Numbers, such as gates, all ranks have of all positions.
    if (i >= numInputs && op.getPacked()[i] &&
        cast<RankedTensorType>(operand.getType()).getRank() > 1)
      return true;
    // Weights, and what is as large as weights.
    if (!op.getPacked()[i] && getSegmentDim(type, dims) >= 0 &&
        (i >= numInputs || dims[type.getCoordinate()] < 0))
      return true;
  }
  return false;
}

std::optional<Split> Splits::getNeeded(TiledOp op, unsigned number) const {
  SparseIndexType type = op.getIndexType();
  const bool isOutput = number >= op.getInputs().size();
  const bool own = isOwn(op);
  ArrayRef<int64_t> dims = op.getOperandDims(number);
  const int64_t segment = getSegmentDim(type, dims);
  if (op.getPacked()[number]) {
    if (!isOutput)
      return get(op->getOperand(1 + number));
    return own ? Split{Split::Packed, 0} : Split();
  }
  if (getInverse(op))
    return segment >= 0 ? Split{Split::Rows, segment} : Split();
  if (!own)
    return Split();
  if (segment >= 0)
    return Split{Split::Experts, segment};
  if (isOutput)
    return std::nullopt;
  return Split();
}

LogicalResult Splits::visitTiled(TiledOp op) {
  if (!isOfGate(op.getIndex()))
    return success();
  SparseIndexType type = op.getIndexType();
  const bool isInverse = bool(getInverse(op));
  const unsigned numInputs = op.getInputs().size();
  for (auto [i, operand] : llvm::enumerate(op->getOperands().drop_front())) {
    const bool isOutput = i >= numInputs;
    Value value = isOutput ? Value(op.getResult(i - numInputs)) : operand;
    const int64_t listed = op.getOperandDims(i)[type.getCoordinate()];
    std::optional<Split> needed = getNeeded(op, i);
    if (isOutput && isInverse && (!needed || needed->kind != Split::Rows))
      return op.emitError(
          "cannot be split over ranks: it adds up rows of several ranks");
    // Rows are passed on to where they are listed, from where they belong.
    Split home = needed.value_or(Split());
    if (!isOutput && !isInverse && !op.getPacked()[i] && listed >= 0)
      home = {Split::Rows, listed};
    if (home.kind != Split::Whole && failed(need(op, value, home)))
      return failure();
  }
  return success();
}

LogicalResult Splits::visitDetect(DetectOp op) {
  if (!isOfGate(op.getIndex()))
    return success();
  Gate gate = *getGate(op);
  return need(op, gate.tensor, {Split::Rows, gate.rows});
}

LogicalResult Splits::visit(Operation &op) {
  if (isCheap(&op))
    return success();
  if (auto detect = dyn_cast<DetectOp>(op))
    return visitDetect(detect);
  if (auto tiled = dyn_cast<TiledOp>(op))
    return visitTiled(tiled);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    Value from = op.getOperand(0), to = op.getResult(0);
    // What all ranks are said to have, they have in another shape.
    if (splits.contains(from) && get(from).kind == Split::Whole)
      set(to, Split());
    // Arguments and results are cut in one piece.
    auto follow = [&](Value value, Value other, bool forward) {
      Split split = get(value);
      if (split.isCut())
        split = followReshape(&op, split, forward, ranks);
      if (split.isCut() && (split.pieces == 1 || !isa<BlockArgument>(other)))
        set(other, split);
    };
    follow(from, to, /*forward=*/true);
    follow(to, from, /*forward=*/false);
    return success();
  }
  if (std::optional<OpLoops> loops = OpLoops::get(&op))
    return visitLoops(*loops);
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult Splits::seed() {
  auto said = function->getAttrOfType<DictionaryAttr>(
      PITDialect::SplitsAttrHelper::getNameStr());
  Operation *end = function.getBody().front().getTerminator();
  auto read = [&](StringRef name, ValueRange values) -> LogicalResult {
    auto texts = said ? said.getAs<ArrayAttr>(name) : ArrayAttr();
    if (!texts)
      return success();
    if (texts.size() != values.size())
      return function.emitError("'pit.splits' has ")
             << texts.size() << " " << name << ", but there are "
             << values.size();
    for (auto [i, text] :
         llvm::enumerate(texts.getAsValueRange<StringAttr>())) {
      if (text == "any")
        continue;
      std::optional<Split> split = Split::parse(text);
      auto type = dyn_cast<RankedTensorType>(values[i].getType());
      if (!split || (split->isCut() &&
                     (!type || split->dim < 0 || split->dim >= type.getRank())))
        return function.emitError("'pit.splits' has '")
               << text << "' for a value of type " << values[i].getType();
      if (name == "results")
        results[i] = *split;
      if (name == "inputs" && !split->isCut())
        splits.try_emplace(values[i], *split);
      else if (split->isCut() && failed(need(function, values[i], *split)))
        return failure();
    }
    return success();
  };
  return failure(failed(read("inputs", function.getArguments())) ||
                 failed(read("results", end->getOperands())));
}

LogicalResult Splits::find() {
  Block &block = function.getBody().front();
  if (failed(seed()))
    return failure();
  // Packed results are that and nothing else.
  for (auto op : block.getOps<TiledOp>())
    if (isOwn(op))
      for (auto [i, result] : llvm::enumerate(op.getResults()))
        if (op.getPacked()[op.getInputs().size() + i])
          splits[result] = {Split::Packed, 0};
  do {
    changed = false;
    for (Operation &op : block)
      if (failed(visit(op)))
        return failure();
  } while (changed);
  return success();
}
