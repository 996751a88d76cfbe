//===- RankSums.cpp - Sums over packed results of all ranks ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank adds up the packed results of its rows. Those of other ranks it reads
// where they are, or gets one sum from each rank, whose rows that has added up.
//
//===----------------------------------------------------------------------===//

#include "RankBuilder.h"

#include "RankLists.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

Value RankBuilder::movedCoords(InvertOp inverse, Value pitch) {
  auto of = cast<SparseIndexType>(inverse.getSource().getType());
  Value coords = listsOf(parts.lookup(inverse.getIndex())).second;
  Value offsets = listsOf(parts.lookup(inverse.getSource())).first;
  int64_t experts = of.getExtents()[1 - of.getCoordinate()] / ranks;
  return movedPositions(b, coords, offsets, experts, ranks, pitch);
}

Value RankBuilder::ownRows(InvertOp inverse) {
  SparseIndexType type = inverse.getIndex().getType();
  int64_t segments = type.getExtents()[1 - type.getCoordinate()];
  return segments == ShapedType::kDynamic
             ? extentOfPart(inverse.getExtents()[0])
             : constant(segments / ranks);
}

//===----------------------------------------------------------------------===//
// Rows of all ranks
//===----------------------------------------------------------------------===//

LogicalResult RankBuilder::buildSum(TiledOp op, InvertOp inverse) {
  SparseIndexType type = op.getIndexType();
  Value positions, pitch;
  SmallVector<Value> inputs;
  // The operand that says how far apart positions of ranks lie: one of rows.
  int64_t main = -1;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (splits.get(input).kind == Split::Packed &&
        (main < 0 || cast<RankedTensorType>(input.getType()).getRank() > 1)) {
      if (main >= 0 &&
          cast<RankedTensorType>(op.getInputs()[main].getType()).getRank() > 1)
        return op.emitError(
            "cannot be split over ranks: it reads packed rows twice");
      main = int64_t(i);
    }
  auto gatherAll = [&](Value input) -> Value {
    Split split = splits.get(input);
    auto packed = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(packed.getShape());
    shape[split.dim] = ShapedType::kDynamic;
    auto gather = shard::AllGatherOp::create(b, packed.clone(shape), kRankGrid,
                                             ArrayRef<int16_t>{0}, part(input),
                                             APInt(64, split.dim));
    gather->setAttr("pit.in_place", b.getUnitAttr());
    return gather.getResult();
  };
  auto getPitch = [&](Value size) -> Value {
    return arith::DivUIOp::create(b, size, constant(ranks));
  };
  Value mainRows;
  if (main >= 0) {
    Value input = op.getInputs()[main];
    mainRows = gatherAll(input);
    positions =
        tensor::DimOp::create(b, mainRows, constant(splits.get(input).dim));
    pitch = getPitch(positions);
  }
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (splits.get(input).kind != Split::Packed) {
      inputs.push_back(as(input, *splits.getNeeded(op, i)));
    } else if (int64_t(i) == main) {
      inputs.push_back(mainRows);
    } else {
      Value all = gatherAll(input);
      Value size = tensor::DimOp::create(b, all, constant(0));
      inputs.push_back(spread(b, all, getPitch(size), pitch, positions));
    }
  }
  // Other operands that are read at positions follow.
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t listed = op.getOperandDims(i)[type.getCoordinate()];
    if (!pitch || listed < 0 || splits.get(input).kind == Split::Packed)
      continue;
    if (cast<RankedTensorType>(input.getType()).getRank() != 1)
      return op.emitError("cannot be split over ranks: it reads packed rows "
                          "that all ranks have");
    inputs[i] = repeated(b, inputs[i], pitch, positions);
  }
  SmallVector<int64_t> extents(type.getExtents().asArrayRef());
  SmallVector<Value> sizes;
  Value rows = ownRows(inverse);
  int64_t &segments = extents[1 - type.getCoordinate()];
  if (segments == ShapedType::kDynamic)
    sizes.push_back(rows);
  else
    segments /= ranks;
  if (pitch)
    extents[type.getCoordinate()] = ShapedType::kDynamic;
  if (extents[type.getCoordinate()] == ShapedType::kDynamic)
    sizes.push_back(pitch ? positions : scalar(inverse.getExtents().back()));
  auto [offsets, positionsOfAll] = listsOf(parts.lookup(op.getIndex()));
  Value coords = pitch ? movedCoords(inverse, pitch) : positionsOfAll;
  Value first = arith::MulIOp::create(b, rank(), rows);
  auto own = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr(extents), type.getCoordinate(),
      type.getTile(), type.getWidth());
  SmallVector<Value> operands{AssembleOp::create(
      b, own, offsetsFrom(b, offsets, first, rows), coords, sizes)};
  llvm::append_range(operands, inputs);
  SmallVector<Type> types;
  SmallVector<Split> made;
  for (auto [i, init] : llvm::enumerate(op.getOutputs())) {
    made.push_back(*splits.getNeeded(op, op.getInputs().size() + i));
    operands.push_back(as(init, made.back()));
    types.push_back(operands.back().getType());
  }
  Operation *clone = cloneWith(op, operands, types);
  for (auto [i, result] : llvm::enumerate(clone->getResults()))
    place(op.getResult(i), result, made[i]);
  return success();
}

