//===- LiveShareSample.cpp - How much of some places is live --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sample is boxes of micro-tiles that lie side by side in memory, so that a
// cache line serves many of them. Boxes are at the same places in each run: the
// number of a box, times a prime, modulo how many fit along a dimension.
//
//===----------------------------------------------------------------------===//

#include "LiveShareSample.h"

#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

static constexpr int64_t kBoxes = 16, kTilesOfBox = 16;
/// In smaller tensors, all values are found about as fast.
static constexpr int64_t kLeastElements = 1 << 15;

namespace {

/// A box of micro-tiles: its extents, and those of one micro-tile.
struct Box {
  SmallVector<int64_t> extents, tile;
  /// The dimension along which micro-tiles lie side by side.
  int64_t inner = 0;
};

} // namespace

static std::optional<Box> chooseBox(DetectOp detect) {
  PatternAttr pattern = detect.getPattern();
  Value source = detect.getSource();
  if (pattern.getKind() != PatternKind::Values || !source)
    return std::nullopt;
  auto type = cast<RankedTensorType>(source.getType());
  Box box;
  box.tile.assign(type.getRank(), 1);
  box.inner = -1;
  int64_t elements = 1;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    const int64_t *axis = llvm::find(pattern.getAxes().asArrayRef(), dim);
    bool isAxis = axis != pattern.getAxes().asArrayRef().end();
    // Elements behind a point would be read along with it.
    if (!isAxis && extent != 1)
      return std::nullopt;
    if (!isAxis)
      continue;
    box.inner = dim;
    box.tile[dim] =
        pattern.getTileExtent(axis - pattern.getAxes().asArrayRef().begin());
    elements *= ShapedType::isDynamic(extent) ? kLeastElements : extent;
  }
  if (box.inner < 0 || elements < kLeastElements)
    return std::nullopt;
  box.extents = box.tile;
  box.extents[box.inner] *= kTilesOfBox;
  for (auto [extent, needed] : llvm::zip_equal(type.getShape(), box.extents))
    if (!ShapedType::isDynamic(extent) && extent < needed)
      return std::nullopt;
  return box;
}

/// Which places a box takes: none fits where a dynamic extent is small.
static SmallVector<Value> createNumPlaces(OpBuilder &b, Location loc,
                                          Value source, const Box &box) {
  SmallVector<Value> places;
  for (auto [dim, extent] : llvm::enumerate(box.extents)) {
    Value all = getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, source, dim));
    Value size = arith::ConstantIndexOp::create(b, loc, extent);
    places.push_back(arith::DivUIOp::create(b, loc, all, size));
  }
  return places;
}

/// The box with a number, as a tensor whose inner dimension is split into
/// micro-tiles.
static Value createSlice(OpBuilder &b, Location loc, Value source,
                         const Box &box, ArrayRef<Value> places, Value number) {
  constexpr int64_t kPrimes[] = {7919, 104729, 1299709, 15485863};
  SmallVector<OpFoldResult> offsets, sizes,
      strides(box.extents.size(), b.getIndexAttr(1));
  for (auto [dim, extent] : llvm::enumerate(box.extents)) {
    Value prime = arith::ConstantIndexOp::create(
        b, loc, kPrimes[dim % std::size(kPrimes)]);
    Value far = arith::MulIOp::create(b, loc, number, prime);
    Value place = arith::RemUIOp::create(b, loc, far, places[dim]);
    Value size = arith::ConstantIndexOp::create(b, loc, extent);
    offsets.push_back(arith::MulIOp::create(b, loc, place, size).getResult());
    sizes.push_back(b.getIndexAttr(extent));
  }
  auto type = RankedTensorType::get(
      box.extents, cast<RankedTensorType>(source.getType()).getElementType());
  Value slice = tensor::ExtractSliceOp::create(b, loc, type, source, offsets,
                                               sizes, strides);
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> split;
  for (auto [dim, extent] : llvm::enumerate(box.extents)) {
    ReassociationIndices &group = groups.emplace_back();
    if (int64_t(dim) == box.inner) {
      group.push_back(split.size());
      split.push_back(kTilesOfBox);
    }
    group.push_back(split.size());
    split.push_back(int64_t(dim) == box.inner ? box.tile[dim] : extent);
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(split, type.getElementType()), slice,
      groups);
}

/// How many micro-tiles of a box hold something that is not zero.
static Value createCount(OpBuilder &b, Location loc, PatternAttr pattern,
                         Value slice, int64_t dimOfTiles) {
  Value isLive =
      linalg::FillOp::create(
          b, loc, Value(arith::ConstantIntOp::create(b, loc, 0, 1)),
          Value(tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{kTilesOfBox},
                                        b.getI1Type())))
          .getResult(0);
  unsigned rank = cast<RankedTensorType>(slice.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  iterators[dimOfTiles] = utils::IteratorType::parallel;
  SmallVector<AffineMap> maps = {
      b.getMultiDimIdentityMap(rank),
      AffineMap::get(rank, 0, b.getAffineDimExpr(dimOfTiles))};
  isLive =
      linalg::GenericOp::create(
          b, loc, TypeRange(isLive.getType()), slice, isLive, maps, iterators,
          [&](OpBuilder &nested, Location loc, ValueRange args) {
            Value live = createIsLive(nested, loc, pattern, args[0]);
            Value any = arith::OrIOp::create(nested, loc, live, args[1]);
            linalg::YieldOp::create(nested, loc, any);
          })
          .getResult(0);
  Value zero = linalg::FillOp::create(
                   b, loc, Value(arith::ConstantIntOp::create(b, loc, 0, 64)),
                   Value(tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{},
                                                 b.getI64Type())))
                   .getResult(0);
  maps = {b.getMultiDimIdentityMap(1), AffineMap::get(1, 0, b.getContext())};
  Value count =
      linalg::GenericOp::create(
          b, loc, TypeRange(zero.getType()), isLive, zero, maps,
          utils::IteratorType::reduction,
          [&](OpBuilder &nested, Location loc, ValueRange args) {
            Value one =
                arith::ExtUIOp::create(nested, loc, b.getI64Type(), args[0]);
            Value sum = arith::AddIOp::create(nested, loc, one, args[1]);
            linalg::YieldOp::create(nested, loc, sum);
          })
          .getResult(0);
  return tensor::ExtractOp::create(b, loc, count, ValueRange());
}

Value mlir::pit::createIsSampleLive(OpBuilder &builder, DetectOp detect,
                                    double share) {
  std::optional<Box> box = chooseBox(detect);
  constexpr double kTiles = kBoxes * kTilesOfBox;
  double error = std::sqrt(share * (1 - share) / kTiles);
  auto most = static_cast<int64_t>(std::ceil((share + 2 * error) * kTiles));
  if (!box || most >= int64_t(kTiles))
    return Value();
  Location loc = detect.getLoc();
  Value source = detect.getSource();
  SmallVector<Value> places = createNumPlaces(builder, loc, source, *box);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1),
        boxes = arith::ConstantIndexOp::create(builder, loc, kBoxes);
  for (Value fits : places) {
    Value isNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         fits, zero);
    boxes = arith::SelectOp::create(builder, loc, isNone, zero, boxes);
  }
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value count = createLoop(
      builder, loc, zero, boxes, one, none,
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        Value slice = createSlice(builder, loc, source, *box, places, number);
        Value live =
            createCount(builder, loc, detect.getPattern(), slice, box->inner);
        return {arith::AddIOp::create(builder, loc, carried[0], live)};
      })[0];
  Value threshold = arith::ConstantIntOp::create(builder, loc, most, 64);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, count,
                               threshold);
}
