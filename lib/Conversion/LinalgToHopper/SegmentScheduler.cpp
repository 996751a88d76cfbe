//===- SegmentScheduler.cpp - Tiles of segments of unknown lengths --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are numbered segment after segment. A block gets its tiles in ascending
// order, so that finding them needs no table: the first warp walks through the
// segments, 32 at a time and one per lane, and never back. It tells the others
// through a mailbox of two slots in shared memory, each with a barrier for full
// and one for empty, one tile ahead of what is computed.
//
// Which block computes a tile does not change what becomes of it.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// 32 segments, one per lane: where its rows start, how many there are, and the
/// tiles along m up to its end. All lanes know the number of the first one, and
/// of tiles before and up to the end of the 32.
struct Cursor {
  Value first, before, after;
  Value start, rows, tilesUpTo;

  static Cursor fromValues(ValueRange v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5]};
  }
  SmallVector<Value> getValues() const {
    return {first, before, after, start, rows, tilesUpTo};
  }
};

class SegmentScheduler : public Scheduler {
public:
  explicit SegmentScheduler(const ContractionKernel &kernel) : kernel(kernel) {}

  void initBarriers(KernelBuilder &b, const KernelState &state) override;
  void prepare(KernelBuilder &b, const KernelState &kernelState) override {
    state = kernelState;
    tilesN = b.ceilDivide(state.arguments.n, kernel.getTileColumns());
    numSegments = state.arguments.numSegments;
  }
  bool loadsInWarps() const override { return true; }
  void forEachTileToLoad(KernelBuilder &b, Loader &loader, Value numSteps,
                         LoadSteps loadSteps) override;
  void forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                   TileBody body) override;

private:
  static constexpr int64_t kLanes = 32, kSlots = 2, kWidthStep = 8;
  static constexpr int64_t kSlotBytes = 16, kNoTile = -1;

  Value getSlot(KernelBuilder &b, Value number);
  Value getBarrier(KernelBuilder &b, Value number, bool full);
  Value getPhase(KernelBuilder &b, Value number) {
    return b.bitAnd(b.shiftRight(number, 1), 1);
  }

  Value readOffset(KernelBuilder &b, Value segment);
  Cursor readSegments(KernelBuilder &b, Value first, Value before);
  std::pair<TilePosition, Cursor> find(KernelBuilder &b, Value ticket,
                                       Cursor cursor);
  Value draw(KernelBuilder &b, Value ticket);
  void publish(KernelBuilder &b, Value number, TilePosition tile);
  TilePosition receive(KernelBuilder &b, Value number);
  std::pair<TilePosition, Cursor> next(KernelBuilder &b, bool inOneWarp,
                                       Value number, Value ticket,
                                       Cursor cursor);

  const ContractionKernel &kernel;
  KernelState state;
  Value tilesN, numSegments;
};

} // namespace

//===----------------------------------------------------------------------===//
// The mailbox
//===----------------------------------------------------------------------===//

Value SegmentScheduler::getSlot(KernelBuilder &b, Value number) {
  Value offset = b.mul(b.bitAnd(number, kSlots - 1), kSlotBytes);
  return b.advance(state.shared, b.add(offset, kernel.getSchedulerOffset()));
}

Value SegmentScheduler::getBarrier(KernelBuilder &b, Value number, bool full) {
  int64_t base = kernel.getSchedulerOffset() + kSlots * kSlotBytes;
  Value offset = b.mul(b.bitAnd(number, kSlots - 1), 8);
  return b.advance(state.shared, b.add(offset, base + (full ? 0 : 8 * kSlots)));
}

void SegmentScheduler::initBarriers(KernelBuilder &b,
                                    const KernelState &kernelState) {
  state = kernelState;
  // Every warp that reads arrives: all that multiply and, if all of them load,
  // the other three of the loading warpgroup.
  int64_t readers = 4 * kernel.consumers + (kernel.gathersA ? 3 : 0);
  for (int64_t slot = 0; slot < kSlots; ++slot) {
    b.initBarrier(getBarrier(b, b.i32(slot), /*full=*/true), 1);
    b.initBarrier(getBarrier(b, b.i32(slot), /*full=*/false), readers);
  }
}

/// The position of a tile in the words of a slot.
static SmallVector<Value> getWords(TilePosition tile) {
  return {tile.row, tile.column, tile.end, tile.segment};
}

void SegmentScheduler::publish(KernelBuilder &b, Value number,
                               TilePosition tile) {
  b.waitBarrier(getBarrier(b, number, /*full=*/false),
                b.bitXor(getPhase(b, number), 1));
  Value words = LLVM::UndefOp::create(b, VectorType::get({4}, b.getI32Type()));
  for (auto [i, word] : llvm::enumerate(getWords(tile)))
    words = LLVM::InsertElementOp::create(b, words, word, b.i32(i));
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    b.storeShared(words, getSlot(b, number), kSlotBytes);
    b.arrive(getBarrier(b, number, /*full=*/true));
  });
}

