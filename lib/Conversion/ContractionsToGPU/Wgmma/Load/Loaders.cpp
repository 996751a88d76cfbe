//===- Loaders.cpp - Operands by TMA, or rows of A gathered ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"
#include "GPU/Pipeline/SegmentFinder.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

//===----------------------------------------------------------------------===//
// Both operands dense
//===----------------------------------------------------------------------===//

namespace {

class TensorMapLoader : public Loader {
public:
  TensorMapLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return 1; }
  bool isSingleThreaded() const override { return true; }
  bool needsConsumerFence() const override { return false; }
  unsigned getNumRegisters() const override { return 40; }

  void prepare(KernelBuilder &b) override {
    readsBOnce = isBReadOnce(b, kernel, state.arguments);
  }
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override {
    position = tile;
    if (kernel.segmented && kernel.getBoxRows() < kernel.tileM)
      boxes = b.ceilDivide(b.sub(tile.end, tile.row), kernel.getBoxRows());
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override {
    if (boxes) {
      // Only as many rows as are multiplied.
      const int64_t rows = kernel.getBoxRows(), bytes = rows * kernel.kRowBytes;
      b.arriveExpectingBytes(full,
                             b.add(b.mul(boxes, bytes), kernel.getBytesOfB()));
      b.forLoop(b.i32(0), boxes, b.i32(1), {},
                [&](Value box, ValueRange) -> SmallVector<Value> {
                  copyTile(b, b.advance(stage, b.mul(box, bytes)),
                           state.arguments.tensorMapA, full,
                           b.add(position.row, b.mul(box, rows)), k, rows,
                           kernel.layoutA, /*asPanels=*/false);
                  return {};
                });
    } else {
      b.arriveExpectingBytes(full, kernel.getStageBytes());
      copyTile(b, stage, state.arguments.tensorMapA, full, position.row, k,
               kernel.tileM, kernel.layoutA, /*asPanels=*/false,
               kernel.batched && !kernel.sharesA ? position.segment : Value());
    }
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k,
                 readsBOnce);
  }

private:
  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  Value boxes, readsBOnce;
};

//===----------------------------------------------------------------------===//
// Gathered rows of A
//===----------------------------------------------------------------------===//

/// Thread t copies chunk t % 8 of the rows t / 8, t / 8 + 16, ...
class RowGatherLoader : public Loader {
public:
  RowGatherLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  // Every thread of the warpgroup, and the one that announces B's bytes.
  unsigned getNumArrivals() const override { return kThreads + 1; }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  // With fewer, the addresses of the rows are spilled.
  unsigned getNumRegisters() const override {
    return kernel.segmented ? 72 : 56;
  }

  void prepare(KernelBuilder &b) override;
  SmallVector<Value> prefetch(KernelBuilder &b, TilePosition tile) override;
  void beginTile(KernelBuilder &b, TilePosition tile,
                 ValueRange prefetched) override;
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kThreads = 128, kChunks = 8, kLanes = 32;
  static constexpr int64_t kRowsPerPass = kThreads / kChunks;
  /// A warp has four rows in each pass. Numbers that are read ahead are spread
  /// over its lanes, eight passes to a word, as registers are scarce.
  static constexpr int64_t kRowsOfWarp = kLanes / kChunks;
  static constexpr int64_t kPassesOfWord = kLanes / kRowsOfWarp;
  int64_t getNumPasses() const {
    return llvm::divideCeil(kernel.tileM + kernel.extraRows, kRowsPerPass);
  }
  int64_t getNumWholePasses() const { return kernel.tileM / kRowsPerPass; }

  Value getSource(KernelBuilder &b, int64_t pass);

  const ContractionKernel &kernel;
  const KernelState &state;
  Value chunk, row, target, base, rowBytes, isFirst, readsBOnce;
  /// Of the tile, if rows come in segments.
  Value numRows, isWhole;
  TilePosition position;
  SmallVector<Value> numbers, sources;
};

} // namespace

void RowGatherLoader::prepare(KernelBuilder &b) {
  chunk = b.bitAnd(state.thread, kChunks - 1);
  row = b.shiftRight(state.thread, 3);
  isFirst = b.isEqual(state.thread, 0);
  // The swizzle: chunk c of row r lies at c ^ (r % 8). Passes are 16 rows
  // apart, so that all rows of a thread have the same r % 8.
  target = b.add(b.mul(row, 128),
                 b.mul(b.bitXor(chunk, b.bitAnd(row, kChunks - 1)), 16));
  base = b.advance(state.arguments.baseA, b.mul(chunk, 16));
  rowBytes = b.extend(b.mul(state.arguments.strideA, 2));
  readsBOnce = isBReadOnce(b, kernel, state.arguments);
}

