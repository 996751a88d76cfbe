//===- MMATileLoop.cpp - Tile scheduler of mma.sync kernels ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMATileLoop.h"

#include "GPU/Pipeline/SegmentFinder.h"
#include "GPU/Pipeline/TileOrder.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

static void forEachTileOfSegments(MMABuilder &b, const MMAKernel &kernel,
                                  const MMAState &state, Value tilesN,
                                  function_ref<void(TilePosition)> body) {
  using hopper::SegmentCursor;
  hopper::SegmentFinder finder;
  finder.offsets = state.arguments.offsets;
  finder.numSegments = state.arguments.numSegments;
  finder.numRows = state.numRows;
  finder.tilesN = tilesN;
  finder.lane = state.lane;
  finder.tileM = kernel.tileM;
  finder.tileN = kernel.getTileColumns();
  finder.groupM = kernel.groupM;

  constexpr unsigned kNumber = SegmentCursor::kNumValues;
  SmallVector<Value> carried = finder.begin(b).getValues();
  carried.push_back(b.blockId());
  b.whileLoop(
      carried,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        Value number = values[kNumber];
        auto [tile, cursor] =
            finder.find(b, number, SegmentCursor::fromValues(values));
        SmallVector<Value> passed = cursor.getValues();
        passed.push_back(number);
        for (Value word : hopper::getWords(tile))
          passed.push_back(b.broadcastFirstLane(word));
        return {hopper::SegmentFinder::isTile(b, tile), passed};
      },
      [&](ValueRange values) {
        ValueRange words = values.drop_front(kNumber + 1);
        body(TilePosition{words[0], words[1], words[2], words[3]});
        SmallVector<Value> next =
            llvm::to_vector_of<Value>(values.take_front(kNumber));
        next.push_back(b.add(values[kNumber], b.gridSize()));
        return next;
      });
}

/// How many products of whole matrices there are side by side; null for one.
static Value getNumBatches(const MMAKernel &kernel, const MMAState &state) {
  return kernel.raggedK   ? state.arguments.numSegments
         : kernel.batched ? state.arguments.numBatches
                          : Value();
}

/// Where the list of a segment begins. It has room for all that is counted.
static Value getOffset(MMABuilder &b, const MMAState &state, Value segment) {
  Value place = b.advance(state.arguments.offsets, b.mul(b.extend(segment), 8));
  Value offset =
      arith::TruncIOp::create(b, b.getI32Type(), b.load(place, b.getI64Type()));
  return b.broadcastFirstLane(b.minimum(offset, state.depth));
}

Value mlir::pit::mma::countTiles(MMABuilder &b, const MMAKernel &kernel,
                                 const MMAState &state) {
  Value tilesN = b.ceilDivide(state.arguments.n, kernel.getTileColumns()),
        tilesM = b.ceilDivide(state.numRows, kernel.tileM),
        tiles = b.mul(tilesM, tilesN);
  Value batches = getNumBatches(kernel, state);
  return batches ? b.mul(tiles, batches) : tiles;
}

void mlir::pit::mma::forEachTile(MMABuilder &b, const MMAKernel &kernel,
                                 const MMAState &state,
                                 function_ref<void(TilePosition)> body) {
  Value tilesN = b.ceilDivide(state.arguments.n, kernel.getTileColumns());
  if (kernel.segmented)
    return forEachTileOfSegments(b, kernel, state, tilesN, body);
  Value tilesM = b.ceilDivide(state.numRows, kernel.tileM);
  Value tilesOfBatch = b.mul(tilesM, tilesN),
        tiles = countTiles(b, kernel, state);
  b.forLoop(b.blockId(), tiles, b.gridSize(), {},
            [&](Value number, ValueRange) -> SmallVector<Value> {
              Value batch;
              if (getNumBatches(kernel, state)) {
                batch = b.divide(number, tilesOfBatch);
                number = b.sub(number, b.mul(batch, tilesOfBatch));
              }
              hopper::TileNumbers tile = hopper::getTileInGroups(
                  b, number, tilesM, tilesN, kernel.groupM);
              TilePosition position{b.mul(tile.m, kernel.tileM),
                                    b.mul(tile.n, kernel.getTileColumns()),
                                    Value(), batch};
              if (kernel.raggedK) {
                position.firstK = getOffset(b, state, batch);
                position.endK = getOffset(b, state, b.add(batch, 1));
              }
              body(position);
              return {};
            });
}
