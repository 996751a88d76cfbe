//===- MaskedSddmmScheduler.cpp - Masked SDDMM: tile scheduler
//-----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/Staging.h"
#include "MaskedSddmmBlocks.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class MaskedSddmmScheduler : public Scheduler {
public:
  MaskedSddmmScheduler(const MaskedSddmmKernel &kernel,
                       const KernelState &state, const MaskedSddmmShare &share)
      : kernel(kernel), tiles(kernel.tiles), state(state), share(share) {}

  void prepare(KernelBuilder &b) override {
    numTiles = b.mul(share.numSampled, getTilesOfBlock());
  }

  bool loadsInWarps() const override { return true; }
  void forEachTileToLoad(KernelBuilder &b, Loader &loader, Value numSteps,
                         LoadSteps loadSteps) override {
    b.ifThen(b.isEqual(state.warp, 0), [&] {
      loader.prepare(b);
      b.forLoop(b.i32(0), numTiles, b.i32(1), {b.i32(0), b.i32(0)},
                [&](Value tile, ValueRange ring) {
                  loader.beginTile(b, getPosition(b, tile), {});
                  return loadSteps(ring, b.i32(0), numSteps);
                });
    });
    b.ifThen(b.bitAnd(b.isEqual(state.warp, 1), b.isEqual(state.lane, 0)),
             [&] { fillOthers(b); });
  }
  void forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                   TileBody body) override {
    b.forLoop(b.i32(0), numTiles, b.i32(1), carried,
              [&](Value tile, ValueRange values) {
                return body(getPosition(b, tile), values);
              });
  }

private:
  int64_t getTilesAcross() const {
    return kernel.grid.blockColumns / tiles.tileN;
  }
  int64_t getTilesOfBlock() const {
    return kernel.grid.blockRows / tiles.tileM * getTilesAcross();
  }
  TilePosition getBlock(KernelBuilder &b, Value list, Value entry);
  TilePosition getPosition(KernelBuilder &b, Value tile);
  void fillOthers(KernelBuilder &b);

  const MaskedSddmmKernel &kernel;
  const ContractionKernel &tiles;
  const KernelState &state;
  const MaskedSddmmShare share;
  Value numTiles;
};

} // namespace

TilePosition MaskedSddmmScheduler::getBlock(KernelBuilder &b, Value list,
                                            Value entry) {
  Value number = b.load(b.advance(list, b.mul(entry, 4)), b.getI32Type(), 4);
  Value row = b.divide(number, kernel.grid.columns);
  Value column = b.sub(number, b.mul(row, kernel.grid.columns));
  return {b.mul(row, kernel.grid.blockRows),
          b.mul(column, kernel.grid.blockColumns), Value(), Value()};
}

TilePosition MaskedSddmmScheduler::getPosition(KernelBuilder &b, Value tile) {
  Value entry = b.divide(tile, getTilesOfBlock());
  Value part = b.sub(tile, b.mul(entry, getTilesOfBlock()));
  TilePosition position = getBlock(b, share.sampled, entry);
  Value row = b.divide(part, getTilesAcross());
  Value column = b.sub(part, b.mul(row, getTilesAcross()));
  position.row = b.add(position.row, b.mul(row, tiles.tileM));
  position.column = b.add(position.column, b.mul(column, tiles.tileN));
  return position;
}

/// Boxes behind the end of C store nothing.
void MaskedSddmmScheduler::fillOthers(KernelBuilder &b) {
  Value box = b.advance(state.shared, kernel.getBoxOffset());
  b.forLoop(
      b.i32(0), share.numOthers, b.i32(1), {},
      [&](Value entry, ValueRange) -> SmallVector<Value> {
        TilePosition block = getBlock(b, share.others, entry);
        Value endRow = b.minimum(b.add(block.row, kernel.grid.blockRows),
                                 state.arguments.m);
        Value endColumn = b.minimum(
            b.add(block.column, kernel.grid.blockColumns), state.arguments.n);
        b.forLoop(
            block.row, endRow, b.i32(Staging::kRows), {},
            [&](Value row, ValueRange) -> SmallVector<Value> {
              b.forLoop(
                  block.column, endColumn, b.i32(Staging::kColumns), {},
                  [&](Value column, ValueRange) -> SmallVector<Value> {
                    b.storeBox(state.arguments.tensorMapC, box, {column, row});
                    return {};
                  });
              return {};
            });
        return {};
      });
  b.commitStores();
  b.waitStores(0, /*read=*/false);
}

std::unique_ptr<Scheduler>
mlir::pit::hopper::createMaskedSddmmScheduler(const MaskedSddmmKernel &kernel,
                                              const KernelState &state,
                                              const MaskedSddmmShare &share) {
  return std::make_unique<MaskedSddmmScheduler>(kernel, state, share);
}
