//===- RankBuilder.cpp - The program of one rank --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuilder.h"

#include "RankLists.h"

#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

RankBuilder::RankBuilder(func::FuncOp from, func::FuncOp to,
                         const Splits &splits, int64_t ranks, RankSums sums,
                         RankReduction reduction)
    : from(from), splits(splits), ranks(ranks), sums(sums),
      reduction(reduction), b(from.getLoc(), from.getContext()) {
  Block *block = to.addEntryBlock();
  b.setInsertionPointToStart(block);
  for (auto [old, made] :
       llvm::zip_equal(from.getArguments(), block->getArguments()))
    parts[old] = made;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RankBuilder::rank() {
  if (!rankNumber)
    rankNumber =
        shard::ProcessLinearIndexOp::create(b, b.getIndexType(), kRankGrid);
  return rankNumber;
}

Value RankBuilder::scalar(Value value) {
  if (Value made = parts.lookup(value))
    return made;
  if (Value made = scalars.lookup(value))
    return made;
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> number = dim.getConstantIndex();
    Split split = splits.get(dim.getSource());
    Value tensor = number ? part(dim.getSource()) : whole(dim.getSource());
    Value made = tensor::DimOp::create(b, tensor, scalar(dim.getIndex()));
    if (number && split.isCut() && split.dim == *number)
      made = arith::MulIOp::create(b, made, constant(ranks));
    return scalars[value] = made;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, whole(operand));
  Operation *clone = b.clone(*op, mapping);
  return scalars[value] =
             clone->getResult(cast<OpResult>(value).getResultNumber());
}

Value RankBuilder::extentOfPart(Value extent) {
  if (auto dim = extent.getDefiningOp<tensor::DimOp>()) {
    Split split = splits.get(dim.getSource());
    std::optional<int64_t> number = dim.getConstantIndex();
    if (number && split.isCut() && split.dim == *number)
      return tensor::DimOp::create(b, part(dim.getSource()), constant(*number));
  }
  return arith::DivUIOp::create(b, scalar(extent), constant(ranks));
}

/// What is made where it is needed, of the size that is needed there.
Value RankBuilder::makeCheap(Value value, Split split) {
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Value room = as(fill.getOutputs()[0], split);
    return linalg::FillOp::create(b, scalar(fill.getInputs()[0]), room)
        .getResult(0);
  }
  auto type = cast<RankedTensorType>(value.getType());
  auto made = cast<RankedTensorType>(splits.getType(type, split));
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    SmallVector<Value> sizes;
    unsigned next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = empty.getDynamicSizes()[next++];
      sizes.push_back(split.isCut() && split.dim == dim ? extentOfPart(size)
                                                        : scalar(size));
    }
    return tensor::EmptyOp::create(b, made, sizes);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      return arith::ConstantOp::create(b, splat.resizeSplat(made));
  Value all = scalar(value);
  return split.isCut() ? slice(all, split) : all;
}

Value RankBuilder::as(Value value, Split split) {
  if (!isa<RankedTensorType>(value.getType()))
    return scalar(value);
  Split home = splits.get(value);
  if (Value made = parts.lookup(value);
      made && (home == split || home.kind == Split::Packed))
    return made;
  Operation *op = value.getDefiningOp();
  if (op && isCheap(op))
    return makeCheap(value, split);
  if (Value made = others.lookup(keyOf(value, split)))
    return made;
  // What is gathered is used for all other parts.
  Value made =
      home.isCut() && split.isCut() && ranks > 1
          ? slice(whole(value), split)
          : convert(parts.lookup(value),
                    cast<RankedTensorType>(value.getType()), home, split);
  others[keyOf(value, split)] = made;
  return made;
}

