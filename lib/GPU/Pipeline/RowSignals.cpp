//===- RowSignals.cpp - Flags that count rows that are written ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody waits for ever. A block of the second kernel waits for rows of the
// first alone; it starts, at the earliest, when every block of the first has
// started or ended (programmatic dependent launch), and those wait for nobody,
// so that they end whether or not the second one's find a place. Flags are
// cleared by a launch before the first one, which waits for its end, and read
// where that was done, past the multiprocessor's own cache: nothing of an
// earlier call, or replay of a graph, is left or still to come. A segment
// without rows has no tiles, and only tiles wait. Where the second kernel waits
// for the end of the first after all, what it asks flags for is there.
//
// Nor does a block of the first one in itself. Its loader signals tile i when
// it has loaded all of tile i + 2, so that those that multiply can finish the
// sums of tile i + 1 without it, which is when they say that tile i is written;
// they cannot say so of tile i + 2, whose parity is the same, before that of
// tile i was seen, since tile i + 3 is not loaded.
//
// What the second one reads, it sees: stores of the copy engine are complete
// (wait_group 0, by the thread that issued them), those of other threads come
// before their warp's arrival, and both before a fence and the count, which the
// reader acquires; a proxy fence orders them before what its copy engine reads.
//
//===----------------------------------------------------------------------===//

#include "RowSignals.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static constexpr int64_t kFlagBytes = 4;
/// Of a tile: a flag's number, and rows, in a word. As many as there are tiles
/// from the one that is signaled to the one that is loaded, and a power of two.
static constexpr int64_t kNoteBytes = 4, kNumNotes = 4, kRowBits = 16;
static_assert(kNumNotes * kNoteBytes + 2 * 8 <= RowSignals::kBytes);

//===----------------------------------------------------------------------===//
// The first kernel
//===----------------------------------------------------------------------===//

Value RowSignals::getNote(KernelBuilder &b, Value number) {
  Value slot = b.mul(b.bitAnd(number, kNumNotes - 1), kNoteBytes);
  return b.advance(state.shared, b.add(slot, shape.offset));
}

/// That of the warps that have written the tiles before one.
Value RowSignals::getBarrier(KernelBuilder &b, Value number) {
  return b.advance(state.shared, b.add(b.mul(b.bitAnd(number, 1), 8),
                                       shape.offset + kNumNotes * kNoteBytes));
}

void RowSignals::initBarriers(KernelBuilder &b) {
  for (int64_t i : {0, 1})
    b.initBarrier(getBarrier(b, b.i32(i)), 4 * shape.consumers);
}

void RowSignals::note(KernelBuilder &b, Value number, TilePosition tile) {
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    Value flag = b.divide(tile.segment, shape.segmentsOfFlag);
    Value rows = b.minimum(b.sub(tile.end, tile.row), b.i32(shape.mostRows));
    b.storeShared(b.bitOr(b.shiftLeft(flag, kRowBits), rows),
                  getNote(b, number), kNoteBytes);
  });
}

void RowSignals::signal(KernelBuilder &b, Value number) {
  b.ifThen(b.compare(arith::CmpIPredicate::sge, number, b.i32(0)), [&] {
    Value next = b.add(number, 1);
    b.waitBarrier(getBarrier(b, next), b.bitAnd(b.shiftRight(next, 1), 1));
    b.ifThen(b.isEqual(state.lane, 0), [&] {
      Value note = b.loadShared(getNote(b, number), b.getI32Type(), kNoteBytes);
      Value flag = b.shiftRight(note, kRowBits);
      Value rows = b.bitAnd(note, (1 << kRowBits) - 1);
      // What the others stored before the barrier is before it.
      LLVM::FenceOp::create(b, LLVM::AtomicOrdering::release, "device");
      b.fetchAdd(b.advance(flags, b.mul(flag, kFlagBytes)), rows);
    });
  });
}

void RowSignals::arrive(KernelBuilder &b, Value number) {
  // What other threads of the warp stored comes before.
  b.syncWarp();
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    if (shape.storesBoxes)
      b.waitStores(0, /*read=*/false);
    b.arrive(getBarrier(b, number));
  });
}

//===----------------------------------------------------------------------===//
// The second kernel
//===----------------------------------------------------------------------===//

void mlir::pit::hopper::awaitRows(KernelBuilder &b, const AwaitedRows &awaited,
                                  TilePosition tile) {
  Value flag = b.divide(tile.segment, awaited.segmentsOfFlag);
  Value first = b.mul(flag, awaited.segmentsOfFlag);
  auto readOffset = [&](Value segment) {
    Value bytes = b.mul(b.extend(b.minimum(segment, awaited.numSegments)), 8);
    Value offset = b.load(b.advance(awaited.offsets, bytes), b.getI64Type());
    return b.minimum(b.truncate(offset), awaited.numRows);
  };
  Value rows = b.sub(readOffset(b.add(first, awaited.segmentsOfFlag)),
                     readOffset(first));
  Value signaled = b.mul(rows, awaited.timesSignaled);
  Value pointer = b.advance(awaited.flags, b.mul(flag, kFlagBytes));
  b.whileLoop(
      {b.i32(0)},
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        Value word = b.loadAcquire(pointer, "device");
        // Lists that are none, with ends before their starts, make more rows.
        return {b.compare(arith::CmpIPredicate::slt, word, signaled),
                llvm::to_vector(values)};
      },
      [&](ValueRange values) { return llvm::to_vector(values); });
  // The copy engine reads what others wrote.
  NVVM::FenceProxyOp::create(b, NVVM::ProxyKind::async_global,
                             NVVM::SharedSpaceAttr());
}
