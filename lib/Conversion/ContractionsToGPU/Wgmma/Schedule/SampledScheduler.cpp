//===- SampledScheduler.cpp - SDDMM: persistent tile scheduler ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedulers.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Tiles are those of a list's blocks, in turn, as all take the same time.
/// Lists are in segments, along one axis; where an entry is along the other
/// axis is what its segment says, which a whole warp looks for.
class SampledScheduler : public Scheduler {
public:
  SampledScheduler(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), pattern(*kernel.sampled) {}

  void prepare(KernelBuilder &b) override {
    // Lists have at least as much room as there are blocks.
    Value live =
        b.load(getOffset(b, state.arguments.numSegments), b.getI64Type(), 8);
    numTiles = b.mul(b.truncate(live), getTilesOfBlock());
  }

  bool loadsInWarps() const override { return true; }
  void forEachTileToLoad(KernelBuilder &b, Loader &loader, Value numSteps,
                         LoadSteps loadSteps) override {
    b.ifThen(b.isEqual(state.warp, 0), [&] {
      loader.prepare(b);
      b.forLoop(b.blockId(), numTiles, b.gridSize(), {b.i32(0), b.i32(0)},
                [&](Value tile, ValueRange ring) {
                  loader.beginTile(b, getPosition(b, tile), {});
                  return loadSteps(ring, b.i32(0), numSteps);
                });
    });
  }
  void forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                   TileBody body) override {
    b.forLoop(b.blockId(), numTiles, b.gridSize(), carried,
              [&](Value tile, ValueRange values) {
                return body(getPosition(b, tile), values);
              });
  }

private:
  int64_t getTilesAcross() const { return pattern.columns / kernel.tileN; }
  int64_t getTilesOfBlock() const {
    return pattern.rows / kernel.tileM * getTilesAcross();
  }
  Value getOffset(KernelBuilder &b, Value segment) {
    return b.advance(state.arguments.offsets, b.mul(b.extend(segment), 8));
  }
  Value findSegment(KernelBuilder &b, Value entry);
  TilePosition getPosition(KernelBuilder &b, Value tile);

  const ContractionKernel &kernel;
  const KernelState &state;
  const SampledPattern pattern;
  Value numTiles;
};

} // namespace

/// How many segments end before an entry or with it.
Value SampledScheduler::findSegment(KernelBuilder &b, Value entry) {
  constexpr int64_t kLanes = 32;
  Value numSegments = state.arguments.numSegments;
  return b.forLoop(
      b.i32(0), numSegments, b.i32(kLanes), {b.i32(0)},
      [&](Value first, ValueRange count) -> SmallVector<Value> {
        Value segment = b.add(first, state.lane);
        Value end =
            b.load(getOffset(b, b.minimum(b.add(segment, 1), numSegments)),
                   b.getI64Type(), 8);
        // Behind the last one there is none that ends before a live entry.
        Value isBefore =
            b.compare(arith::CmpIPredicate::ule, b.truncate(end), entry);
        return {b.add(count[0], b.countLanes(isBefore))};
      })[0];
}

TilePosition SampledScheduler::getPosition(KernelBuilder &b, Value tile) {
  Value entry = b.divide(tile, getTilesOfBlock());
  Value part = b.sub(tile, b.mul(entry, getTilesOfBlock()));
  Type type = b.getIntegerType(pattern.width);
  Value coordinate =
      b.load(b.advance(state.arguments.rowNumbers,
                       b.mul(b.extend(entry), pattern.width / 8)),
             type);
  if (pattern.width > 32)
    coordinate = b.truncate(coordinate);
  Value places[2];
  places[pattern.coordinate] = coordinate;
  places[1 - pattern.coordinate] = findSegment(b, entry);
  Value partRow = b.divide(part, getTilesAcross());
  Value partColumn = b.sub(part, b.mul(partRow, getTilesAcross()));
  TilePosition position;
  position.row =
      b.add(b.mul(places[0], pattern.rows), b.mul(partRow, kernel.tileM));
  position.column =
      b.add(b.mul(places[1], pattern.columns), b.mul(partColumn, kernel.tileN));
  return position;
}

std::unique_ptr<Scheduler>
mlir::pit::hopper::createSampledScheduler(const ContractionKernel &kernel,
                                          const KernelState &state) {
  return std::make_unique<SampledScheduler>(kernel, state);
}
