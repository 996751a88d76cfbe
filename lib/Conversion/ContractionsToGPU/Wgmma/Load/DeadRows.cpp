//===- DeadRows.cpp - Dead rows zeroed in shared memory -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadRows.h"
#include "RowBits.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// A word's rows in bytes; bytes that a lane clears at a time, so that a
/// warp clears four rows side by side, without a conflict of banks.
static constexpr int64_t kBytesOfWord = RowBits::kRowsOfWord *
                                        ContractionKernel::kRowBytes,
                         kChunk = 16,
                         kLanesOfRow = ContractionKernel::kRowBytes / kChunk,
                         kRowsAtOnce = 32 / kLanesOfRow;

namespace {

/// A lane holds one of the words of a few steps, the first of these steps'
/// words first.
class Clearing {
public:
  Clearing(Ring &ring, const ContractionKernel &kernel,
           const KernelState &state)
      : ring(ring), b(ring.b), state(state),
        wordsOfTile(kernel.tileM / RowBits::kRowsOfWord),
        steps(32 / wordsOfTile) {
    assert(llvm::isPowerOf2_64(wordsOfTile) && kernel.splitsK == 1 &&
           kernel.layoutA == SharedLayout::KMajor &&
           "a step's words are a part of a warp's, of rows along k");
  }

  void emit(Scheduler &scheduler);

private:
  Value readWords(Value firstWord, Value firstStep);
  void clearRows(Value rows, Value live);
  void clearStage(Value stage, Value step, Value held);
  SmallVector<Value> clearSteps(Value firstWord, Value first,
                                ValueRange values);
  SmallVector<Value> clearTile(TilePosition tile, ValueRange position);

  Ring &ring;
  KernelBuilder &b;
  const KernelState &state;
  /// Words of a step's rows, and steps whose words a warp holds.
  const int64_t wordsOfTile, steps;
  /// Which of the warps that clear this is.
  Value warp;
  RowBits bits;
};

} // namespace

Value Clearing::readWords(Value firstWord, Value firstStep) {
  Value stepOfLane = b.divide(state.lane, wordsOfTile);
  Value wordOfLane = b.sub(state.lane, b.mul(stepOfLane, wordsOfTile));
  return bits.read(b, b.add(firstStep, stepOfLane),
                   b.add(firstWord, wordOfLane));
}

/// Whole rows are cleared, in whatever order their chunks lie.
void Clearing::clearRows(Value rows, Value live) {
  Value zero = LLVM::ZeroOp::create(b, VectorType::get({4}, b.getI32Type()));
  Value first = b.advance(rows, b.mul(state.lane, kChunk));
  Value ofLane = b.shiftRight(live, b.divide(state.lane, kLanesOfRow));
  for (int64_t row = 0; row < RowBits::kRowsOfWord; row += kRowsAtOnce)
    b.ifThen(b.isEqual(b.bitAnd(ofLane, int64_t(1) << row), 0), [&] {
      b.storeShared(zero, b.advance(first, row * ContractionKernel::kRowBytes),
                    kChunk);
    });
}

/// A warp takes every third word of the step's.
void Clearing::clearStage(Value stage, Value step, Value held) {
  Value firstLane = b.add(b.mul(b.bitAnd(step, steps - 1), wordsOfTile), warp);
  SmallVector<Value> live;
  Value common = b.i32(-1);
  for (int64_t word = 0; word < wordsOfTile; word += kClearingWarps) {
    Value read = b.readLane(held, b.add(firstLane, word));
    if (word + kClearingWarps > wordsOfTile)
      read =
          b.select(b.isLess(warp, b.i32(wordsOfTile - word)), read, b.i32(-1));
    live.push_back(read);
    common = b.bitAnd(common, read);
  }
  b.ifThen(b.compare(arith::CmpIPredicate::ne, common, b.i32(-1)), [&] {
    Value rows =
        b.advance(b.advance(state.shared, b.mul(stage, ring.shape.stageBytes)),
                  b.mul(warp, kBytesOfWord));
    for (auto [i, word] : llvm::enumerate(live))
      clearRows(b.advance(rows, i * kClearingWarps * kBytesOfWord), word);
    // Matrix units read them next.
    b.fenceSharedMemory();
  });
}

/// Steps whose words a warp holds. Words of the following ones are asked for
/// behind the first fence, which would wait for them.
SmallVector<Value> Clearing::clearSteps(Value firstWord, Value first,
                                        ValueRange values) {
  Value held = values[2];
  Value end = b.minimum(b.add(first, steps), ring.numSteps);
  return b.forLoop(
      first, end, b.i32(1), {values[0], values[1], held},
      [&](Value step, ValueRange values) -> SmallVector<Value> {
        RingPosition here{values[0], values[1]};
        b.waitBarrier(ring.getFullBarrier(here.stage), here.phase);
        clearStage(here.stage, step, held);
        b.arrive(ring.getReadyBarrier(here.stage));
        Value following = b.choose(
            b.compare(arith::CmpIPredicate::eq, step, first),
            [&]() -> SmallVector<Value> {
              return {readWords(firstWord, b.add(first, steps))};
            },
            [&]() -> SmallVector<Value> { return {values[2]}; })[0];
        RingPosition after = ring.next(here);
        return {after.stage, after.phase, following};
      });
}

SmallVector<Value> Clearing::clearTile(TilePosition tile, ValueRange position) {
  Value firstWord = b.divide(tile.row, RowBits::kRowsOfWord);
  SmallVector<Value> result =
      b.forLoop(b.i32(0), ring.numSteps, b.i32(steps),
                {position[0], position[1], readWords(firstWord, b.i32(0))},
                [&](Value first, ValueRange values) {
                  return clearSteps(firstWord, first, values);
                });
  result.truncate(2);
  return result;
}

void Clearing::emit(Scheduler &scheduler) {
  warp = b.sub(state.warp, 1);
  bits.prepare(b, state);
  scheduler.forEachTile(b, {b.i32(0), b.i32(0)},
                        [&](TilePosition tile, ValueRange position) {
                          return clearTile(tile, position);
                        });
}

void mlir::pit::hopper::emitClearing(Ring &ring,
                                     const ContractionKernel &kernel,
                                     const KernelState &state,
                                     Scheduler &scheduler) {
  Clearing(ring, kernel, state).emit(scheduler);
}
