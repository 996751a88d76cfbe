//===- RowSumConsumer.cpp - Row-piece SpMM: products and sums -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroups take groups of steps in turn. What a group's products are is added
// to the sums in shared memory when the group before has been added: the order
// in which a row's products are added does not depend on how fast threads are.
//
// Of a row of sums, the 16 bytes of a thread hold its four f32 of two blocks of
// eight columns; odd rows of an instruction go to the other 64 bytes first, so
// that two rows' 64 bytes lie in different banks, whichever rows those are.
//
//===----------------------------------------------------------------------===//

#include "RowSums.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class RowSumConsumer {
public:
  RowSumConsumer(KernelBuilder &b, const RowSumKernel &kernel,
                 const RowSumState &state)
      : b(b), kernel(kernel), state(state),
        ring(b, getPipelineShape(kernel), state, /*needsFence=*/false) {}

  void emit();

private:
  /// 64-byte chunks of a row of sums.
  static constexpr int64_t kChunks = RowSumKernel::kSumPitch / 64;
  /// Halves of a warp's 16 rows, of which few rows fill the first alone.
  static constexpr int64_t kMostHalves = 2;
  int64_t getNumHalves() const { return kernel.hasFewRows() ? 1 : kMostHalves; }

  RingPosition after(RingPosition place, int64_t steps);
  void release(Value stage);
  void waitForTurn(int64_t part, Value phase);
  void passTurn(int64_t part);
  void syncConsumers();
  void clearSums();
  SmallVector<Value> emitGroup(RingPosition place, Value turnPhase);
  SmallVector<Value> endTile(RingPosition place, Value turnPhase);
  void addToSums(ArrayRef<Value> values, ArrayRef<Value> rows, Value turnPhase);
  void addHalf(ArrayRef<SmallVector<Value>> values, ArrayRef<Value> addresses);
  void writeTile(TilePosition tile);

  KernelBuilder &b;
  const RowSumKernel &kernel;
  const RowSumState &state;
  Ring ring;
  Value consumer, warp, sums, isOdd;
};

} // namespace

RingPosition RowSumConsumer::after(RingPosition place, int64_t steps) {
  for (; steps > 0; steps -= kernel.stages)
    place = ring.advance(place, b.i32(std::min(steps, kernel.stages)));
  return place;
}

void RowSumConsumer::release(Value stage) {
  b.arrive(ring.getEmptyBarrier(stage));
}

void RowSumConsumer::waitForTurn(int64_t part, Value phase) {
  b.waitBarrier(state.getTurnBarrier(b, consumer, part), phase);
}

void RowSumConsumer::passTurn(int64_t part) {
  Value isLast = b.isEqual(consumer, RowSumKernel::kConsumers - 1);
  Value next = b.select(isLast, b.i32(0), b.add(consumer, 1));
  b.arrive(state.getTurnBarrier(b, next, part));
}

void RowSumConsumer::syncConsumers() {
  NVVM::BarrierOp::create(b, Type(), b.i32(1),
                          b.i32(RowSumKernel::kConsumerThreads),
                          NVVM::BarrierReductionAttr(), Value());
}

void RowSumConsumer::clearSums() {
  constexpr int64_t kPieces =
      RowSumKernel::kTileRows * RowSumKernel::kSumPitch / 16;
  auto four = VectorType::get({4}, b.getF32Type());
  Value zero = LLVM::ZeroOp::create(b, four);
  Value first = b.advance(state.shared, RowSumKernel::kSumOffset);
  b.forLoop(state.thread, b.i32(kPieces), b.i32(RowSumKernel::kConsumerThreads),
            {}, [&](Value i, ValueRange) -> SmallVector<Value> {
              b.storeShared(zero, b.advance(first, b.mul(i, 16)), 16);
              return {};
            });
}

/// Adds a thread's values of one row: first all loads, then all stores.
void RowSumConsumer::addHalf(ArrayRef<SmallVector<Value>> values,
                             ArrayRef<Value> addresses) {
  auto four = VectorType::get({4}, b.getF32Type());
  SmallVector<Value> loaded;
  for (Value address : addresses)
    loaded.push_back(b.loadShared(address, four, 16));
  for (auto [chunk, old] : llvm::enumerate(loaded)) {
    Value sum = LLVM::UndefOp::create(b, four);
    for (int64_t i = 0; i < 4; ++i) {
      Value element = LLVM::ExtractElementOp::create(b, old, b.i32(i));
      Value added = arith::AddFOp::create(b, element, values[chunk][i]);
      sum = LLVM::InsertElementOp::create(b, sum, added, b.i32(i));
    }
    b.storeShared(sum, addresses[chunk], 16);
  }
}

