//===- BufferTiles.cpp - Tiled ops on buffers to loops --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferTiles.h"

#include "Dialect/PIT/Transforms/Bufferize/BufferizationModels.h"
#include "Dialect/PIT/Transforms/Bufferize/MicroTileRuns.h"
#include "Dialect/PIT/Transforms/Tiles/TileRegions.h"

#include "PIT/Dialect/PIT/IR/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What may be computed at the same time as what.
enum class Parallelism { None, Segments, Tiles };

class BufferTiles : public TileDomain {
public:
  using TileDomain::TileDomain;
  void run(int64_t numBlocks);

private:
  Value loadNumber(Value list, Value position) override {
    return memref::LoadOp::create(builder, loc, list, position);
  }
  OpFoldResult getExtent(Value operand, int64_t dim) override {
    return memref::getMixedSize(builder, loc, operand, dim);
  }
  SmallVector<Value> createTile(const Tile &tile, ValueRange) override;

  /// Micro-tiles that were gathered, and where they belong.
  struct Gathered {
    Value full, packed;
    int64_t dim;
  };
  Value gather(Value view, const Slice &slice, const Tile &tile, bool isRead,
               SmallVectorImpl<Gathered> &gathered);
  Parallelism getParallelism();
  Value createNumBlocks(Parallelism parallelism, int64_t most);
};

} // namespace

Value BufferTiles::gather(Value view, const Slice &slice, const Tile &tile,
                          bool isRead, SmallVectorImpl<Gathered> &gathered) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, view);
  sizes[slice.coordinate] = tile.size;
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  Type element = getElementTypeOrSelf(view.getType());
  Value packed = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, element), dynamic);
  gathered.push_back({view, packed, slice.coordinate});
  if (isRead)
    createRunLoop(builder, loc, type, op.getIndex(), tile.first, tile.size,
                  [&](const Run &run) {
                    Value from =
                        createSlab(builder, loc, view, slice.coordinate,
                                   run.full, run.size);
                    Value to =
                        createSlab(builder, loc, packed, slice.coordinate,
                                   run.packed, run.size);
                    memref::CopyOp::create(builder, loc, from, to);
                  });
  return packed;
}

SmallVector<Value> BufferTiles::createTile(const Tile &tile, ValueRange) {
  Block &body = op.getRegion().front();
  size_t numInputs = op.getInputs().size();
  IRMapping mapping;
  SmallVector<Gathered> inputs, outputs;
  for (BlockArgument argument : body.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isInput = i < numInputs;
    Value operand = op->getOperand(1 + i);
    Slice slice = getSlice(i, operand, tile);
    Value view = operand;
    if (!slice.isWhole)
      view = createView(builder, loc, view, slice.offsets, slice.sizes,
                        slice.dropped);
    if (slice.coordinate >= 0)
      view = gather(view, slice, tile, isInput || !isOverwritten(argument),
                    isInput ? inputs : outputs);
    if (view.getType() != argument.getType())
      view = memref::CastOp::create(builder, loc, argument.getType(), view);
    mapping.map(argument, view);
  }
  for (Operation &nested : body.without_terminator())
    builder.clone(nested, mapping);
  for (const Gathered &output : outputs)
    createRunLoop(builder, loc, type, op.getIndex(), tile.first, tile.size,
                  [&](const Run &run) {
                    Value from = createSlab(builder, loc, output.packed,
                                            output.dim, run.packed, run.size);
                    Value to = createSlab(builder, loc, output.full, output.dim,
                                          run.full, run.size);
                    memref::CopyOp::create(builder, loc, from, to);
                  });
  return {};
}

Parallelism BufferTiles::getParallelism() {
  size_t numInputs = op.getInputs().size();
  bool segmentsApart = true, tilesApart = true;
  for (size_t i = numInputs; i < numInputs + op.getOutputs().size(); ++i) {
    if (op.getPacked()[i])
      continue;
    ArrayRef<int64_t> dims = op.getOperandDims(i);
    tilesApart &= dims[type.getCoordinate()] >= 0;
    for (int64_t segment : type.getSegmentDims())
      segmentsApart &= dims[segment] >= 0;
  }
  if (!segmentsApart)
    return Parallelism::None;
  // In a flat domain tiles cross segments.
  bool hasSegments = type.getRank() > 1 && !op.getFlat();
  // A block that looks for its tiles visits all segments. Where none has more
  // than one tile, it need not.
  int64_t extent = type.getExtents()[type.getCoordinate()];
  bool hasOneTile =
      !ShapedType::isDynamic(extent) && extent <= int64_t(op.getTileSize());
  if (tilesApart && !(hasSegments && hasOneTile))
    return Parallelism::Tiles;
  return hasSegments ? Parallelism::Segments : Parallelism::None;
}

/// As many blocks as there can be work for: the host knows how many micro-tiles
/// the list has room for, not how many it holds.
Value BufferTiles::createNumBlocks(Parallelism parallelism, int64_t most) {
  Value limit = arith::ConstantIndexOp::create(builder, loc, most);
  Value count = createNumSegments();
  if (parallelism == Parallelism::Tiles) {
    Value room = memref::DimOp::create(builder, loc, coords, 0);
    Value perTile = arith::ConstantIndexOp::create(
        builder, loc, op.getTileSize() / type.getCoordinateTile());
    Value tiles = arith::CeilDivUIOp::create(builder, loc, room, perTile);
    // Each segment may end with a tile that is not full.
    count = arith::AddIOp::create(builder, loc, tiles, count);
  }
  count = arith::MinUIOp::create(builder, loc, count, limit);
  // Without segments there is still a block, which finds nothing to do.
  return arith::MaxUIOp::create(
      builder, loc, count, arith::ConstantIndexOp::create(builder, loc, 1));
}

void BufferTiles::run(int64_t numBlocks) {
  extents = getIndexExtents(builder, loc, type, op.getIndex());
  offsets = OffsetsOp::create(
      builder, loc, getListType(64, builder.getContext()), op.getIndex());
  coords = CoordsOp::create(builder, loc,
                            getListType(type.getWidth(), builder.getContext()),
                            op.getIndex());
  Parallelism parallelism =
      numBlocks != 0 && isa<func::FuncOp>(op->getParentOp())
          ? getParallelism()
          : Parallelism::None;
  if (parallelism == Parallelism::None) {
    createLoops(ValueRange());
    return;
  }
  Value blocks = createNumBlocks(parallelism, numBlocks);
  auto mapping = gpu::GPUBlockMappingAttr::get(builder.getContext(),
                                               gpu::MappingId::LinearDim0);
  auto forall =
      scf::ForallOp::create(builder, loc, SmallVector<OpFoldResult>{blocks},
                            ValueRange(), builder.getArrayAttr(mapping));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(forall.getTerminator());
  Value block = forall.getInductionVar(0);
  if (parallelism == Parallelism::Tiles)
    createLoopsOfBlock(block, blocks);
  else
    createSegmentsOfBlock(block, blocks);
}

void mlir::pit::expandTilesOnBuffers(TiledOp op, int64_t numBlocks) {
  OpBuilder builder(op);
  BufferTiles(op, builder).run(numBlocks);
  op->erase();
}
