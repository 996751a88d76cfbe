//===- SegmentScheduler.cpp - Grouped GEMM: persistent tile scheduler -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first warp finds a block's tiles. It tells the others through a mailbox
// of two slots in shared memory, each with a barrier for full and one for
// empty, one tile ahead of what is computed.
//
// Which block computes a tile does not change what becomes of it.
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/RowSignals.h"
#include "GPU/Pipeline/SegmentFinder.h"
#include "Schedulers.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class SegmentScheduler : public Scheduler {
public:
  SegmentScheduler(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  void initBarriers(KernelBuilder &b) override;
  void prepare(KernelBuilder &b) override {
    finder.offsets = state.arguments.offsets;
    finder.numSegments = state.arguments.numSegments;
    finder.numRows = state.numRows;
    finder.tilesN = b.ceilDivide(state.arguments.n, kernel.getTileColumns());
    finder.lane = state.lane;
    finder.tileM = kernel.tileM;
    finder.tileN = kernel.getTileColumns();
    finder.groupM = kernel.groupM;
    finder.evenHeights = kernel.swapped;
    finder.extraRows = kernel.extraRows;
    if (kernel.awaitedPieces)
      finder.visits = SegmentVisits::ofPieces(b, kernel.awaitedPieces,
                                              state.arguments.ownPiece,
                                              state.arguments.numSegments);
  }
  bool loadsInWarps() const override { return true; }
  void forEachTileToLoad(KernelBuilder &b, Loader &loader, Value numSteps,
                         LoadSteps loadSteps) override;
  void forEachTile(KernelBuilder &b, ArrayRef<Value> carried,
                   TileBody body) override;
  Value getNumTiles() const override { return numTiles; }

private:
  static constexpr int64_t kSlots = 2, kSlotBytes = 16;

  Value getSlot(KernelBuilder &b, Value number);
  Value getBarrier(KernelBuilder &b, Value number, bool full);
  Value getPhase(KernelBuilder &b, Value number) {
    return b.bitAnd(b.shiftRight(number, 1), 1);
  }

  AwaitedRows getAwaitedRows() const {
    return {kernel.awaitedSegments,      kernel.timesSignaled,
            state.arguments.flags,       state.arguments.offsets,
            state.arguments.numSegments, state.numRows};
  }
  ArrivingPieces getPieces() const {
    return {kernel.awaitedPieces,       state.arguments.arrived,
            state.arguments.ownPiece,   state.arguments.rowsOfPiece,
            state.arguments.rowNumbers, kernel.rowNumberType};
  }
  Value awaitTile(KernelBuilder &b, TilePosition tile, Value areThere);
  Value draw(KernelBuilder &b, Value ticket);
  void publish(KernelBuilder &b, Value number, TilePosition tile);
  TilePosition receive(KernelBuilder &b, Value number);
  std::pair<TilePosition, SegmentCursor> next(KernelBuilder &b, bool inOneWarp,
                                              Value number, Value ticket,
                                              SegmentCursor cursor);

  const ContractionKernel &kernel;
  const KernelState &state;
  SegmentFinder finder;
  Value numTiles;
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

void SegmentScheduler::initBarriers(KernelBuilder &b) {
  // Every thread that reads arrives: all that multiply and, if all of them
  // load, the other three warps of the loading warpgroup.
  int64_t readers = 128 * kernel.consumers + (kernel.gathersA ? 96 : 0);
  for (int64_t slot = 0; slot < kSlots; ++slot) {
    b.initBarrier(getBarrier(b, b.i32(slot), /*full=*/true), 1);
    b.initBarrier(getBarrier(b, b.i32(slot), /*full=*/false), readers);
  }
  if (kernel.signaledSegments)
    RowSignals(getSignalShape(kernel), state, state.arguments.flags)
        .initBarriers(b);
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
  b.arrive(getBarrier(b, number, /*full=*/false));
  return {word[0], word[1], word[2], word[3]};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Waits for the pieces of a tile's rows, unless all are known to be there;
/// returns whether they are.
Value SegmentScheduler::awaitTile(KernelBuilder &b, TilePosition tile,
                                  Value areThere) {
  return b.choose(
      b.isEqual(areThere, 0),
      [&]() -> SmallVector<Value> {
        return {awaitPieces(b, getPieces(), tile, state.lane,
                            kernel.tileM + kernel.extraRows)};
      },
      [&]() -> SmallVector<Value> { return {areThere}; })[0];
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

/// Finds a tile in the first warp and tells the others.
std::pair<TilePosition, SegmentCursor>
SegmentScheduler::next(KernelBuilder &b, bool inOneWarp, Value number,
                       Value ticket, SegmentCursor cursor) {
  auto findAndPublish = [&]() -> SmallVector<Value> {
    if (kernel.drawsTiles)
      ticket = b.broadcastFirstLane(ticket);
    auto [tile, here] = finder.find(b, ticket, cursor);
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
          SegmentCursor::fromValues(ArrayRef(values).drop_front(4))};
}

/// What the loader wants to read ahead for a tile, if it is one.
static SmallVector<Value> prefetch(KernelBuilder &b, Loader &loader,
                                   TilePosition tile) {
  if (loader.isSingleThreaded())
    return {};
  SmallVector<Value> ahead;
  return b.choose(
      SegmentFinder::isTile(b, tile),
      [&] { return ahead = loader.prefetch(b, tile); },
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
  // Of warps that all load, one that finds no tiles signals rows.
  RowSignals signals(getSignalShape(kernel), state, state.arguments.flags);
  auto signal = [&](function_ref<void()> body) {
    if (kernel.signaledSegments && inOneWarp)
      body();
    else if (kernel.signaledSegments)
      b.ifThen(b.isEqual(state.warp, 3), body);
  };
  auto getTile = [](ValueRange values) {
    return TilePosition{values[kTile], values[kTile + 1], values[kTile + 2],
                        values[kTile + 3]};
  };
  auto emit = [&] {
    loader.prepare(b);
    Value ticket = b.blockId();
    auto [tile, cursor] = next(b, inOneWarp, b.i32(0), ticket, finder.begin(b));
    SmallVector<Value> carried{b.i32(0), b.i32(0), b.i32(1), ticket};
    llvm::append_range(carried, getWords(tile));
    llvm::append_range(carried, cursor.getValues());
    llvm::append_range(carried, prefetch(b, loader, tile));
    // Whether all pieces are there.
    if (kernel.awaitedPieces)
      carried.push_back(b.i32(0));
    SmallVector<Value> last = b.whileLoop(
        carried,
        [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
          return {SegmentFinder::isTile(b, getTile(values)),
                  llvm::to_vector(values)};
        },
        [&](ValueRange values) {
          // The next tile is drawn now, found while the ring is full, and what
          // is read ahead for it needed after the steps: all latencies are
          // hidden.
          Value following = draw(b, values[3]);
          if (kernel.awaitedSegments)
            awaitRows(b, getAwaitedRows(), getTile(values));
          ValueRange read = values.drop_front(kAhead);
          Value areThere;
          if (kernel.awaitedPieces) {
            areThere = awaitTile(b, getTile(values), values.back());
            read = read.drop_back();
          }
          signal(
              [&] { signals.note(b, b.sub(values[2], 1), getTile(values)); });
          loader.beginTile(b, getTile(values), read);
          Value first = b.minimum(numSteps, kernel.stages);
          SmallVector<Value> ring =
              loadSteps(values.take_front(2), b.i32(0), first);
          auto [ahead, at] = next(b, inOneWarp, values[2], following,
                                  SegmentCursor::fromValues(
                                      values.slice(kCursor, kAhead - kCursor)));
          SmallVector<Value> readAhead = prefetch(b, loader, ahead);
          SmallVector<Value> result = loadSteps(ring, first, numSteps);
          // The tile two before is written by now.
          signal([&] { signals.signal(b, b.sub(values[2], 3)); });
          result.append({b.add(values[2], 1), following});
          llvm::append_range(result, getWords(ahead));
          llvm::append_range(result, at.getValues());
          llvm::append_range(result, readAhead);
          if (areThere)
            result.push_back(areThere);
          return result;
        });
    signal([&] {
      signals.signal(b, b.sub(last[2], 3));
      signals.signal(b, b.sub(last[2], 2));
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
  values = b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        TilePosition tile = receive(b, values[n]);
        SmallVector<Value> passed = llvm::to_vector(values);
        llvm::append_range(passed, getWords(tile));
        return {SegmentFinder::isTile(b, tile), passed};
      },
      [&](ValueRange values) {
        TilePosition tile{values[n + 1], values[n + 2], values[n + 3],
                          values[n + 4]};
        tile.number = values[n];
        // All lanes have the same. The assembler does not see it where ways
        // meet that depend on the tile, and would keep descriptors in vector
        // registers, from which each product has to fetch them.
        SmallVector<Value> same;
        for (Value value : values.take_front(n))
          same.push_back(b.broadcastFirstLane(value));
        SmallVector<Value> result = body(tile, same);
        result.push_back(b.add(values[n], 1));
        return result;
      });
  numTiles = values[n];
}

std::unique_ptr<Scheduler>
mlir::pit::hopper::createSegmentScheduler(const ContractionKernel &kernel,
                                          const KernelState &state) {
  return std::make_unique<SegmentScheduler>(kernel, state);
}
