//===- GroupedScheduler.cpp - Persistent scheduler of a dense GEMM --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks take tiles in groups that share B in the L2 cache (rasterisation),
// batch after batch, or segment after segment of ragged k. A grouped GEMM, of
// many segments of rows, has SegmentScheduler.cpp. With split-K, the blocks of
// a cluster share a tile; there is no stream-K.
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/TileOrder.h"
#include "Schedulers.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class GroupedScheduler : public Scheduler {
public:
  GroupedScheduler(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  void prepare(KernelBuilder &b) override {
    tilesM = b.ceilDivide(state.numRows, kernel.tileM);
    tilesOfPart = b.ceilDivide(state.arguments.n, kernel.getTileColumns());
    tilesN = kernel.parts > 1 ? b.mul(tilesOfPart, kernel.parts) : tilesOfPart;
    numTiles = b.mul(tilesM, tilesN);
    if (hasBatches()) {
      tilesOfBatch = numTiles;
      numTiles = b.mul(numTiles, kernel.raggedK ? state.arguments.numSegments
                                                : state.arguments.numBatches);
    }
    firstTile = b.blockId();
    tileStep = b.gridSize();
    if (kernel.splitsK > 1) {
      firstTile = b.divide(firstTile, kernel.splitsK);
      tileStep = b.divide(tileStep, kernel.splitsK);
    }
  }

  void forEachTileToLoad(KernelBuilder &b, Loader &loader, Value numSteps,
                         LoadSteps loadSteps) override;
  void forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                   TileBody body) override {
    b.forLoop(firstTile, numTiles, tileStep, carried,
              [&](Value tile, ValueRange values) {
                return body(getPosition(b, tile), values);
              });
  }

private:
  bool hasBatches() const { return kernel.batched || kernel.raggedK; }
  Value getOffset(KernelBuilder &b, Value segment) {
    Value place =
        b.advance(state.arguments.offsets, b.mul(b.extend(segment), 8));
    // Lists have room for all that is counted.
    return b.minimum(b.truncate(b.load(place, b.getI64Type(), 8)), state.depth);
  }
  /// Nothing listed is one step of zeros.
  void findK(KernelBuilder &b, TilePosition &position) {
    position.firstK = getOffset(b, position.segment);
    position.endK = getOffset(b, b.add(position.segment, 1));
    Value steps =
        b.ceilDivide(b.sub(position.endK, position.firstK), kernel.getTileK());
    position.numSteps = b.select(b.isEqual(steps, 0), b.i32(1), steps);
  }
  TilePosition getPosition(KernelBuilder &b, Value tile) {
    TilePosition position;
    if (hasBatches()) {
      position.segment = b.divide(tile, tilesOfBatch);
      tile = b.sub(tile, b.mul(position.segment, tilesOfBatch));
    }
    TileNumbers numbers =
        getTileInGroups(b, tile, tilesM, tilesN, kernel.groupM);
    position.row = b.mul(numbers.m, kernel.tileM);
    if (kernel.parts > 1) {
      position.part = b.divide(numbers.n, tilesOfPart);
      numbers.n = b.sub(numbers.n, b.mul(position.part, tilesOfPart));
    }
    position.column = b.mul(numbers.n, kernel.getTileColumns());
    if (kernel.raggedK) {
      findK(b, position);
    } else if (kernel.packsK()) {
      position.firstK = b.i32(0);
      position.endK = state.depth;
    }
    return position;
  }

  const ContractionKernel &kernel;
  const KernelState &state;
  Value tilesM, tilesOfPart, tilesN, tilesOfBatch, numTiles, firstTile,
      tileStep;
};

} // namespace

void GroupedScheduler::forEachTileToLoad(KernelBuilder &b, Loader &loader,
                                         Value numSteps, LoadSteps loadSteps) {
  Value takesPart = b.isLess(firstTile, numTiles);
  if (loader.isSingleThreaded())
    takesPart = b.bitAnd(takesPart, b.isEqual(state.thread, 0));
  b.ifThen(takesPart, [&] {
    loader.prepare(b);
    SmallVector<Value> carried{b.i32(0), b.i32(0)};
    llvm::append_range(carried, loader.prefetch(b, getPosition(b, firstTile)));
    b.forLoop(firstTile, numTiles, tileStep, carried,
              [&](Value tile, ValueRange values) {
                TilePosition position = getPosition(b, tile);
                loader.beginTile(b, position, values.drop_front(2));
                // Read ahead; behind the last tile there is none, so it is read
                // again.
                SmallVector<Value> ahead;
                if (values.size() > 2) {
                  Value next = b.add(tile, tileStep);
                  next = b.select(b.isLess(next, numTiles), next, tile);
                  ahead = loader.prefetch(b, getPosition(b, next));
                }
                SmallVector<Value> result =
                    loadSteps(values.take_front(2), b.i32(0),
                              position.numSteps ? position.numSteps : numSteps);
                llvm::append_range(result, ahead);
                return result;
              });
  });
}

std::unique_ptr<Scheduler>
mlir::pit::hopper::createGroupedScheduler(const ContractionKernel &kernel,
                                          const KernelState &state) {
  return std::make_unique<GroupedScheduler>(kernel, state);
}
