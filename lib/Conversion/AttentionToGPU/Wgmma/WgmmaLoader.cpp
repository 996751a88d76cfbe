//===- WgmmaLoader.cpp - The warpgroup that loads -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaLoader.h"

#include "RowPanels.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

WgmmaLoader::Target WgmmaLoader::getTarget(unsigned operand) {
  if (operand == Query)
    return {Query,
            problem.getQueryAxis(),
            shape.queries,
            shape.getScorePanels(),
            /*offset=*/0,
            /*stageBytes=*/0,
            /*emptyBarriers=*/0,
            shape.getFullQueries()};
  bool isKey = operand == Key;
  return {operand,
          problem.getKeyAxis(),
          shape.keys,
          isKey ? shape.getScorePanels() : shape.getValuePanels(),
          isKey ? shape.getKeys() : shape.getValues(),
          isKey ? shape.getKeyBytes() : shape.getValueBytes(),
          isKey ? shape.getEmptyKeys() : shape.getEmptyValues(),
          isKey ? shape.getFullKeys() : shape.getFullValues()};
}

/// Copies rows from `first` on into a stage, by one thread.
void WgmmaLoader::copyStage(const Target &target, Value first, Value stage,
                            Value barrier) {
  b.arriveExpectingBytes(barrier,
                         target.panels * target.rows * WgmmaShape::kRowBytes);
  Value to = b.advance(b.advance(block.shared, b.mul(stage, target.stageBytes)),
                       target.offset);
  copyRows(problem, b, target.operand, block.maps[target.operand], block.batch,
           first, target.rows, to, barrier);
}

/// Copies the rows whose numbers are at an address, by a warp: eight lanes have
/// a row's 128 bytes of a panel, and put them where the copy engine would.
void WgmmaLoader::gatherRows(const Target &target, Value numbers, Value stage,
                             Value barrier) {
  constexpr int64_t kChunks = 8, kChunkBytes = 16, kRowsAtOnce = 4, kUnroll = 4;
  int64_t width =
      target.operand == Values ? shape.valueWidth : shape.scoreWidth;
  Vector corner(block.batch);
  corner.append(2, Value());
  Value base = problem.getAddress(b, target.operand, corner);
  Value stride = problem.getStrideBytes(b, target.operand, target.axis);
  Value chunk = b.bitAnd(b.lane(), kChunks - 1),
        ofLane = b.shiftRight(b.lane(), 3);
  Value to = b.advance(b.advance(block.shared, b.mul(stage, target.stageBytes)),
                       target.offset);
  b.forLoop(
      b.i32(0), b.i32(target.rows), b.i32(kRowsAtOnce * kUnroll), {},
      [&](Value first, ValueRange) {
        Vector loaded;
        auto getRow = [&](int64_t u) {
          return b.add(b.add(first, kRowsAtOnce * u), ofLane);
        };
        for (int64_t u = 0; u < kUnroll; ++u)
          loaded.push_back(
              b.load(b.element(numbers, getRow(u), 4), b.getI32Type(), 4));
        for (int64_t u = 0; u < kUnroll; ++u) {
          Value row = getRow(u);
          Value source =
              b.advance(b.advance(base, b.mul(b.extend(loaded[u]), stride)),
                        b.extend(b.mul(chunk, kChunkBytes)));
          // The 128-byte swizzle: chunks of a row change places by its number.
          Value place =
              b.mul(b.bitXor(chunk, b.bitAnd(row, kChunks - 1)), kChunkBytes);
          Value inPanel = b.add(b.mul(row, WgmmaShape::kRowBytes), place);
          for (int64_t panel = 0; panel < target.panels; ++panel) {
            int64_t left =
                (width - panel * WgmmaShape::kPanel) / kChunkBytes * 2;
            // What a panel has beyond the row is zero, and nothing is read.
            Value bytes, from = b.advance(source, panel * 128);
            if (left < kChunks) {
              Value isInside = b.isLess(chunk, b.i32(left));
              bytes = b.select(isInside, b.i32(kChunkBytes), b.i32(0));
              from = b.select(isInside, from, base);
            }
            b.copy16(b.advance(b.advance(to, inPanel),
                               panel * target.rows * WgmmaShape::kRowBytes),
                     from, bytes);
          }
        }
        return Vector();
      });
  NVVM::CpAsyncCommitGroupOp::create(b);
  NVVM::CpAsyncWaitGroupOp::create(b, 0);
  b.fenceSharedMemory();
  b.syncWarp();
  b.ifThen(b.isEqual(b.lane(), 0), [&] { b.arrive(barrier); });
}