//===----------------------------------------------------------------------===//
// A sum of each rank
//===----------------------------------------------------------------------===//

/// An elementwise op on tensors of one shape.
static Value elementwise(ImplicitLocOpBuilder &b, ValueRange inputs,
                         RankedTensorType type,
                         function_ref<Value(OpBuilder &, ValueRange)> body) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, inputs[0], dim));
  Value room = tensor::EmptyOp::create(b, type, sizes);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, type, inputs, room, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        linalg::YieldOp::create(inner, loc, body(inner, values));
      });
  return op.getResult(0);
}

/// Whether the op only adds listed numbers or rows to zero.
static bool isPlainSum(TiledOp op) {
  auto ops = op.getRegion().front().getOps<linalg::LinalgOp>();
  if (op.getOutputs().size() != 1 || !llvm::hasSingleElement(ops))
    return false;
  linalg::LinalgOp sum = *ops.begin();
  SmallVector<Operation *> combiner;
  if (sum.getNumDpsInits() != 1 ||
      sum.getDpsInits()[0] != op.getRegion().front().getArguments().back() ||
      !matchReduction(sum.getRegionOutputArgs(), 0, combiner) ||
      combiner.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp>(combiner.front()))
    return false;
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                  matchPattern(fill.getInputs()[0], m_Zero()));
}

Value RankBuilder::ownInverse(InvertOp inverse) {
  Value &made = ownIndexes[inverse.getIndex()];
  if (made)
    return made;
  SmallVector<Value> extents;
  for (Value extent : inverse.getExtents())
    extents.push_back(scalar(extent));
  Value own = ownIndex(inverse.getSource());
  return ownIndexes[inverse.getIndex()] =
             InvertOp::create(b, inverse.getIndex().getType(), own, extents);
}

FailureOr<Value> RankBuilder::buildPartialSum(TiledOp op, InvertOp inverse,
                                              int64_t by) {
  SparseIndexType type = op.getIndexType();
  Value index = ownInverse(inverse), positions;
  SmallVector<Value> operands{Value()};
  for (Value input : op.getInputs()) {
    Split split = splits.get(input);
    operands.push_back(split.kind == Split::Packed ? part(input)
                                                   : whole(input));
    if (split.kind == Split::Packed)
      positions = tensor::DimOp::create(b, operands.back(), split.dim);
  }
  Value rows = ownRows(inverse), owner = rank();
  if (by)
    owner = arith::RemUIOp::create(
        b, arith::AddIOp::create(b, owner, constant(by)), constant(ranks));
  SmallVector<int64_t> extents(type.getExtents().asArrayRef());
  SmallVector<Value> sizes;
  int64_t &segments = extents[1 - type.getCoordinate()];
  if (segments == ShapedType::kDynamic)
    sizes.push_back(rows);
  else
    segments /= ranks;
  if (extents[type.getCoordinate()] == ShapedType::kDynamic)
    sizes.push_back(positions);
  auto [offsets, coords] = listsOf(index);
  Value first = arith::MulIOp::create(b, owner, rows);
  auto own = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr(extents), type.getCoordinate(),
      type.getTile(), type.getWidth());
  operands[0] = AssembleOp::create(b, own, offsetsFrom(b, offsets, first, rows),
                                   coords, sizes);
  operands.push_back(
      as(op.getOutputs()[0], *splits.getNeeded(op, op.getInputs().size())));
  return cloneWith(op, operands, operands.back().getType())->getResult(0);
}

