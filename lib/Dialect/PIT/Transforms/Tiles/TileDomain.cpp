//===- TileDomain.cpp - Loops over the domain of a tiled op ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileDomain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

Value TileDomain::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Offset of a segment in packed elements.
Value TileDomain::getOffset(Value segment) {
  Value offset = loadNumber(offsets, segment);
  Value position =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), offset);
  return math.value(
      math.mul(position, builder.getIndexAttr(type.getCoordinateTile())));
}

/// End of a segment in packed elements: its last micro-tile may be cut by the
/// end of the pattern space. Only the last one can be, as coordinates ascend.
Value TileDomain::createSegmentEnd(Value segment) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value next = arith::AddIOp::create(builder, loc, segment, one);
  Value end = getOffset(next);
  int64_t tile = type.getCoordinateTile();
  OpFoldResult extent = extents[type.getCoordinate()];
  std::optional<int64_t> constant = getConstantIntValue(extent);
  if (tile == 1 || (constant && *constant % tile == 0))
    return end;
  Value begin = getOffset(segment);
  Value isEmpty =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, begin, end);
  auto guarded = scf::IfOp::create(
      builder, loc, TypeRange(builder.getIndexType()), isEmpty,
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  scf::YieldOp::create(builder, loc, end);
  builder.setInsertionPointToStart(guarded.elseBlock());
  Value tileValue = arith::ConstantIndexOp::create(builder, loc, tile);
  Value count = arith::DivUIOp::create(builder, loc, end, tileValue);
  Value last = arith::SubIOp::create(builder, loc, count, one);
  Value coordinate = loadNumber(coords, last);
  Value number = arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), coordinate);
  OpFoldResult start = math.mul(number, builder.getIndexAttr(tile));
  OpFoldResult live =
      math.min(builder.getIndexAttr(tile), math.sub(extent, start));
  OpFoldResult missing = math.sub(builder.getIndexAttr(tile), live);
  scf::YieldOp::create(builder, loc, math.value(math.sub(end, missing)));
  return guarded.getResult(0);
}

TileDomain::Slice TileDomain::getSlice(unsigned operand, Value value,
                                       const Tile &tile) {
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  bool packed = op.getPacked()[operand];
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  SmallVector<int64_t> segmentDims = type.getSegmentDims();
  Slice slice;
  for (int64_t dim = 0; dim < rank; ++dim) {
    OpFoldResult offset = builder.getIndexAttr(0);
    OpFoldResult size = getExtent(value, dim);
    bool dropped = false;
    const auto *it = llvm::find(dims, dim);
    if (it != dims.end()) {
      int64_t patternDim = it - dims.begin();
      if (patternDim == type.getCoordinate()) {
        if (packed) {
          offset = tile.first;
          size = tile.size;
          slice.isWhole = false;
        } else {
          slice.coordinate = slice.shape.size();
        }
      } else {
        size_t segment =
            llvm::find(segmentDims, patternDim) - segmentDims.begin();
        size = tile.segment.sizes[segment];
        if (!packed) {
          offset = tile.segment.offsets[segment];
          dropped = type.getTile()[patternDim] == 1;
        }
        slice.isWhole = false;
      }
    }
    slice.offsets.push_back(offset);
    slice.sizes.push_back(size);
    slice.strides.push_back(builder.getIndexAttr(1));
    if (dropped)
      slice.dropped.push_back(dim);
    else
      slice.shape.push_back(
          getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  return slice;
}

Value TileDomain::createNumSegments() {
  return math.value(pit::createNumSegments(builder, loc, type, extents));
}

SmallVector<Value> TileDomain::createTileLoop(Value begin, Value end,
                                              Value step, SegmentSlice segment,
                                              ValueRange carried) {
  Value most = constant(op.getTileSize());
  return createLoop(builder, loc, begin, end, step, carried,
                    [&](Value first, ValueRange values) {
                      Value rest =
                          arith::SubIOp::create(builder, loc, end, first);
                      Value size =
                          arith::MinUIOp::create(builder, loc, rest, most);
                      return createTile({first, size, segment}, values);
                    });
}

/// A list of several segments may be a part of a longer one.
Value TileDomain::createFirstPosition() {
  Value zero = constant(0);
  return type.getRank() > 1 ? getOffset(zero) : zero;
}

SmallVector<Value> TileDomain::createLoops(ValueRange carried) {
  Value zero = constant(0), tile = constant(op.getTileSize());
  Value numSegments = createNumSegments();
  if (op.getFlat())
    return createTileLoop(createFirstPosition(), getOffset(numSegments), tile,
                          SegmentSlice(), carried);
  return createLoop(
      builder, loc, zero, numSegments, constant(1), carried,
      [&](Value segment, ValueRange values) {
        SegmentSlice slice =
            createSegmentSlice(builder, loc, type, extents, segment);
        Value begin = getOffset(segment);
        Value end = createSegmentEnd(segment);
        return createTileLoop(begin, end, tile, std::move(slice), values);
      });
}

void TileDomain::createLoopsOfBlock(Value block, Value numBlocks) {
  Value zero = constant(0), tile = constant(op.getTileSize());
  Value step = arith::MulIOp::create(builder, loc, numBlocks, tile);
  Value numSegments = createNumSegments();
  auto firstOf = [&](Value begin, Value number) -> Value {
    Value distance = arith::MulIOp::create(builder, loc, number, tile);
    return arith::AddIOp::create(builder, loc, begin, distance);
  };
  if (op.getFlat()) {
    createTileLoop(firstOf(createFirstPosition(), block),
                   getOffset(numSegments), step, SegmentSlice(), ValueRange());
    return;
  }
  // Which tile of the next segment is the block's.
  createLoop(
      builder, loc, zero, numSegments, constant(1), block,
      [&](Value segment, ValueRange next) -> SmallVector<Value> {
        SegmentSlice slice =
            createSegmentSlice(builder, loc, type, extents, segment);
        Value begin = getOffset(segment);
        Value end = createSegmentEnd(segment);
        createTileLoop(firstOf(begin, next[0]), end, step, std::move(slice),
                       ValueRange());
        Value count = arith::SubIOp::create(builder, loc, end, begin);
        Value tiles = arith::CeilDivUIOp::create(builder, loc, count, tile);
        Value used = arith::RemUIOp::create(builder, loc, tiles, numBlocks);
        Value moved = arith::AddIOp::create(builder, loc, next[0], numBlocks);
        moved = arith::SubIOp::create(builder, loc, moved, used);
        return {arith::RemUIOp::create(builder, loc, moved, numBlocks)};
      });
}

void TileDomain::createSegmentsOfBlock(Value block, Value numBlocks) {
  Value tile = constant(op.getTileSize());
  createLoop(builder, loc, block, createNumSegments(), numBlocks, ValueRange(),
             [&](Value segment, ValueRange) {
               SegmentSlice slice =
                   createSegmentSlice(builder, loc, type, extents, segment);
               Value begin = getOffset(segment);
               Value end = createSegmentEnd(segment);
               return createTileLoop(begin, end, tile, std::move(slice),
                                     ValueRange());
             });
}
