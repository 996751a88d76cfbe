//===- RankBuilder.cpp - The program of one rank --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuilder.h"

#include "RankLists.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

RankBuilder::RankBuilder(func::FuncOp from, func::FuncOp to,
                         const Splits &splits, int64_t ranks, RankSums sums)
    : from(from), splits(splits), ranks(ranks), sums(sums),
      b(from.getLoc(), from.getContext()) {
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

Value RankBuilder::scalar(Value value, bool ofWhole) {
  Value &made = scalars[{value, ofWhole}];
  if (made)
    return made;
  Operation *op = value.getDefiningOp();
  if (!op)
    return made = parts.lookup(value);
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value tensor = ofWhole ? whole(dim.getSource()) : part(dim.getSource());
    Value number = scalar(dim.getIndex(), ofWhole);
    return scalars[{value, ofWhole}] = tensor::DimOp::create(b, tensor, number);
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand,
                isCheap(op) ? scalar(operand, ofWhole) : part(operand));
  Operation *clone = b.clone(*op, mapping);
  return scalars[{value, ofWhole}] =
             clone->getResult(cast<OpResult>(value).getResultNumber());
}

Value RankBuilder::part(Value value) {
  if (Value made = parts.lookup(value))
    return made;
  Operation *op = value.getDefiningOp();
  // What is made where it is needed, of the size that is needed there.
  if (isa<tensor::EmptyOp, linalg::FillOp>(op)) {
    Split split = splits.get(value);
    FailureOr<Value> made = room(op, value, split, /*ofWhole=*/!split.isCut());
    return failed(made) ? Value() : *made;
  }
  return scalar(value, /*ofWhole=*/false);
}

Value RankBuilder::whole(Value value) {
  Split split = splits.get(value);
  if (split.kind != Split::Rows)
    return part(value);
  Value &made = wholes[value];
  if (!made) {
    Value own = part(value);
    made = shard::AllGatherOp::create(b, value.getType(), kRankGrid,
                                      ArrayRef<int16_t>{0}, own,
                                      APInt(64, split.dim));
  }
  return made;
}

FailureOr<Value> RankBuilder::room(Operation *op, Value init, Split split,
                                   bool ofWhole) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    FailureOr<Value> empty = room(op, fill.getOutputs()[0], split, ofWhole);
    if (failed(empty))
      return failure();
    Value value = scalar(fill.getInputs()[0], ofWhole);
    return linalg::FillOp::create(b, value, *empty).getResult(0);
  }
  if (auto empty = init.getDefiningOp<tensor::EmptyOp>()) {
    SmallVector<Value> sizes;
    for (Value size : empty.getDynamicSizes())
      sizes.push_back(scalar(size, ofWhole));
    return tensor::EmptyOp::create(b, splits.getType(init.getType(), split),
                                   sizes)
        .getResult();
  }
  if (!parts.contains(init) || !(splits.get(init) == split)) {
    op->emitError("cannot be split over ranks: its result starts from a tensor "
                  "that is split otherwise");
    return failure();
  }
  return part(init);
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

/// The segments of the rank's experts. Their positions stay those of the whole
/// index, so that its list of coordinates is theirs, too.
Value RankBuilder::ownIndex(Value index) {
  Value &made = ownIndexes[index];
  if (made)
    return made;
  Value all = part(index);
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
    sizes.push_back(scalar(extent, /*ofWhole=*/true));
  made = AssembleOp::create(
      b, own, offsetsFrom(b, offsets, first, constant(experts)), coords, sizes);
  return made;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Operation *RankBuilder::cloneWith(Operation *op, ValueRange operands) {
  IRMapping mapping;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    mapping.map(value, part(value));
  Operation *clone = op->clone(mapping);
  clone->setOperands(operands);
  for (auto [result, old] :
       llvm::zip_equal(clone->getResults(), op->getResults())) {
    result.setType(splits.getType(old));
    parts[old] = result;
  }
  b.insert(clone);
  return clone;
}

LogicalResult RankBuilder::buildTiled(TiledOp op) {
  const bool isOwn = splits.isOwn(op);
  SmallVector<Value> operands{isOwn ? ownIndex(op.getIndex())
                                    : part(op.getIndex())};
  for (Value input : op.getInputs())
    operands.push_back(whole(input));
  for (auto [init, result] :
       llvm::zip_equal(op.getOutputs(), op.getResults())) {
    FailureOr<Value> made =
        room(op, init, splits.get(result), /*ofWhole=*/true);
    if (failed(made))
      return failure();
    operands.push_back(*made);
  }
  cloneWith(op, operands);
  return success();
}

LogicalResult RankBuilder::build() {
  for (Operation &op : from.getBody().front()) {
    b.setLoc(op.getLoc());
    if (isCheap(&op))
      continue;
    if (auto tiled = dyn_cast<TiledOp>(op)) {
      InvertOp inverse = getInverse(tiled);
      const bool readsPacked =
          llvm::any_of(tiled.getInputs(), [&](Value input) {
            return splits.get(input).kind == Split::Packed;
          });
      const bool isPartial = inverse && readsPacked && sums != RankSums::Rows;
      if (failed(isPartial ? buildPartialSums(tiled, inverse)
                 : inverse ? buildSum(tiled, inverse)
                           : buildTiled(tiled)))
        return failure();
      continue;
    }
    const bool ofIndex = isa<DetectOp, InvertOp>(op);
    SmallVector<Value> operands;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    for (OpOperand &use : op.getOpOperands()) {
      Value value = use.get();
      if (structured && structured.isDpsInit(&use)) {
        Split split = splits.get(structured.getTiedOpResult(&use));
        FailureOr<Value> made =
            room(&op, value, split, /*ofWhole=*/!split.isCut());
        if (failed(made))
          return failure();
        operands.push_back(*made);
      } else if (isa<IndexType>(value.getType())) {
        operands.push_back(scalar(value, ofIndex));
      } else {
        operands.push_back(ofIndex ? whole(value) : part(value));
      }
      if (!operands.back())
        return op.emitError("cannot be split over ranks");
    }
    cloneWith(&op, operands);
  }
  fuseTotals();
  return success();
}
