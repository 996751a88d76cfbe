//===- ExpandTiles.cpp - Level 3 to loops ---------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pit.tiled becomes
//
//   for segment s:                                   (absent in a flat domain)
//     for p = first packed element of s, step tile:
//       tiles = slices and gathers of the operands
//       results = region(tiles)
//       outputs = results written back
//
// in ascending order, so that sums over the coordinate or across segments keep
// the program's order.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "IndexExtents.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITEXPANDTILES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// One tile of the domain, in packed elements.
struct DomainTile {
  Value first, size;
  SegmentSlice segment;
};

class TileExpander {
public:
  TileExpander(TiledOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()), math(builder, loc),
        type(op.getIndexType()) {}

  FailureOr<SmallVector<Value>> run();

private:
  Value getOffset(Value segment);
  Value createSegmentEnd(Value segment);
  SmallVector<Value> createTileLoop(Value begin, Value end,
                                    SegmentSlice segment, ValueRange outputs);
  SmallVector<Value> createTileBody(const DomainTile &tile, ValueRange outputs);
  Value readTile(unsigned operand, Value value, const DomainTile &tile);
  Value writeTile(unsigned operand, Value result, Value dest,
                  const DomainTile &tile);

  /// The slice of an operand that a tile touches before anything is gathered.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    RankedTensorType type;
    /// The coordinate dimension of the slice, -1 without one.
    int64_t coordinate = -1;
    bool isWhole = true;
  };
  Slice getSlice(unsigned operand, Value value, const DomainTile &tile);
  SmallVector<int64_t> getGatherDims(int64_t coordinate) const {
    SmallVector<int64_t> dims(type.getRank(), -1);
    dims[type.getCoordinate()] = coordinate;
    return dims;
  }

  TiledOp op;
  OpBuilder &builder;
  Location loc;
  ExtentMath math;
  SparseIndexType type;
  SmallVector<OpFoldResult> extents;
  Value offsets, coords;
};

} // namespace

/// Offset of a segment in packed elements.
Value TileExpander::getOffset(Value segment) {
  Value offset = tensor::ExtractOp::create(builder, loc, offsets, segment);
  Value position =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), offset);
  return math.value(
      math.mul(position, builder.getIndexAttr(type.getCoordinateTile())));
}

/// End of a segment in packed elements: its last micro-tile may be cut by the
/// end of the pattern space. Only the last one can be, as coordinates ascend.
Value TileExpander::createSegmentEnd(Value segment) {
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
  Value coordinate = tensor::ExtractOp::create(builder, loc, coords, last);
  Value number = arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), coordinate);
  OpFoldResult start = math.mul(number, builder.getIndexAttr(tile));
  OpFoldResult live =
      math.min(builder.getIndexAttr(tile), math.sub(extent, start));
  OpFoldResult missing = math.sub(builder.getIndexAttr(tile), live);
  scf::YieldOp::create(builder, loc, math.value(math.sub(end, missing)));
  return guarded.getResult(0);
}

TileExpander::Slice TileExpander::getSlice(unsigned operand, Value value,
                                           const DomainTile &tile) {
  auto valueType = cast<RankedTensorType>(value.getType());
  bool packed = op.getPacked()[operand];
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  SmallVector<int64_t> segmentDims = type.getSegmentDims();
  Slice slice;
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < valueType.getRank(); ++dim) {
    OpFoldResult offset = builder.getIndexAttr(0);
    OpFoldResult size = tensor::getMixedSize(builder, loc, value, dim);
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
          slice.coordinate = shape.size();
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
    if (!dropped)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  slice.type = RankedTensorType::get(shape, valueType.getElementType());
  return slice;
}

Value TileExpander::readTile(unsigned operand, Value value,
                             const DomainTile &tile) {
  Slice slice = getSlice(operand, value, tile);
  Value read = value;
  if (!slice.isWhole)
    read = tensor::ExtractSliceOp::create(builder, loc, slice.type, value,
                                          slice.offsets, slice.sizes,
                                          slice.strides);
  Type wanted = op.getRegion().front().getArgument(operand).getType();
  if (slice.coordinate >= 0) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(read.getType()).getShape());
    shape[slice.coordinate] = ShapedType::kDynamic;
    SmallVector<Value> dynamic;
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (static_cast<int64_t>(dim) == slice.coordinate)
        dynamic.push_back(tile.size);
      else if (ShapedType::isDynamic(extent))
        dynamic.push_back(tensor::DimOp::create(builder, loc, read, dim));
    auto tileType = RankedTensorType::get(shape, slice.type.getElementType());
    read = SReadOp::create(
        builder, loc, tileType, read, op.getIndex(),
        ValueRange{tile.first, tile.size}, dynamic,
        builder.getDenseI64ArrayAttr(getGatherDims(slice.coordinate)));
  }
  if (read.getType() != wanted)
    read = tensor::CastOp::create(builder, loc, wanted, read);
  return read;
}