TilePosition SegmentScheduler::receive(KernelBuilder &b, Value number) {
  b.waitBarrier(getBarrier(b, number, /*full=*/true), getPhase(b, number));
  Value words = b.loadShared(getSlot(b, number),
                             VectorType::get({4}, b.getI32Type()), kSlotBytes);
  SmallVector<Value> word;
  for (int64_t i = 0; i < 4; ++i)
    word.push_back(b.broadcastFirstLane(
        LLVM::ExtractElementOp::create(b, words, b.i32(i))));
  // The shuffles also see to it that all lanes have read.
  b.ifThen(b.isEqual(state.lane, 0),
           [&] { b.arrive(getBarrier(b, number, /*full=*/false)); });
  return {word[0], word[1], word[2], word[3]};
}

//===----------------------------------------------------------------------===//
// Finding tiles
//===----------------------------------------------------------------------===//

/// The first row of a segment, or the end of the last one.
Value SegmentScheduler::readOffset(KernelBuilder &b, Value segment) {
  Value bytes = b.mul(b.extend(b.minimum(segment, numSegments)), 8);
  Value offset =
      b.load(b.advance(state.arguments.offsets, bytes), b.getI64Type());
  return b.minimum(arith::TruncIOp::create(b, b.getI32Type(), offset),
                   state.numRows);
}

Cursor SegmentScheduler::readSegments(KernelBuilder &b, Value first,
                                      Value before) {
  Cursor cursor;
  cursor.first = first;
  cursor.before = before;
  Value segment = b.add(first, state.lane);
  cursor.start = readOffset(b, segment);
  cursor.rows = b.sub(readOffset(b, b.add(segment, 1)), cursor.start);
  cursor.tilesUpTo =
      b.sumOfLanesBefore(b.ceilDivide(cursor.rows, kernel.tileM), state.lane);
  Value tiles = b.readLane(cursor.tilesUpTo, b.i32(kLanes - 1));
  cursor.after = b.add(before, b.mul(tiles, tilesN));
  return cursor;
}

std::pair<TilePosition, Cursor>
SegmentScheduler::find(KernelBuilder &b, Value ticket, Cursor cursor) {
  auto isBehind = [&](const Cursor &c) {
    return b.compare(arith::CmpIPredicate::uge, ticket, c.after);
  };
  SmallVector<Value> found = b.whileLoop(
      cursor.getValues(),
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        Cursor here = Cursor::fromValues(values);
        Value hasMore = b.isLess(b.add(here.first, kLanes), numSegments);
        return {b.bitAnd(isBehind(here), hasMore), llvm::to_vector(values)};
      },
      [&](ValueRange values) {
        Cursor here = Cursor::fromValues(values);
        return readSegments(b, b.add(here.first, kLanes), here.after)
            .getValues();
      });
  cursor = Cursor::fromValues(found);

  // The first segment that ends behind the tile.
  Value number = b.sub(ticket, cursor.before);
  Value lane = b.countLanes(b.compare(arith::CmpIPredicate::ule,
                                      b.mul(cursor.tilesUpTo, tilesN), number));
  Value tilesM = b.ceilDivide(cursor.rows, kernel.tileM);
  Value tilesBefore = b.readLane(b.sub(cursor.tilesUpTo, tilesM), lane);
  Value start = b.readLane(cursor.start, lane);
  Value rows = b.readLane(cursor.rows, lane);
  tilesM = b.readLane(tilesM, lane);
  Value none = isBehind(cursor);
  // Without a tile, what is computed must only be defined.
  tilesM = b.select(none, b.i32(1), tilesM);
  number = b.select(none, b.i32(0), b.sub(number, b.mul(tilesBefore, tilesN)));
  TileNumbers numbers =
      getTileInGroups(b, number, tilesM, tilesN, kernel.groupM);
  TilePosition tile;
  tile.column = b.mul(numbers.n, kernel.getTileColumns());
  tile.end = b.add(start, rows);
  if (kernel.swapped) {
    // Tiles of any height are equally good: all of a segment's get the same, so
    // that none is left with few rows, for which to load B does not pay.
    Value even = b.ceilDivide(rows, tilesM);
    Value height = b.mul(b.ceilDivide(even, kWidthStep), kWidthStep);
    tile.row = b.add(start, b.mul(numbers.m, height));
    tile.end = b.minimum(tile.end, b.add(tile.row, height));
  } else {
    tile.row = b.add(start, b.mul(numbers.m, kernel.tileM));
  }
  tile.segment = b.select(none, b.i32(kNoTile), b.add(cursor.first, lane));
  return {tile, cursor};
}