void RankBuilder::place(Value old, Value made, Split split) {
  Split home = splits.get(old);
  auto type = dyn_cast<RankedTensorType>(old.getType());
  if (type && split.kind != Split::Packed && !(home == split)) {
    others[keyOf(old, split)] = made;
    if (split.isCut())
      others[keyOf(old, {})] = made = convert(made, type, split, {});
    made = convert(made, type, {}, home);
  }
  parts[old] = made;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

std::pair<Value, Value> RankBuilder::listsOf(Value index) {
  std::pair<Value, Value> &made = lists[index];
  auto type = cast<SparseIndexType>(index.getType());
  if (!made.first)
    made = {
        OffsetsOp::create(b, listOf(b.getI64Type()), index),
        CoordsOp::create(b, listOf(b.getIntegerType(type.getWidth())), index)};
  return made;
}

/// The index as it is put together in each phase that uses it.
Value RankBuilder::listedIndex(Value index) {
  Value &made = listedIndexes[index];
  if (made)
    return made;
  SmallVector<Value> sizes;
  Operation *op = index.getDefiningOp();
  if (auto detect = dyn_cast<DetectOp>(op))
    llvm::append_range(sizes, detect.getExtents());
  else if (auto invert = dyn_cast<InvertOp>(op))
    llvm::append_range(sizes, invert.getExtents());
  else
    return made = parts.lookup(index);
  for (Value &size : sizes)
    size = scalar(size);
  auto [offsets, coords] = listsOf(parts.lookup(index));
  return made = AssembleOp::create(b, index.getType(), offsets, coords, sizes);
}

/// The segments of the rank's experts. Their positions stay those of the whole
/// index, so that its list of coordinates is theirs, too.
Value RankBuilder::ownIndex(Value index) {
  Value &made = ownIndexes[index];
  if (made)
    return made;
  Value all = parts.lookup(index);
  auto type = cast<SparseIndexType>(index.getType());
  SmallVector<int64_t> extents(type.getExtents().asArrayRef());
  int64_t &experts = extents[1 - type.getCoordinate()];
  experts /= ranks;
  auto own = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr(extents), type.getCoordinate(),
      type.getTile(), type.getWidth());
  auto [offsets, coords] = listsOf(all);
  Value first = arith::MulIOp::create(b, rank(), constant(experts));
  // Of the gate, as an index cannot be passed from one phase to the next.
  SmallVector<Value> sizes;
  for (Value extent : index.getDefiningOp<DetectOp>().getExtents())
    sizes.push_back(scalar(extent));
  made = AssembleOp::create(
      b, own, offsetsFrom(b, offsets, first, constant(experts)), coords, sizes);
  return made;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Operation *RankBuilder::cloneWith(Operation *op, ValueRange operands,
                                  TypeRange types) {
  IRMapping mapping;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    mapping.map(value, whole(value));
  Operation *clone = op->clone(mapping);
  clone->setOperands(operands);
  for (auto [result, type] : llvm::zip_equal(clone->getResults(), types))
    result.setType(type);
  b.insert(clone);
  return clone;
}

Operation *RankBuilder::cloneParts(Operation *op, ValueRange operands) {
  auto types = llvm::map_to_vector(
      op->getResults(), [&](Value result) { return splits.getType(result); });
  Operation *clone = cloneWith(op, operands, types);
  for (auto [old, made] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    parts[old] = made;
  return clone;
}

/// Whether the tensor is filled with zeros.
static bool isZero(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                  matchPattern(fill.getInputs()[0], m_Zero()));
}

LogicalResult RankBuilder::buildTiled(TiledOp op) {
  const unsigned numInputs = op.getInputs().size();
  SmallVector<Value> operands{splits.isOwn(op) ? ownIndex(op.getIndex())
                                               : listedIndex(op.getIndex())};
  SmallVector<Type> types;
  for (auto [i, operand] : llvm::enumerate(op->getOperands().drop_front())) {
    std::optional<Split> needed = splits.getNeeded(op, i);
    if (i >= numInputs && !needed && !isZero(operand))
      return op.emitError("cannot be split over ranks: it writes to rows of "
                          "other ranks");
    Split split = needed.value_or(Split());
    // Room for packed results has all positions.
    operands.push_back(split.kind == Split::Packed && i >= numInputs
                           ? whole(operand)
                           : as(operand, split));
    if (i >= numInputs)
      types.push_back(splits.getType(operand.getType(), split));
  }
  Operation *clone = cloneWith(op, operands, types);
  for (auto [i, made] : llvm::enumerate(clone->getResults())) {
    Value old = op.getResult(i);
    std::optional<Split> split = splits.getNeeded(op, numInputs + i);
    if (split)
      place(old, made, *split);
    else
      parts[old] = reduce(made, /*combiner=*/nullptr, splits.get(old), {});
  }
  return success();
}

LogicalResult RankBuilder::buildWhole(Operation *op) {
  SmallVector<Value> operands;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  bool isCut = false;
  for (Value value : used) {
    Split split = splits.get(value);
    isCut |= split.isCut();
    if (split.kind == Split::Packed ||
        (isa<SparseIndexType>(value.getType()) && splits.isOfGate(value) &&
         !isa<InvertOp, DetectOp>(op)))
      return op->emitError("cannot be split over ranks");
  }
  if (isCut && !isa<DetectOp>(op) && op->getNumResults() > 0)
    remarks::missed(op, remarks::kRules, "WholeOnAllRanks")
        << remarks::metric("Op", op->getName().getStringRef())
        << remarks::metric("Reason",
                           "each rank computes all of it, as no part of its "
                           "result follows from a part of its operands");
  for (Value operand : op->getOperands())
    operands.push_back(!isa<SparseIndexType>(operand.getType()) ? whole(operand)
                       : isa<TiledOp>(op) ? listedIndex(operand)
                                          : parts.lookup(operand));
  Operation *clone = cloneWith(op, operands, op->getResultTypes());
  for (auto [old, made] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    place(old, made, Split());
  return success();
}

LogicalResult RankBuilder::buildInParts(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (splits.get(operand).isCut())
      operands.push_back(whole(operand));
    else
      operands.push_back(part(operand));
  }
  cloneParts(op, operands);
  return success();
}

LogicalResult RankBuilder::buildOp(Operation &op) {
  if (auto tiled = dyn_cast<TiledOp>(op);
      tiled && splits.isOfGate(tiled.getIndex())) {
    InvertOp inverse = getInverse(tiled);
    const bool readsPacked = llvm::any_of(tiled.getInputs(), [&](Value input) {
      return splits.get(input).kind == Split::Packed;
    });
    if (inverse && readsPacked && sums != RankSums::Rows)
      return buildPartialSums(tiled, inverse);
    return inverse ? buildSum(tiled, inverse) : buildTiled(tiled);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    // By the side that is cut; if both are, by the source.
    Split source = splits.get(op.getOperand(0)),
          result = splits.get(op.getResult(0));
    if (source.kind == Split::Packed)
      return op.emitError("cannot be split over ranks");
    if (!source.isCut() && result.isCut())
      source = followReshape(&op, result, /*forward=*/false, ranks);
    if (source.isCut() &&
        followReshape(&op, source, /*forward=*/true, ranks).isCut()) {
      buildReshape(&op, source);
      return success();
    }
    return buildWhole(&op);
  }
  if (std::optional<OpLoops> loops = OpLoops::get(&op)) {
    if (splits.getPackedLoop(*loops) >= 0)
      return buildInParts(&op);
    if (LoopSplit loop = splits.getLoop(*loops)) {
      buildLoops(*loops, loop);
      return success();
    }
  }
  return buildWhole(&op);
}

LogicalResult RankBuilder::build() {
  Block &block = from.getBody().front();
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (!isCheap(&op) && failed(buildOp(op)))
      return failure();
  }
  SmallVector<Value> results;
  Operation *end = block.getTerminator();
  b.setLoc(end->getLoc());
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    results.push_back(as(value, splits.getResult(i)));
  func::ReturnOp::create(b, results);
  fuseTotals();
  return success();
}