SmallVector<Value> RowGatherLoader::prefetch(KernelBuilder &b,
                                             TilePosition tile) {
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  Value firstOfWarp = b.mul(state.warp, kRowsOfWarp);
  SmallVector<Value> words;
  for (int64_t pass = 0; pass < getNumPasses(); pass += kPassesOfWord) {
    Value passOfLane = b.add(b.divide(state.lane, kRowsOfWarp), pass);
    Value rowOfLane = b.bitAnd(state.lane, kRowsOfWarp - 1);
    Value packed = b.add(b.add(tile.row, b.mul(passOfLane, kRowsPerPass)),
                         b.add(firstOfWarp, rowOfLane));
    // Rows beyond the last one repeat it; nobody stores what becomes of them.
    if (kernel.tailM)
      packed = b.minimum(packed, b.sub(tile.end ? tile.end : state.numRows, 1));
    Value address =
        b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width));
    words.push_back(b.truncate(b.load(address, kernel.rowNumberType)));
  }
  return words;
}

/// A thread's chunk of a row, k = 0.
Value RowGatherLoader::getSource(KernelBuilder &b, int64_t pass) {
  Value lane =
      b.add(b.divide(state.lane, kChunks), pass % kPassesOfWord * kRowsOfWarp);
  Value number = b.readLane(numbers[pass / kPassesOfWord], lane);
  return b.advance(base, b.mul(b.extend(number), rowBytes));
}

void RowGatherLoader::beginTile(KernelBuilder &b, TilePosition tile,
                                ValueRange prefetched) {
  position = tile;
  numbers = llvm::to_vector(prefetched);
  sources.clear();
  for (int64_t pass = 0; pass < getNumWholePasses(); ++pass)
    sources.push_back(getSource(b, pass));
  if (!tile.end)
    return;
  // Segments end often: rows behind the end are not even read. What is there
  // instead meets nothing but rows of the output that nobody stores.
  numRows = b.sub(tile.end, tile.row);
  isWhole = isWholeTile(b, kernel.tileM, kernel.extraRows, tile);
}

void RowGatherLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  b.ifThen(isFirst, [&] {
    b.arriveExpectingBytes(full, kernel.getBytesOfB());
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k,
                 readsBOnce);
  });
  Value to = b.advance(stage, target);
  Value offset = b.extend(b.mul(k, 2));
  // k is a multiple of 8, so that a chunk is either inside or beyond the end.
  // What is beyond is filled with zeros, and read from the row's start instead
  // of from memory that may not be there.
  Value bytes;
  if (kernel.tailK) {
    Value inside = b.isLess(b.add(k, b.mul(chunk, 8)), state.arguments.k);
    bytes = b.select(inside, b.i32(16), b.i32(0));
    offset = b.select(inside, offset, b.i64(0));
  }
  auto copyRow = [&](int64_t pass, bool mayBeBehind) {
    // Few tiles have more rows: their addresses are not worth the registers.
    Value source =
        pass < getNumWholePasses() ? sources[pass] : getSource(b, pass);
    auto copy = [&] {
      b.copy16(b.advance(to, pass * kRowsPerPass * 128),
               b.advance(source, offset), bytes);
    };
    if (mayBeBehind)
      b.ifThen(b.isLess(b.add(row, pass * kRowsPerPass), numRows), copy);
    else
      copy();
  };
  auto copyWhole = [&] {
    for (int64_t pass = 0; pass < getNumWholePasses(); ++pass)
      copyRow(pass, /*mayBeBehind=*/false);
  };
  if (isWhole)
    b.ifThenElse(isWhole, copyWhole, [&] {
      for (int64_t pass = 0; pass < getNumPasses(); ++pass)
        b.ifThen(b.isLess(b.i32(pass * kRowsPerPass), numRows),
                 [&] { copyRow(pass, /*mayBeBehind=*/true); });
    });
  else
    copyWhole();
  b.arriveAfterCopies(full);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::unique_ptr<Loader>
mlir::pit::hopper::createTensorMapLoader(const ContractionKernel &kernel,
                                         const KernelState &state) {
  return std::make_unique<TensorMapLoader>(kernel, state);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createRowGatherLoader(const ContractionKernel &kernel,
                                         const KernelState &state) {
  return std::make_unique<RowGatherLoader>(kernel, state);
}