/// The number of the tile after the one with this ticket; with a counter, only
/// the first thread knows it.
Value SegmentScheduler::draw(KernelBuilder &b, Value ticket) {
  if (!kernel.drawsTiles)
    return b.add(ticket, b.gridSize());
  // The first tile of each block needs no drawing.
  return b.choose(
      b.isEqual(state.thread, 0),
      [&]() -> SmallVector<Value> {
        return {
            b.add(b.fetchAdd(state.arguments.counter, b.i32(1)), b.gridSize())};
      },
      [&]() -> SmallVector<Value> { return {ticket}; })[0];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Finds a tile in the first warp and tells the others.
std::pair<TilePosition, Cursor>
SegmentScheduler::next(KernelBuilder &b, bool inOneWarp, Value number,
                       Value ticket, Cursor cursor) {
  auto findAndPublish = [&]() -> SmallVector<Value> {
    if (kernel.drawsTiles)
      ticket = b.broadcastFirstLane(ticket);
    auto [tile, here] = find(b, ticket, cursor);
    publish(b, number, tile);
    SmallVector<Value> values = getWords(tile);
    llvm::append_range(values, here.getValues());
    return values;
  };
  SmallVector<Value> values;
  if (inOneWarp)
    values = findAndPublish();
  else
    values = b.choose(b.isEqual(state.warp, 0), findAndPublish, [&] {
      SmallVector<Value> received = getWords(receive(b, number));
      llvm::append_range(received, cursor.getValues());
      return received;
    });
  return {TilePosition{values[0], values[1], values[2], values[3]},
          Cursor::fromValues(ArrayRef(values).drop_front(4))};
}

static Value isTile(KernelBuilder &b, TilePosition tile) {
  return b.compare(arith::CmpIPredicate::sge, tile.segment, b.i32(0));
}

/// What the loader wants to read ahead for a tile, if it is one.
static SmallVector<Value> prefetch(KernelBuilder &b, Loader &loader,
                                   TilePosition tile) {
  if (loader.isSingleThreaded())
    return {};
  SmallVector<Value> ahead;
  return b.choose(
      isTile(b, tile), [&] { return ahead = loader.prefetch(b, tile); },
      [&] {
        SmallVector<Value> nothing;
        for (Value value : ahead)
          nothing.push_back(LLVM::ZeroOp::create(b, value.getType()));
        return nothing;
      });
}

void SegmentScheduler::forEachTileToLoad(KernelBuilder &b, Loader &loader,
                                         Value numSteps, LoadSteps loadSteps) {
  bool inOneWarp = loader.isSingleThreaded();
  constexpr unsigned kTile = 4, kCursor = 8, kAhead = 14;
  auto getTile = [](ValueRange values) {
    return TilePosition{values[kTile], values[kTile + 1], values[kTile + 2],
                        values[kTile + 3]};
  };
  auto emit = [&] {
    loader.prepare(b, state);
    Value ticket = b.blockId();
    auto [tile, cursor] = next(b, inOneWarp, b.i32(0), ticket,
                               readSegments(b, b.i32(0), b.i32(0)));
    SmallVector<Value> carried{b.i32(0), b.i32(0), b.i32(1), ticket};
    llvm::append_range(carried, getWords(tile));
    llvm::append_range(carried, cursor.getValues());
    // The addresses of the rows of a large tile take the registers that reading
    // ahead needs.
    bool readsAhead = !kernel.swapped;
    if (readsAhead)
      llvm::append_range(carried, prefetch(b, loader, tile));
    b.whileLoop(
        carried,
        [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
          return {isTile(b, getTile(values)), llvm::to_vector(values)};
        },
        [&](ValueRange values) {
          // The next tile is drawn now, found while the ring is full, and what
          // is read ahead for it needed after the steps: all latencies are
          // hidden.
          Value following = draw(b, values[3]);
          TilePosition here = getTile(values);
          loader.beginTile(b, here,
                           readsAhead
                               ? llvm::to_vector(values.drop_front(kAhead))
                               : loader.prefetch(b, here));
          Value first = b.minimum(numSteps, kernel.stages);
          SmallVector<Value> ring =
              loadSteps(values.take_front(2), b.i32(0), first);
          auto [ahead, at] =
              next(b, inOneWarp, values[2], following,
                   Cursor::fromValues(values.slice(kCursor, kAhead - kCursor)));
          SmallVector<Value> read;
          if (readsAhead)
            read = prefetch(b, loader, ahead);
          SmallVector<Value> result = loadSteps(ring, first, numSteps);
          result.append({b.add(values[2], 1), following});
          llvm::append_range(result, getWords(ahead));
          llvm::append_range(result, at.getValues());
          llvm::append_range(result, read);
          return result;
        });
  };
  if (inOneWarp)
    b.ifThen(b.isEqual(state.warp, 0), emit);
  else
    emit();
}

void SegmentScheduler::forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                                   TileBody body) {
  SmallVector<Value> values = llvm::to_vector(carried);
  values.push_back(b.i32(0));
  unsigned n = carried.size();
  b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        TilePosition tile = receive(b, values[n]);
        SmallVector<Value> passed = llvm::to_vector(values);
        llvm::append_range(passed, getWords(tile));
        return {isTile(b, tile), passed};
      },
      [&](ValueRange values) {
        TilePosition tile{values[n + 1], values[n + 2], values[n + 3],
                          values[n + 4]};
        SmallVector<Value> result = body(tile, values.take_front(n));
        result.push_back(b.add(values[n], 1));
        return result;
      });
}

std::unique_ptr<Scheduler>
mlir::pit::hopper::createSegmentScheduler(const ContractionKernel &kernel) {
  return std::make_unique<SegmentScheduler>(kernel);
}