LogicalResult RankBuilder::buildPartialSums(TiledOp op, InvertOp inverse) {
  Type rounded;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Split split = splits.get(input);
    if (splits.getNeeded(op, i)->kind == Split::Rows)
      return op.emitError("cannot be added up by each rank: it reads rows that "
                          "others have");
    if (split.kind == Split::Packed)
      rounded = getElementTypeOrSelf(input.getType());
  }
  if (!isPlainSum(op))
    return op.emitError("cannot be added up by each rank: it is no sum that "
                        "starts from zero");
  Split cut = *splits.getNeeded(op, op.getInputs().size());
  auto type =
      cast<RankedTensorType>(splits.getType(op.getResults()[0].getType(), cut));
  Type element = type.getElementType();
  const bool rounds =
      sums == RankSums::Rounded && isa<FloatType>(element) &&
      isa<FloatType>(rounded) &&
      rounded.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth();
  // What others wait for first, then all of it crosses.
  SmallVector<Value> crossing;
  for (int64_t by = 1; by < ranks; ++by) {
    FailureOr<Value> sum = buildPartialSum(op, inverse, by);
    if (failed(sum))
      return failure();
    crossing.push_back(
        rounds ? elementwise(b, *sum, type.clone(rounded),
                             [&](OpBuilder &inner, ValueRange values) -> Value {
                               return arith::TruncFOp::create(
                                   inner, op.getLoc(), rounded, values[0]);
                             })
               : *sum);
  }
  SmallVector<Value> terms;
  for (auto [i, value] : llvm::enumerate(crossing))
    terms.push_back(shard::ShiftOp::create(
        b, value.getType(), kRankGrid, ArrayRef<int16_t>{0}, value,
        /*shift_axis=*/APInt(64, 0), /*offset=*/int64_t(i + 1),
        /*rotate=*/true));
  FailureOr<Value> own = buildPartialSum(op, inverse, /*by=*/0);
  if (failed(own))
    return failure();
  if (terms.empty()) {
    place(op.getResult(0), *own, cut);
    return success();
  }
  terms.insert(terms.begin(), *own);
  auto add = [&](OpBuilder &inner, ValueRange values) {
    Value sum = values[0];
    for (Value term : values.slice(1, terms.size() - 1)) {
      if (rounds)
        term = arith::ExtFOp::create(inner, op.getLoc(), element, term);
      if (isa<FloatType>(element))
        sum = arith::AddFOp::create(inner, op.getLoc(), sum, term);
      else
        sum = arith::AddIOp::create(inner, op.getLoc(), sum, term);
    }
    return sum;
  };
  Value total = elementwise(b, terms, type, add);
  totals.push_back(total.getDefiningOp());
  place(op.getResult(0), total, cut);
  return success();
}

void RankBuilder::fuseTotals() {
  for (Operation *total : totals) {
    if (!total->hasOneUse())
      continue;
    OpOperand &use = *total->use_begin();
    if (!linalg::areElementwiseOpsFusable(&use))
      continue;
    IRRewriter rewriter(use.getOwner());
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, &use);
    if (failed(fused))
      continue;
    for (auto [old, made] : fused->replacements)
      rewriter.replaceAllUsesWith(old, made);
    rewriter.eraseOp(use.getOwner());
    rewriter.eraseOp(total);
  }
}
