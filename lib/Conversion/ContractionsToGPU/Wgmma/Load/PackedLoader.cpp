//===- PackedLoader.cpp - Packed SpMM: loads by lists ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedLoader.h"
#include "GPU/Pipeline/Cluster.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

PackedLists::PackedLists(KernelBuilder &builder,
                         const ContractionKernel &kernel,
                         const KernelState &state)
    : numParts(state.arguments.partsOfStrip), b(builder), kernel(kernel),
      state(state) {
  numStrips = b.ceilDivide(state.numRows, kernel.packed->rows);
  numTiles = b.mul(numStrips, b.ceilDivide(state.arguments.n, kernel.tileN));
  firstTile = b.blockId();
  tileStep = b.gridSize();
  firstPart = b.i32(0);
  partStep = b.i32(kernel.splitsK);
  if (kernel.splitsK > 1) {
    firstTile = b.divide(firstTile, kernel.splitsK);
    tileStep = b.divide(tileStep, kernel.splitsK);
    firstPart = state.rank;
  }
}

TilePosition PackedLists::getPosition(Value tile) {
  Value column = b.divide(tile, numStrips);
  Value strip = b.sub(tile, b.mul(column, numStrips));
  return {b.mul(strip, kernel.packed->rows), b.mul(column, kernel.tileN),
          Value(), Value()};
}

Value PackedLists::getList(Value tile, Value part) {
  return b.add(b.mul(b.remainder(tile, numStrips), numParts), part);
}

Value PackedLists::readCount(Value tile, Value part) {
  return readCountOf(getList(tile, part), tile);
}