/// Adds products to the rows that the stage's note named, two per thread.
void RowSumConsumer::addToSums(ArrayRef<Value> products, ArrayRef<Value> rows,
                               Value turnPhase) {
  SmallVector<SmallVector<Value>> values[kMostHalves];
  SmallVector<Value> addresses[kMostHalves];
  Value isRow[kMostHalves];
  Value other = b.select(isOdd, b.i32(64), b.i32(0));
  Value quarter = b.mul(b.bitAnd(state.lane, 3), 16);
  for (int64_t half = 0; half < getNumHalves(); ++half) {
    isRow[half] = b.isLess(rows[half], b.i32(2 * RowSumKernel::kLiveHere));
    Value row = b.add(b.mul(b.bitAnd(rows[half], RowSumKernel::kLiveHere - 1),
                            RowSumKernel::kSumPitch),
                      quarter);
    for (int64_t chunk = 0; chunk < kChunks; ++chunk) {
      // Two blocks of eight columns: elements 0 and 1 of each are the thread's
      // of the first half's row, 2 and 3 of the second's.
      SmallVector<Value> ofChunk;
      for (int64_t i = 0; i < 4; ++i) {
        int64_t element = i / 2 * 4 + half * 2 + i % 2;
        // Chosen before the turn comes, not in it.
        ofChunk.push_back(
            b.pin(b.select(isOdd, products[(chunk ^ 1) * 8 + element],
                           products[chunk * 8 + element])));
      }
      values[half].push_back(ofChunk);
      addresses[half].push_back(
          b.advance(sums, b.bitXor(b.add(row, chunk * 64), other)));
    }
  }
  const int64_t chunksOfPart = kChunks / kernel.getNumParts();
  for (int64_t part = 0; part < kernel.getNumParts(); ++part) {
    waitForTurn(part, turnPhase);
    for (int64_t half = 0; half < getNumHalves(); ++half)
      b.ifThen(isRow[half], [&] {
        auto ofPart = [&](auto &all) {
          return ArrayRef(all).slice(part * chunksOfPart, chunksOfPart);
        };
        addHalf(ofPart(values[half]), ofPart(addresses[half]));
      });
    passTurn(part);
  }
}

/// The products of a group, which is not the tile's end.
SmallVector<Value> RowSumConsumer::emitGroup(RingPosition place,
                                             Value turnPhase) {
  Value firstRow =
      b.mul(b.add(b.mul(warp, 16), b.shiftRight(state.lane, 2)), 2);
  Value numbers =
      b.advance(state.getNote(b, place.stage, place.phase), firstRow);
  SmallVector<Value> rows;
  for (int64_t half = 0; half < getNumHalves(); ++half) {
    Value number =
        b.loadShared(b.advance(numbers, half * 16), b.getIntegerType(16), 2);
    rows.push_back(arith::ExtUIOp::create(b, b.getI32Type(), number));
  }
  constexpr int64_t kColumns = RowSumKernel::kTileColumns;
  Value accumulator = LLVM::UndefOp::create(b, b.accumulatorType(kColumns));
  SmallVector<Value> stages;
  for (int64_t piece = 0; piece < kernel.piecesOfGroup; ++piece) {
    if (piece)
      b.waitBarrier(ring.getFullBarrier(place.stage), place.phase);
    // Rows were copied by threads.
    b.fenceSharedMemory();
    auto describe = [&](Value offset, SharedLayout layout) {
      return b.matrixDescriptor(b.add(state.sharedAddress, offset), layout);
    };
    MatrixDescriptor a =
        describe(getOffsetOfA(b, kernel, place.stage), SharedLayout::KMajor);
    MatrixDescriptor ofB =
        describe(getOffsetOfB(b, kernel, place.stage), SharedLayout::MNMajor);
    b.beginProducts();
    for (int64_t k = 0; k < RowSumKernel::kDepth / 16; ++k)
      accumulator = b.multiply(accumulator, b.advanceDescriptor(a, k * 32),
                               b.advanceDescriptor(ofB, k * 16 * 128), kColumns,
                               kernel.inputType, SharedLayout::KMajor,
                               SharedLayout::MNMajor,
                               /*overwrite=*/piece == 0 && k == 0);
    b.commitProducts();
    stages.push_back(place.stage);
    place = after(place, 1);
  }
  b.waitProducts(0);
  SmallVector<Value> products;
  for (Value product : b.getElements(accumulator, kColumns / 2))
    products.push_back(b.pin(product));
  for (Value stage : stages)
    release(stage);
  addToSums(products, rows, turnPhase);
  place = after(place, (RowSumKernel::kConsumers - 1) * kernel.piecesOfGroup);
  return {place.stage, place.phase, b.bitXor(turnPhase, 1)};
}

/// Takes notice of the tile's end, an empty group.
SmallVector<Value> RowSumConsumer::endTile(RingPosition place,
                                           Value turnPhase) {
  for (int64_t piece = 0; piece < kernel.piecesOfGroup; ++piece) {
    if (piece)
      b.waitBarrier(ring.getFullBarrier(place.stage), place.phase);
    release(place.stage);
    place = after(place, 1);
  }
  for (int64_t part = 0; part < kernel.getNumParts(); ++part) {
    waitForTurn(part, turnPhase);
    passTurn(part);
  }
  place = after(place, (RowSumKernel::kConsumers - 1) * kernel.piecesOfGroup);
  return {place.stage, place.phase, b.bitXor(turnPhase, 1)};
}

