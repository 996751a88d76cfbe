//===- PackedLoader.cpp - Loading packed micro-tiles ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedLoader.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Columns of B in the 128 bytes that its boxes are wide.
static constexpr int64_t kPanel = 64;

PackedLists::PackedLists(KernelBuilder &builder,
                         const ContractionKernel &kernel,
                         const KernelState &state)
    : numParts(state.arguments.partsOfStrip), b(builder), kernel(kernel),
      state(state) {
  numStrips = b.ceilDivide(state.numRows, kernel.packed->rows);
  numTiles = b.mul(numStrips, b.ceilDivide(state.arguments.n, kernel.tileN));
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
  Value count = b.choose(
      b.isLess(tile, numTiles),
      [&]() -> SmallVector<Value> {
        Value bytes = b.mul(b.extend(getList(tile, part)), 4);
        return {b.load(b.advance(state.arguments.counts, bytes), b.getI32Type(),
                       4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
  return b.broadcastFirstLane(count);
}

/// What the list names for the lane's row of a step; any row, if the list ends
/// before.
Value PackedLoader::readCoord(Value tile, Value part, Value step) {
  Value reads = b.bitAnd(b.isLess(tile, lists.numTiles),
                         b.isLess(state.lane, b.i32(kWarpRows)));
  return b.choose(
      reads,
      [&]() -> SmallVector<Value> {
        Value entry = b.add(b.mul(step, PackedPattern::kStepDepth), row);
        Value number =
            b.add(b.mul(b.extend(lists.getList(tile, part)), kPackedPart),
                  b.extend(entry));
        return {b.load(b.advance(state.arguments.coords, b.mul(number, 4)),
                       b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

/// Fills the stage at `place` and returns the next place.
SmallVector<Value> PackedLoader::loadStep(ValueRange place, Value tile,
                                          Value part, Value step, Value count,
                                          Value coord) {
  const int64_t bytesOfA = kernel.getBytesOfA(), bytesOfRow = kernel.tileN * 2;
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
                           b.add(b.mul(numRows, bytesOfRow),
                                 b.select(isFirst, b.i32(bytesOfA), b.i32(0))));
    b.ifThen(isFirst, [&] {
      Value entry =
          b.add(b.mul(b.extend(lists.getList(tile, part)), kPackedPart),
                b.extend(b.mul(step, PackedPattern::kStepDepth)));
      b.copyBytes(b.advance(stage, kernel.getBytesOfB()),
                  b.advance(state.arguments.values,
                            b.mul(entry, kernel.packed->rows * 2)),
                  full, bytesOfA);
    });
  });
  b.ifThen(b.isLess(state.lane, numRows), [&] {
    Value column = lists.getPosition(tile).column;
    b.copyBox(b.advance(stage, b.mul(row, kernel.getRowPitch())),
              state.arguments.tensorMapB, full,
              {b.i32(0), coord, b.divide(column, kPanel)});
  });
  RingPosition following = ring.next(here);
  return {following.stage, following.phase};
}

SmallVector<Value> PackedLoader::loadPart(ValueRange place, Value tile,
                                          Value part, Value count,
                                          Value coord) {
  constexpr int64_t depth = PackedPattern::kStepDepth;
  Value numSteps = b.ceilDivide(count, depth), lastStep = b.sub(numSteps, 1);
  SmallVector<Value> carried = llvm::to_vector(place);
  carried.push_back(coord);
  carried = b.forLoop(
      b.i32(0), numSteps, b.i32(1), carried,
      [&](Value step, ValueRange values) {
        // On its way while the stage is waited for.
        Value ahead =
            readCoord(tile, part, b.minimum(b.add(step, 1), lastStep));
        SmallVector<Value> result =
            loadStep(values.take_front(2), tile, part, step, count, values[2]);
        result.push_back(ahead);
        return result;
      });
  carried.pop_back();
  return carried;
}

void PackedLoader::emit() {
  firstRow = b.mul(state.warp, kWarpRows);
  row = b.add(firstRow, b.bitAnd(state.lane, kWarpRows - 1));
  Value first = b.blockId(), zero = b.i32(0);
  // Behind the place in the ring: what the next part starts with.
  SmallVector<Value> values{zero, zero, lists.readCount(first, zero),
                            readCoord(first, zero, zero), first};
  b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[4], lists.numTiles), llvm::to_vector(values)};
      },
      [&](ValueRange values) {
        Value tile = values[4], nextTile = b.add(tile, b.gridSize());
        SmallVector<Value> result =
            b.forLoop(zero, lists.numParts, b.i32(1),
                      llvm::to_vector(values.take_front(4)),
                      [&](Value part, ValueRange carried) {
                        Value following = b.add(part, 1);
                        Value isLast = b.compare(arith::CmpIPredicate::eq,
                                                 following, lists.numParts);
                        Value aheadTile = b.select(isLast, nextTile, tile),
                              aheadPart = b.select(isLast, zero, following);
                        Value count = lists.readCount(aheadTile, aheadPart);
                        Value coord = readCoord(aheadTile, aheadPart, zero);
                        SmallVector<Value> result =
                            loadPart(carried.take_front(2), tile, part,
                                     carried[2], carried[3]);
                        result.append({count, coord});
                        return result;
                      });
        result.push_back(nextTile);
        return result;
      });
}
