//===- WgmmaListed.cpp - Tiles whose steps are listed ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaEmitter.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;

/// The thread's queries where steps are listed.
std::optional<ListedRows> WgmmaEmitter::getListedRows(Value warp) {
  if (!listed)
    return std::nullopt;
  StepLists &lists = *listed->lists;
  Value ofWarp = b.add(b.mul(warp, 16), b.shiftRight(b.lane(), 2));
  ListedRows result;
  result.mayBeMask = lists.isAdded;
  for (unsigned half : {0, 1}) {
    Value row = b.add(ofWarp, 8 * half);
    Vector found = b.choose(
        listed->isPacked,
        [&] {
          Value numbers = lists.getRows(b, listed->point, listed->packedTile);
          Value rank = b.add(b.mul(listed->packedTile, shape.queries), row);
          return Vector{b.load(b.element(numbers, row, 4), b.getI32Type(), 4),
                        b.isLess(rank, listed->numRows)};
        },
        [&] {
          Value number = b.add(first, row);
          Value moved = lists.getMoved(b, listed->point, listed->tile);
          Value word = b.load(b.element(moved, b.shiftRight(row, 5), 4),
                              b.getI32Type(), 4);
          Value bit = b.bitAnd(b.shiftRight(word, b.bitAnd(row, 31)), 1);
          Value extent = b.number(problem.getExtent(problem.getQueryAxis()));
          return Vector{b.minimum(number, b.sub(extent, 1)),
                        b.bitAnd(b.isLess(number, extent), b.isEqual(bit, 0))};
        });
    result.row[half] = found[0];
    result.exists[half] = found[1];
  }
  auto numbers = std::array{result.row[0], result.row[1]};
  result.getWords = [this, &lists, ofWarp,
                     numbers](unsigned half, const StepWalk::Step &step) {
    Value firstPacked = listed->steps.firstPacked;
    Value isLying = b.isLess(step.number, firstPacked);
    Value number =
        b.select(isLying, step.number, b.sub(step.number, firstPacked));
    Value lying = lists.getBits(b, listed->point, numbers[half]);
    Value ofColumns = lists.getBitsOfColumns(b, listed->point, listed->tile,
                                             b.add(ofWarp, 8 * half));
    return b.element(b.select(isLying, lying, ofColumns),
                     b.mul(number, shape.keys / 32), 4);
  };
  return result;
}

/// Stores the rows, or what a part of a packed tile has of them: the last part
/// that is done adds up all, in the order of their numbers.
void WgmmaEmitter::storeRows(ArrayRef<Value> result, Value warp) {
  RowState state = getRowState(result);
  ArrayRef<Value> sums = result.drop_front(4).drop_back(2);
  if (!listed || listed->lists->getParts() == 1)
    return rows->store(state, sums);
  b.ifThenElse(
      listed->isPacked,
      [&] {
        constexpr int64_t kMultiplyingBarrier = 8;
        StepLists &lists = *listed->lists;
        Value row = b.add(b.mul(warp, 16), b.shiftRight(b.lane(), 2));
        auto getPartial = [&](Value part, unsigned half) {
          return lists.getPartial(b, listed->pointOfBatch, listed->packedTile,
                                  part, b.add(row, 8 * half));
        };
        rows->storePartial(state, sums, [&](unsigned half) {
          return getPartial(listed->part, half);
        });
        auto syncMultiplying = [&] {
          NVVM::BarrierOp::create(b, Type(), b.i32(kMultiplyingBarrier),
                                  b.i32(shape.getMultiplying()),
                                  NVVM::BarrierReductionAttr(), Value());
        };
        syncMultiplying();
        // Barriers put before it what the others stored, and behind it what
        // they load.
        b.ifThen(b.isEqual(b.threadId(), 0), [&] {
          LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
          Value before = b.fetchAdd(
              lists.getDone(b, listed->pointOfBatch, listed->packedTile),
              b.i32(1));
          LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
          b.storeShared(before, barrier(shape.getAgain()), 4);
        });
        syncMultiplying();
        Value before =
            b.loadShared(barrier(shape.getAgain()), b.getI32Type(), 4);
        b.ifThen(b.isEqual(before, lists.getParts() - 1), [&] {
          Vector all =
              rows->joinPartials(lists.getParts(), sums.size(), getPartial);
          rows->store(getRowState(all), ArrayRef(all).drop_front(4));
        });
      },
      [&] { rows->store(state, sums); });
}

