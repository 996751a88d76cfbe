//===- Reshard.cpp - From one split of a value to another -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ranks pass on of dense values: parts to a whole, and partial results to
// one. A rank reads the partial results of all ranks where they are, and
// combines them in the order of ranks, so that all ranks have the same bits.
// With three ranks or more, each combines a part of a large result, and parts
// are gathered: 2 (R - 1) / R of its bytes cross for each rank, as many as
// with a ring, in place of R - 1 times its bytes.
//
//===----------------------------------------------------------------------===//

#include "RankBuilder.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::pit;

OpFoldResult RankBuilder::extent(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return b.getIndexAttr(type.getDimSize(dim));
  return tensor::DimOp::create(b, tensor, dim).getResult();
}

static SmallVector<Value> getDynamic(ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> made;
  for (OpFoldResult size : sizes)
    if (auto value = dyn_cast<Value>(size))
      made.push_back(value);
  return made;
}

Value RankBuilder::convert(Value value, RankedTensorType whole, Split from,
                           Split to) {
  if (ranks == 1 || from == to)
    return value;
  if (from.isCut())
    value = gather(value, whole, from);
  return to.isCut() ? slice(value, to) : value;
}

/// Groups of dimensions that join `dim` with the ones behind it, which are
/// `count` in all, to one.
static SmallVector<ReassociationIndices> getJoined(int64_t rank, int64_t dim,
                                                   int64_t count) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t i = 0; i < rank; ++i) {
    groups.emplace_back();
    for (int64_t k = 0; k < (i == dim ? count : 1); ++k)
      groups.back().push_back(next++);
  }
  return groups;
}

Value RankBuilder::slice(Value value, Split split) {
  const int64_t dim = split.dim;
  auto type = cast<RankedTensorType>(value.getType());
  auto made = cast<RankedTensorType>(splits.getType(type, split));
  if (split.pieces > 1) {
    // Pieces are a dimension of their own, in front of what is cut.
    SmallVector<OpFoldResult> sizes;
    SmallVector<int64_t> shape;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i == dim) {
        shape.push_back(split.pieces);
        sizes.push_back(b.getIndexAttr(split.pieces));
        shape.push_back(type.getDimSize(i) / split.pieces);
        sizes.push_back(b.getIndexAttr(shape.back()));
      } else {
        shape.push_back(type.getDimSize(i));
        sizes.push_back(extent(value, i));
      }
    }
    SmallVector<ReassociationIndices> groups =
        getJoined(type.getRank(), dim, 2);
    Value pieces = tensor::ExpandShapeOp::create(b, type.clone(shape), value,
                                                 groups, sizes);
    return tensor::CollapseShapeOp::create(
        b, made, slice(pieces, Split::along(dim + 1)), groups);
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)), sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(extent(value, i));
  Value size =
      made.isDynamicDim(dim)
          ? arith::DivUIOp::create(b, cast<Value>(sizes[dim]), constant(ranks))
                .getResult()
          : constant(made.getDimSize(dim));
  sizes[dim] = made.isDynamicDim(dim)
                   ? OpFoldResult(size)
                   : OpFoldResult(b.getIndexAttr(made.getDimSize(dim)));
  offsets[dim] = arith::MulIOp::create(b, rank(), size).getResult();
  return tensor::ExtractSliceOp::create(b, made, value, offsets, sizes,
                                        strides);
}

Value RankBuilder::gather(Value part, RankedTensorType whole, Split split) {
  const int64_t dim = split.dim;
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(0))
    shape[0] *= ranks;
  // Hosts put parts one behind the other.
  Value all =
      shard::AllGatherOp::create(b, type.clone(shape), kRankGrid,
                                 ArrayRef<int16_t>{0}, part, APInt(64, 0));
  if (dim == 0 && split.pieces == 1)
    return all;
  // [R, a, .., pieces, n, ..] to [a, .., pieces, R, n, ..]. As [R * a, ..] is
  // joined, the first dimension is expanded at once.
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(ranks)};
  SmallVector<int64_t> extents{ranks}, permutation;
  SmallVector<ReassociationIndices> outer;
  int64_t next = 0;
  auto add = [&](int64_t size, OpFoldResult value,
                 ReassociationIndices &group) {
    extents.push_back(size);
    sizes.push_back(value);
    group.push_back(++next);
    permutation.push_back(next);
  };
  for (int64_t i = 0; i < type.getRank(); ++i) {
    ReassociationIndices group;
    if (i == 0)
      group.push_back(0);
    if (i == dim && split.pieces > 1)
      add(split.pieces, b.getIndexAttr(split.pieces), group);
    if (i == dim)
      permutation.push_back(0);
    if (i == dim && split.pieces > 1) {
      int64_t size = type.getDimSize(i) / split.pieces;
      add(size, b.getIndexAttr(size), group);
    } else {
      add(type.getDimSize(i), extent(part, i), group);
    }
    outer.push_back(group);
  }
  Value stack =
      tensor::ExpandShapeOp::create(b, type.clone(extents), all, outer, sizes);
  SmallVector<OpFoldResult> moved;
  SmallVector<int64_t> movedShape;
  for (int64_t from : permutation) {
    moved.push_back(sizes[from]);
    movedShape.push_back(extents[from]);
  }
  Value room =
      tensor::EmptyOp::create(b, type.clone(movedShape), getDynamic(moved));
  Value turned =
      linalg::TransposeOp::create(b, stack, room, permutation)->getResult(0);
  return tensor::CollapseShapeOp::create(
      b, whole, turned,
      getJoined(type.getRank(), dim, split.pieces > 1 ? 3 : 2));
}

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

