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
// the program's order. On buffers see BufferTiles.h.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/Support/Remarks.h"

#include "Dialect/PIT/Transforms/Bufferize/BufferTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

class TensorTiles : public TileDomain {
public:
  using TileDomain::TileDomain;
  SmallVector<Value> run();

private:
  Value loadNumber(Value list, Value position) override {
    return tensor::ExtractOp::create(builder, loc, list, position);
  }
  OpFoldResult getExtent(Value operand, int64_t dim) override {
    return tensor::getMixedSize(builder, loc, operand, dim);
  }
  SmallVector<Value> createTile(const Tile &tile, ValueRange outputs) override;

  Value readTile(unsigned operand, Value value, const Tile &tile);
  Value writeTile(unsigned operand, Value result, Value dest, const Tile &tile);
  SmallVector<int64_t> getGatherDims(int64_t coordinate) const {
    SmallVector<int64_t> dims(type.getRank(), -1);
    dims[type.getCoordinate()] = coordinate;
    return dims;
  }
};

} // namespace

/// A static extent of 0, of which the verifier takes every offset to be out of
/// bounds.
static bool hasNoElements(Value value) {
  return llvm::is_contained(cast<RankedTensorType>(value.getType()).getShape(),
                            0);
}

static RankedTensorType getSliceType(ArrayRef<int64_t> shape, Value value) {
  return RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
}

Value TensorTiles::readTile(unsigned operand, Value value, const Tile &tile) {
  Slice slice = getSlice(operand, value, tile);
  Value read = value;
  if (!slice.isWhole && hasNoElements(value)) {
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(slice.sizes))
      if (!llvm::is_contained(slice.dropped, static_cast<int64_t>(dim)))
        sizes.push_back(size);
    read = tensor::EmptyOp::create(builder, loc, sizes,
                                   getElementTypeOrSelf(value.getType()));
  } else if (!slice.isWhole)
    read = tensor::ExtractSliceOp::create(
        builder, loc, getSliceType(slice.shape, value), value, slice.offsets,
        slice.sizes, slice.strides);
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
    auto tileType = getSliceType(shape, read);
    read = SReadOp::create(
        builder, loc, tileType, read, op.getIndex(),
        ValueRange{tile.first, tile.size}, dynamic,
        builder.getDenseI64ArrayAttr(getGatherDims(slice.coordinate)));
  }
  if (read.getType() != wanted)
    read = tensor::CastOp::create(builder, loc, wanted, read);
  return read;
}

Value TensorTiles::writeTile(unsigned operand, Value result, Value dest,
                             const Tile &tile) {
  Slice slice = getSlice(operand, dest, tile);
  if (!slice.isWhole && hasNoElements(dest))
    return dest;
  Value written = result;
  if (slice.coordinate >= 0) {
    Value into = dest;
    if (!slice.isWhole)
      into = tensor::ExtractSliceOp::create(
          builder, loc, getSliceType(slice.shape, dest), dest, slice.offsets,
          slice.sizes, slice.strides);
    written = SWriteOp::create(
        builder, loc, into.getType(), result, into, op.getIndex(),
        ValueRange{tile.first, tile.size}, WriteMode::Store,
        builder.getDenseI64ArrayAttr(getGatherDims(slice.coordinate)));
  } else if (result.getType() != getSliceType(slice.shape, dest)) {
    written = tensor::CastOp::create(
        builder, loc,
        slice.isWhole ? dest.getType() : getSliceType(slice.shape, dest),
        result);
  }
  if (slice.isWhole)
    return written;
  return tensor::InsertSliceOp::create(
      builder, loc, written, dest, slice.offsets, slice.sizes, slice.strides);
}

SmallVector<Value> TensorTiles::createTile(const Tile &tile,
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

SmallVector<Value> TensorTiles::run() {
  extents = getIndexExtents(builder, loc, type, op.getIndex());
  auto listType = [&](int64_t width) {
    return RankedTensorType::get({ShapedType::kDynamic},
                                 builder.getIntegerType(width));
  };
  offsets = OffsetsOp::create(builder, loc, listType(64), op.getIndex());
  coords =
      CoordsOp::create(builder, loc, listType(type.getWidth()), op.getIndex());
  return createLoops(op.getOutputs());
}

namespace {
struct PITExpandTiles : pit::impl::PITExpandTilesBase<PITExpandTiles> {
  using PITExpandTilesBase::PITExpandTilesBase;

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    if (numBlocks < 0) {
      getOperation().emitError("blocks must not be negative, got ")
          << numBlocks.getValue();
      return signalPassFailure();
    }
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    for (TiledOp op : worklist) {
      OpBuilder builder(op);
      remarks::kernel(op, "loop over listed tiles");
      if (op.isOnBuffers()) {
        expandTilesOnBuffers(op, numBlocks);
        continue;
      }
      op->replaceAllUsesWith(TensorTiles(op, builder).run());
      op->erase();
    }
  }
};
} // namespace