/// The block of a tile whose steps are listed. Packed tiles come after half of
/// the others: most are not there, which costs least beside blocks that
/// compute, and those that are have more steps than the last ones.
void WgmmaEmitter::emitListedBlock(int64_t cachedBytes, StepLists &lists,
                                   Value ofLying, Value ofPacked) {
  Value size = b.number(problem.getBatchSize());
  Value block = b.blockId(), half = b.divide(b.number(ofLying), 2);
  Value packedBlock = b.sub(block, half);
  Value isPacked = b.isLess(packedBlock, b.number(ofPacked));
  Value lyingBlock =
      b.select(b.isLess(block, half), block, b.sub(block, b.number(ofPacked)));
  auto select = [&](Value ifPacked, Value otherwise) {
    return b.select(isPacked, ifPacked, otherwise);
  };
  Value none = b.i32(0);
  Problem::TileOfBlock lying = problem.getTileOfBlock(
      b, select(none, lyingBlock), shape.queries, cachedBytes);
  SmallVector<Value> packed =
      b.splitDigits(select(packedBlock, none), {lists.getParts()});
  Value packedTile = b.divide(packed[0], size), part = packed[1];
  Value pointOfBatch = select(b.remainder(packed[0], size), lying.point);
  batch = problem.splitBatch(b, pointOfBatch);
  Value point = lists.getPoint(b, batch);
  // Asked for at once: memory takes a while.
  Value last = b.sub(b.number(lists.getTiles()), 1);
  Value tile = b.load(lists.getOrder(b, point, b.sub(last, lying.tile)),
                      b.getI32Type(), 4);
  // Without a bound for tiles that are not packed.
  Value numRows = b.choose(
      isPacked,
      [&] {
        return Vector{b.load(lists.getNumPacked(b, point), b.getI32Type(), 4)};
      },
      [&] { return Vector{b.i32(-1)}; })[0];
  Value exists = b.isLess(b.mul(packedTile, shape.queries), numRows);
  b.ifThen(exists, [&] {
    tile = select(none, tile);
    // Queries are packed of tiles without such numbers alone.
    Value readsAdded;
    if (lists.isAdded)
      readsAdded = b.choose(
          isPacked, [&] { return SmallVector<Value>{truth(false)}; },
          [&] {
            Value others =
                b.load(lists.getOthers(b, point, tile), b.getI32Type(), 4);
            return SmallVector<Value>{
                b.compare(arith::CmpIPredicate::ne, others, b.i32(0))};
          })[0];
    Value numSteps = b.number(lists.getSteps()),
          wordsOfSteps = b.number(lists.getWordsOfSteps());
    auto getStart = [&](Value part) {
      return b.divide(b.mul(numSteps, part), lists.getParts());
    };
    ListedSteps steps{lists.getLive(b, point, tile),
                      lists.getFull(b, point, tile),
                      b.add(wordsOfSteps, 1),
                      b.mul(wordsOfSteps, 32),
                      isPacked,
                      select(getStart(part), none),
                      select(getStart(b.add(part, 1)), numSteps)};
    listed = Listed{&lists, point, pointOfBatch, isPacked,   packedTile,
                    part,   tile,  numRows,      readsAdded, steps};
    emitTile(tile);
  });
}

Value WgmmaEmitter::run(int64_t cachedBytes, StepLists &lists) {
  b.setBlocksAtOnce(shape.getBlocksAtOnce());
  HostMath &host = problem.host;
  Value size = problem.getBatchSize();
  Value ofLying = host.mul(size, lists.getTiles());
  Value ofPacked =
      host.mul(host.mul(size, lists.getPackedTiles()), lists.getParts());
  Value blocks = host.add(ofLying, ofPacked);
  b.ifThen(b.isLess(b.blockId(), b.number(blocks)),
           [&] { emitListedBlock(cachedBytes, lists, ofLying, ofPacked); });
  return host.max(blocks, host.constant(1));
}