/// Fills a stage with the rows of a step, as soon as it is empty.
void WgmmaLoader::fill(const Target &target, const StepWalk::Step &step,
                       Place place) {
  // All lanes wait, one of them loads.
  b.waitBarrier(block.barrier(target.emptyBarriers, place.stage),
                b.bitXor(place.phase, 1));
  Value full = block.barrier(target.fullBarriers, place.stage);
  auto copy = [&] {
    b.ifThen(b.isEqual(b.lane(), 0), [&] {
      copyStage(target, b.mul(step.number, shape.keys), place.stage, full);
    });
  };
  if (!block.listed)
    return copy();
  Value firstPacked = block.listed->steps.firstPacked;
  b.ifThenElse(b.isLess(step.number, firstPacked), copy, [&] {
    Value columns = block.listed->lists->getColumns(b, block.listed->point,
                                                    block.listed->tile);
    Value first = b.mul(b.sub(step.number, firstPacked), shape.keys);
    gatherRows(target, b.element(columns, first, 4), place.stage, full);
  });
}

/// Fills the rings with the steps that live; returns where it stopped.
WgmmaLoader::Place WgmmaLoader::load(StepWalk &walk, Value all, Place place) {
  auto [step, state] = walk.next(walk.begin(all));
  return block.forEachStep(walk, step, state, place,
                           [&](const StepWalk::Step &step, Place place) {
                             fill(getTarget(Key), step, place);
                             fill(getTarget(Values), step, place);
                           });
}

void WgmmaLoader::loadQueries(Value loader) {
  Target target = getTarget(Query);
  Value full = block.barrier(target.fullBarriers);
  auto copy = [&] {
    b.ifThen(b.isEqual(loader, 0),
             [&] { copyStage(target, block.first, b.i32(0), full); });
  };
  if (!block.listed)
    return copy();
  b.ifThenElse(
      block.listed->isPacked,
      [&] {
        b.ifThen(b.isLess(loader, b.i32(32)), [&] {
          gatherRows(target,
                     block.listed->lists->getRows(b, block.listed->point,
                                                  block.listed->packedTile),
                     b.i32(0), full);
        });
      },
      copy);
}

void WgmmaLoader::emit(StepWalk &walk) {
  b.setMaxRegisters(shape.getLoadingRegisters(), /*increase=*/false);
  Value loader = b.sub(b.threadId(), shape.getMultiplying());
  Value isLoading = b.isLess(loader, b.i32(32));
  loadQueries(loader);
  auto loadAll = [&](Value all, Place place) {
    Vector after = b.choose(
        isLoading,
        [&] {
          Place end = load(walk, all, place);
          return Vector{end.stage, end.phase};
        },
        [&] {
          return Vector{place.stage, place.phase};
        });
    return Place{after[0], after[1]};
  };
  Place start{b.i32(0), b.i32(0)};
  if (!guards.mayBeFinite) {
    loadAll(block.truth(false), start);
    return;
  }
  Place end = loadAll(block.truth(false), start);
  b.syncBlock();
  Value again =
      b.loadShared(block.barrier(shape.getAgain()), b.getI32Type(), 4);
  b.ifThen(b.compare(arith::CmpIPredicate::ne, again, b.i32(0)),
           [&] { loadAll(block.truth(true), end); });
}