/// Rounds and stores the sums, and clears them for the next tile.
void RowSumConsumer::writeTile(TilePosition tile) {
  constexpr int64_t kPieces =
      RowSumKernel::kTileRows * RowSumKernel::kSumPitch / 16;
  auto four = VectorType::get({4}, b.getF32Type());
  Value zero = LLVM::ZeroOp::create(b, four);
  Value first = b.advance(state.shared, RowSumKernel::kSumOffset);
  Value rowsLeft = b.sub(state.arguments.m, tile.row);
  Value pitch = b.extend(state.arguments.strideC);
  Value origin = b.add(b.mul(b.extend(tile.row), pitch), b.extend(tile.column));
  Value corner = b.advance(state.arguments.baseC, b.mul(origin, 2));
  b.forLoop(
      state.thread, b.i32(kPieces), b.i32(RowSumKernel::kConsumerThreads), {},
      [&](Value piece, ValueRange) -> SmallVector<Value> {
        Value address = b.advance(first, b.mul(piece, 16));
        Value sum = b.loadShared(address, four, 16);
        b.storeShared(zero, address, 16);
        Value words[2];
        for (int64_t i = 0; i < 2; ++i)
          words[i] = b.packPair(
              LLVM::ExtractElementOp::create(b, sum, b.i32(2 * i)),
              LLVM::ExtractElementOp::create(b, sum, b.i32(2 * i + 1)),
              kernel.outputType);
        // Of two neighbours, one stores both's columns of one block of eight,
        // one those of the other.
        Value quarter = b.bitAnd(piece, 3),
              chunk = b.bitAnd(b.shiftRight(piece, 2), 3);
        Value second = b.isEqual(b.bitAnd(quarter, 1), 1);
        Value received = NVVM::ShflOp::create(
            b, b.getI32Type(), b.i32(-1), b.select(second, words[0], words[1]),
            b.i32(1), b.i32(31), NVVM::ShflKind::bfly, UnitAttr());
        Value pair =
            LLVM::UndefOp::create(b, VectorType::get({2}, b.getI32Type()));
        pair = LLVM::InsertElementOp::create(
            b, pair, b.select(second, received, words[0]), b.i32(0));
        pair = LLVM::InsertElementOp::create(
            b, pair, b.select(second, words[1], received), b.i32(1));
        Value row = b.shiftRight(piece, 4);
        Value column =
            b.add(b.add(b.mul(chunk, 16), b.select(second, b.i32(8), b.i32(0))),
                  b.mul(b.bitAnd(quarter, 2), 2));
        b.ifThen(b.isLess(row, rowsLeft), [&] {
          Value offset = b.add(b.mul(b.extend(row), pitch), b.extend(column));
          b.store(pair, b.advance(corner, b.mul(offset, 2)), 8);
        });
        return {};
      });
}

void RowSumConsumer::emit() {
  consumer = b.shiftRight(state.warp, 2);
  warp = b.bitAnd(state.warp, 3);
  isOdd = b.isEqual(b.bitAnd(b.shiftRight(state.lane, 2), 1), 1);
  sums = b.advance(state.shared, RowSumKernel::kSumOffset);
  clearSums();
  syncConsumers();
  Value isFirst = b.isEqual(consumer, 0);
  // All groups of a round fit into the stages.
  RingPosition start{b.mul(consumer, kernel.piecesOfGroup), b.i32(0)};
  // Nobody passes the first turn.
  Value turnPhase = b.select(isFirst, b.i32(1), b.i32(0));
  b.forLoop(
      b.blockId(), state.tiles, b.gridSize(),
      {start.stage, start.phase, turnPhase},
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> last = b.whileLoop(
            llvm::to_vector(carried),
            [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
              b.waitBarrier(ring.getFullBarrier(values[0]), values[1]);
              Value flag =
                  b.loadShared(b.advance(state.getNote(b, values[0], values[1]),
                                         RowSumKernel::kNoteFlag),
                               b.getI32Type(), 4);
              return {b.isEqual(flag, 0), llvm::to_vector(values)};
            },
            [&](ValueRange values) {
              return emitGroup({values[0], values[1]}, values[2]);
            });
        SmallVector<Value> next = endTile({last[0], last[1]}, last[2]);
        syncConsumers();
        writeTile(state.getTile(b, number));
        syncConsumers();
        return next;
      });
}

void mlir::pit::hopper::emitRowSumConsumer(KernelBuilder &builder,
                                           const RowSumKernel &kernel,
                                           const RowSumState &state) {
  RowSumConsumer(builder, kernel, state).emit();
}