Value TileExpander::writeTile(unsigned operand, Value result, Value dest,
                              const DomainTile &tile) {
  Slice slice = getSlice(operand, dest, tile);
  Value written = result;
  if (slice.coordinate >= 0) {
    Value into = dest;
    if (!slice.isWhole)
      into = tensor::ExtractSliceOp::create(builder, loc, slice.type, dest,
                                            slice.offsets, slice.sizes,
                                            slice.strides);
    written = SWriteOp::create(
        builder, loc, into.getType(), result, into, op.getIndex(),
        ValueRange{tile.first, tile.size}, WriteMode::Store,
        builder.getDenseI64ArrayAttr(getGatherDims(slice.coordinate)));
  } else if (result.getType() != slice.type) {
    written = tensor::CastOp::create(
        builder, loc, slice.isWhole ? dest.getType() : slice.type, result);
  }
  if (slice.isWhole)
    return written;
  return tensor::InsertSliceOp::create(
      builder, loc, written, dest, slice.offsets, slice.sizes, slice.strides);
}

SmallVector<Value> TileExpander::createTileBody(const DomainTile &tile,
                                                ValueRange outputs) {
  Block &body = op.getRegion().front();
  IRMapping mapping;
  size_t numInputs = op.getInputs().size();
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    mapping.map(body.getArgument(i), readTile(i, input, tile));
  for (auto [k, output] : llvm::enumerate(outputs))
    mapping.map(body.getArgument(numInputs + k),
                readTile(numInputs + k, output, tile));
  for (Operation &nested : body.without_terminator())
    builder.clone(nested, mapping);
  SmallVector<Value> results;
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [k, output] : llvm::enumerate(outputs))
    results.push_back(writeTile(numInputs + k,
                                mapping.lookupOrDefault(yield.getValues()[k]),
                                output, tile));
  return results;
}

SmallVector<Value> TileExpander::createTileLoop(Value begin, Value end,
                                                SegmentSlice segment,
                                                ValueRange outputs) {
  Value step = arith::ConstantIndexOp::create(builder, loc, op.getTileSize());
  return createLoop(builder, loc, begin, end, step, outputs,
                    [&](Value first, ValueRange carried) {
                      Value rest =
                          arith::SubIOp::create(builder, loc, end, first);
                      Value size =
                          arith::MinUIOp::create(builder, loc, rest, step);
                      return createTileBody({first, size, segment}, carried);
                    });
}

FailureOr<SmallVector<Value>> TileExpander::run() {
  if (op.isOnBuffers())
    return op.emitOpError(
        "lies on buffers already; expand it before bufferization");
  extents = getIndexExtents(builder, loc,
                            cast<TypedValue<SparseIndexType>>(op.getIndex()));
  auto listType = [&](int64_t width) {
    return RankedTensorType::get({ShapedType::kDynamic},
                                 builder.getIntegerType(width));
  };
  offsets = OffsetsOp::create(builder, loc, listType(64), op.getIndex());
  coords =
      CoordsOp::create(builder, loc, listType(type.getWidth()), op.getIndex());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value numSegments =
      math.value(createNumSegments(builder, loc, type, extents));
  if (op.getFlat())
    return createTileLoop(zero, getOffset(numSegments), SegmentSlice(),
                          op.getOutputs());

  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return createLoop(
      builder, loc, zero, numSegments, one, op.getOutputs(),
      [&](Value segment, ValueRange carried) {
        SegmentSlice slice =
            createSegmentSlice(builder, loc, type, extents, segment);
        Value begin = getOffset(segment);
        Value end = createSegmentEnd(segment);
        return createTileLoop(begin, end, std::move(slice), carried);
      });
}

namespace {
struct PITExpandTiles : pit::impl::PITExpandTilesBase<PITExpandTiles> {
  void runOnOperation() override {
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    for (TiledOp op : worklist) {
      OpBuilder builder(op);
      FailureOr<SmallVector<Value>> results = TileExpander(op, builder).run();
      if (failed(results))
        return signalPassFailure();
      op->replaceAllUsesWith(*results);
      op->erase();
    }
  }
};
} // namespace