Value RankBuilder::combine(ValueRange terms, RankedTensorType type,
                           Operation *combiner) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(extent(terms[0], dim));
  Value room = tensor::EmptyOp::create(b, type, getDynamic(sizes));
  SmallVector<AffineMap> maps(terms.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  Location loc = b.getLoc();
  auto add = [&](OpBuilder &inner, Value left, Value right) -> Value {
    if (combiner) {
      Operation *clone = inner.clone(*combiner);
      clone->setOperands({left, right});
      return clone->getResult(0);
    }
    if (isa<FloatType>(type.getElementType()))
      return arith::AddFOp::create(inner, loc, left, right);
    return arith::AddIOp::create(inner, loc, left, right);
  };
  auto op = linalg::GenericOp::create(
      b, type, terms, room, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        Value sum = values[0];
        for (Value term : values.slice(1, terms.size() - 1))
          sum = add(inner, sum, term);
        linalg::YieldOp::create(inner, loc, sum);
      });
  totals.push_back(op);
  return op.getResult(0);
}

Value RankBuilder::neutral(Value like, RankedTensorType type,
                           Operation *combiner) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(extent(like, dim));
  Value room = tensor::EmptyOp::create(b, type, getDynamic(sizes));
  TypedAttr number = combiner ? *arith::getNeutralElement(combiner)
                              : b.getZeroAttr(type.getElementType());
  Value start = arith::ConstantOp::create(b, number);
  return linalg::FillOp::create(b, start, room).getResult(0);
}

static std::optional<shard::ReductionKind> getKind(Operation *combiner) {
  if (!combiner || isa<arith::AddFOp, arith::AddIOp>(combiner))
    return shard::ReductionKind::Sum;
  return std::nullopt;
}

Value RankBuilder::reduceByHost(Value partial, Operation *combiner) {
  std::optional<shard::ReductionKind> kind = getKind(combiner);
  Type element = getElementTypeOrSelf(partial.getType());
  // What the host's call knows: floats of 16 bits and more, and integers.
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  const bool isKnown = width == 32 || width == 64 ||
                       width == (isa<FloatType>(element) ? 16u : 8u);
  if (!kind || !isKnown)
    return {};
  return shard::AllReduceOp::create(b, partial.getType(), kRankGrid,
                                    ArrayRef<int16_t>{0}, partial, *kind);
}

/// Bytes of a tensor; a large number if its extents are not known.
static int64_t getBytes(RankedTensorType type) {
  if (!type.hasStaticShape())
    return int64_t(1) << 40;
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

Value RankBuilder::reduce(Value partial, Operation *combiner, Split split,
                          Value start) {
  auto type = cast<RankedTensorType>(partial.getType());
  auto made = cast<RankedTensorType>(splits.getType(type, split));
  // In one piece.
  if (split.pieces > 1)
    return slice(reduce(partial, combiner, {},
                        start ? gather(start, type, split) : start),
                 split);
  if (ranks == 1)
    return start ? combine({start, partial}, type, combiner) : partial;
  if (reduction.byHost)
    if (Value sum = reduceByHost(partial, combiner)) {
      sum = convert(sum, type, {}, split);
      return start ? combine({start, sum}, made, combiner) : sum;
    }
  if (!split.isCut() && ranks > 2 && type.getRank() > 0 &&
      getBytes(type) >= reduction.leastBytes && !type.isDynamicDim(0) &&
      type.getDimSize(0) % ranks == 0) {
    Value own = reduce(partial, combiner, Split::along(0),
                       start ? slice(start, Split::along(0)) : Value());
    return gather(own, type, Split::along(0));
  }
  // A number is an array of one.
  if (type.getRank() == 0) {
    auto array = type.clone({int64_t(1)});
    SmallVector<ReassociationIndices> none;
    auto expand = [&](Value value) -> Value {
      return tensor::ExpandShapeOp::create(b, array, value, none);
    };
    Value sum = reduce(expand(partial), combiner, split,
                       start ? expand(start) : Value());
    return tensor::CollapseShapeOp::create(b, type, sum, none);
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = ShapedType::kDynamic;
  auto all =
      shard::AllGatherOp::create(b, type.clone(shape), kRankGrid,
                                 ArrayRef<int16_t>{0}, partial, APInt(64, 0));
  all->setAttr("pit.in_place", b.getUnitAttr());
  Value pitch = arith::DivUIOp::create(
      b, tensor::DimOp::create(b, all.getResult(), constant(0)),
      constant(ranks));
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)), sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(extent(partial, dim));
  Value first = constant(0);
  if (split.isCut()) {
    OpFoldResult &size = sizes[split.dim];
    Value part;
    if (made.isDynamicDim(split.dim)) {
      part = arith::DivUIOp::create(b, cast<Value>(size), constant(ranks));
      size = part;
    } else {
      part = constant(made.getDimSize(split.dim));
      size = b.getIndexAttr(made.getDimSize(split.dim));
    }
    first = arith::MulIOp::create(b, rank(), part);
    offsets[split.dim] = first;
  }
  SmallVector<Value> terms;
  if (start)
    terms.push_back(start);
  for (int64_t peer = 0; peer < ranks; ++peer) {
    Value row = arith::MulIOp::create(b, pitch, constant(peer));
    if (split.isCut() && split.dim == 0)
      row = arith::AddIOp::create(b, row, first);
    offsets[0] = row;
    terms.push_back(tensor::ExtractSliceOp::create(b, made, all.getResult(),
                                                   offsets, sizes, strides));
  }
  return combine(terms, made, combiner);
}