Value PackedLists::readCountOf(Value list, Value tile) {
  Value count = b.choose(
      b.isLess(tile, numTiles),
      [&]() -> SmallVector<Value> {
        Value bytes = b.mul(b.extend(list), 4);
        return {b.load(b.advance(state.arguments.counts, bytes), b.getI32Type(),
                       4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
  return b.broadcastFirstLane(count);
}

/// What the list names for the rows that the warp loads of some steps: lane
/// `8 i + j` has row j of the step `i` behind the first, if there is one.
Value PackedLoader::readCoords(Value list, Value firstStep, Value numSteps) {
  Value step = b.add(firstStep, b.divide(state.lane, kWarpRows));
  return b.choose(
      b.isLess(step, numSteps),
      [&]() -> SmallVector<Value> {
        Value entry = b.add(b.mul(step, PackedPattern::kStepDepth), row);
        Value number =
            b.add(b.mul(b.extend(list), kPackedPart), b.extend(entry));
        return {b.load(b.advance(state.arguments.coords, b.mul(number, 4)),
                       b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

/// Fills the stage at `place` and returns the next place.
SmallVector<Value> PackedLoader::loadStep(ValueRange place, Part part,
                                          Value step, Value count,
                                          Value coord) {
  const int64_t bytesOfA = kernel.getBytesOfA();
  RingPosition here{place[0], place[1]};
  b.waitBarrier(ring.getEmptyBarrier(here.stage), b.bitXor(here.phase, 1));
  Value full = ring.getFullBarrier(here.stage);
  Value stage =
      b.advance(state.shared, b.mul(here.stage, kernel.getStageBytes()));
  // Of the warp's rows, those that the list has.
  Value left =
      b.sub(b.sub(count, b.mul(step, PackedPattern::kStepDepth)), firstRow);
  Value numRows = arith::MinSIOp::create(
      b, arith::MaxSIOp::create(b, left, b.i32(0)), b.i32(kWarpRows));
  Value isFirst = b.isEqual(firstRow, 0);
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    b.arriveExpectingBytes(full,
                           b.add(b.mul(numRows, rows->getAnnouncedBytes()),
                                 b.select(isFirst, b.i32(bytesOfA), b.i32(0))));
    b.ifThen(isFirst, [&] {
      Value entry = b.add(b.mul(b.extend(part.list), kPackedPart),
                          b.extend(b.mul(step, PackedPattern::kStepDepth)));
      b.copyBytes(b.advance(stage, kernel.getBytesOfB()),
                  b.advance(state.arguments.values,
                            b.mul(entry, kernel.packed->rows * 2)),
                  full, bytesOfA);
    });
  });
  rows->load(b, stage, full, part.column, numRows, coord);
  RingPosition following = ring.next(here);
  return {following.stage, following.phase};
}

/// The first step's rows are known; those of later ones are read for as many
/// steps at a time as the warp has lanes for, while the ones before are loaded.
SmallVector<Value> PackedLoader::loadPart(ValueRange place, Part part,
                                          Value count, Value coords) {
  constexpr int64_t stepsAtOnce = 32 / kWarpRows;
  Value zero = b.i32(0), one = b.i32(1),
        inStep = b.bitAnd(state.lane, kWarpRows - 1);
  Value numSteps = b.ceilDivide(count, PackedPattern::kStepDepth);
  Value later = b.sub(arith::MaxSIOp::create(b, numSteps, one), 1);
  Value ahead = readCoords(part.list, one, numSteps);
  SmallVector<Value> carried =
      b.forLoop(zero, b.minimum(numSteps, 1), one, llvm::to_vector(place),
                [&](Value step, ValueRange place) {
                  return loadStep(place, part, step, count, coords);
                });
  carried.push_back(ahead);
  carried = b.forLoop(
      zero, b.ceilDivide(later, stepsAtOnce), one, carried,
      [&](Value group, ValueRange values) {
        Value first = b.add(b.mul(group, stepsAtOnce), 1);
        Value following =
            readCoords(part.list, b.add(first, stepsAtOnce), numSteps);
        SmallVector<Value> result = b.forLoop(
            zero, b.minimum(b.sub(numSteps, first), stepsAtOnce), one,
            llvm::to_vector(values.take_front(2)),
            [&](Value step, ValueRange place) {
              Value coord =
                  b.readLane(values[2], b.add(b.mul(step, kWarpRows), inStep));
              return loadStep(place, part, b.add(first, step), count, coord);
            });
        result.push_back(following);
        return result;
      });
  carried.pop_back();
  return carried;
}

void PackedLoader::emit() {
  firstRow = b.mul(state.warp, kWarpRows);
  row = b.add(firstRow, b.bitAnd(state.lane, kWarpRows - 1));
  Value first = lists.firstTile, zero = b.i32(0);
  // What a part starts with: its list, how long that is, and the first step's
  // rows; nothing behind the last tile.
  auto readAhead = [&](Value tile, Value part) -> SmallVector<Value> {
    Value list = lists.getList(tile, part);
    Value exists = b.isLess(tile, lists.numTiles);
    Value numSteps = b.select(exists, b.i32(1), zero);
    return {list, lists.readCountOf(list, tile),
            readCoords(list, zero, numSteps)};
  };
  SmallVector<Value> values{zero, zero};
  llvm::append_range(values, readAhead(first, lists.firstPart));
  values.push_back(first);
  b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[5], lists.numTiles), llvm::to_vector(values)};
      },
      [&](ValueRange values) {
        Value tile = values[5], nextTile = b.add(tile, lists.tileStep);
        Value column = lists.getPosition(tile).column;
        SmallVector<Value> result = b.forLoop(
            lists.firstPart, lists.numParts, lists.partStep,
            llvm::to_vector(values.take_front(5)),
            [&](Value part, ValueRange carried) {
              Value following = b.add(part, lists.partStep);
              Value isLast = b.compare(arith::CmpIPredicate::sge, following,
                                       lists.numParts);
              Value aheadTile = b.select(isLast, nextTile, tile),
                    aheadPart = b.select(isLast, lists.firstPart, following);
              SmallVector<Value> ahead = readAhead(aheadTile, aheadPart);
              SmallVector<Value> result =
                  loadPart(carried.take_front(2), {carried[2], column},
                           carried[3], carried[4]);
              llvm::append_range(result, ahead);
              return result;
            });
        // The cluster waits for all of its threads.
        if (kernel.splitsK > 1)
          for (int i = 0; i < kClusterSyncs; ++i)
            meetCluster(b);
        result.push_back(nextTile);
        return result;
      });
}
