//===- Loader.cpp - How operands come into shared memory ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

//===----------------------------------------------------------------------===//
// Both operands dense
//===----------------------------------------------------------------------===//

namespace {

class TensorMapLoader : public Loader {
public:
  explicit TensorMapLoader(const ContractionKernel &kernel) : kernel(kernel) {}

  unsigned getNumArrivals() const override { return 1; }
  bool isSingleThreaded() const override { return true; }
  bool needsConsumerFence() const override { return false; }
  unsigned getNumRegisters() const override { return 40; }

  void prepare(KernelBuilder &, const KernelState &state) override {
    arguments = state.arguments;
  }
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override {
    position = tile;
    if (tile.end && kernel.swapped)
      groups = b.ceilDivide(b.minimum(b.sub(tile.end, tile.row), kernel.tileM),
                            kRowsPerBox);
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override {
    if (groups) {
      // Only as many rows as are multiplied.
      constexpr int64_t kBoxBytes = kRowsPerBox * 128;
      b.arriveExpectingBytes(
          full, b.add(b.mul(groups, kBoxBytes), kernel.getBytesOfB()));
      b.forLoop(b.i32(0), groups, b.i32(1), {},
                [&](Value group, ValueRange) -> SmallVector<Value> {
                  copyTile(b, b.advance(stage, b.mul(group, kBoxBytes)),
                           arguments.tensorMapA, full,
                           b.add(position.row, b.mul(group, kRowsPerBox)), k,
                           kRowsPerBox, kernel.layoutA, /*asPanels=*/false);
                  return {};
                });
    } else {
      b.arriveExpectingBytes(full, kernel.getStageBytes());
      copyTile(b, stage, arguments.tensorMapA, full, position.row, k,
               kernel.tileM, kernel.layoutA, /*asPanels=*/false);
    }
    copyTilesOfB(b, kernel, arguments, stage, full, position, k);
  }

private:
  const ContractionKernel &kernel;
  static constexpr int64_t kRowsPerBox = ContractionKernel::kSwappedBoxRows;
  KernelArguments arguments;
  TilePosition position;
  Value groups;
};

//===----------------------------------------------------------------------===//
// Gathered rows of A
//===----------------------------------------------------------------------===//

/// Thread t copies chunk t % 8 of the rows t / 8, t / 8 + 16, ...
class RowGatherLoader : public Loader {
public:
  explicit RowGatherLoader(const ContractionKernel &kernel) : kernel(kernel) {}

  // Every thread of the warpgroup, and the one that announces B's bytes.
  unsigned getNumArrivals() const override { return kThreads + 1; }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  // With fewer, the addresses of the rows are spilled.
  unsigned getNumRegisters() const override {
    return kernel.segmented ? 72 : 56;
  }

  void prepare(KernelBuilder &b, const KernelState &state) override;
  SmallVector<Value> prefetch(KernelBuilder &b, TilePosition tile) override;
  void beginTile(KernelBuilder &b, TilePosition tile,
                 ValueRange prefetched) override;
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kThreads = 128, kChunks = 8;
  static constexpr int64_t kRowsPerPass = kThreads / kChunks;
  int64_t getNumPasses() const { return kernel.tileM / kRowsPerPass; }

  const ContractionKernel &kernel;
  KernelState state;
  Value chunk, row, target, rowBytes, isFirst, rowsLeft;
  TilePosition position;
  SmallVector<Value> sources;
};

} // namespace

void RowGatherLoader::prepare(KernelBuilder &b,
                              const KernelState &kernelState) {
  state = kernelState;
  chunk = b.bitAnd(state.thread, kChunks - 1);
  row = b.shiftRight(state.thread, 3);
  isFirst = b.isEqual(state.thread, 0);
  // The swizzle: chunk c of row r lies at c ^ (r % 8). Passes are 16 rows
  // apart, so that all rows of a thread have the same r % 8.
  target = b.add(b.mul(row, 128),
                 b.mul(b.bitXor(chunk, b.bitAnd(row, kChunks - 1)), 16));
  rowBytes = b.extend(b.mul(state.arguments.strideA, 2));
}

SmallVector<Value> RowGatherLoader::prefetch(KernelBuilder &b,
                                             TilePosition tile) {
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  SmallVector<Value> numbers;
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    Value packed = b.add(b.add(tile.row, row), pass * kRowsPerPass);
    // Rows beyond the last one repeat it; nobody stores what becomes of them.
    if (kernel.tailM)
      packed = b.minimum(packed, b.sub(tile.end ? tile.end : state.numRows, 1));
    Value address =
        b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width));
    numbers.push_back(b.load(address, kernel.rowNumberType));
  }
  return numbers;
}

void RowGatherLoader::beginTile(KernelBuilder &b, TilePosition tile,
                                ValueRange prefetched) {
  position = tile;
  // Segments end often: their rows beyond the end are not even read.
  rowsLeft = tile.end ? b.sub(tile.end, b.add(tile.row, row)) : Value();
  sources.clear();
  Value inRow = b.extend(b.mul(chunk, 16));
  for (Value number : prefetched)
    sources.push_back(
        b.advance(state.arguments.baseA,
                  b.add(b.mul(b.extend(number), rowBytes), inRow)));
}

void RowGatherLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  b.ifThen(isFirst, [&] {
    b.arriveExpectingBytes(full, kernel.getBytesOfB());
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k);
  });
  Value base = b.advance(stage, target);
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
  for (auto [pass, source] : llvm::enumerate(sources)) {
    Value bytesOfRow = bytes;
    if (rowsLeft)
      // Signed: all of a tile's rows may be behind the end.
      bytesOfRow = b.select(b.compare(arith::CmpIPredicate::sgt, rowsLeft,
                                      b.i32(int64_t(pass) * kRowsPerPass)),
                            bytes ? bytes : b.i32(16), b.i32(0));
    b.copy16(b.advance(base, int64_t(pass) * kRowsPerPass * 128),
             b.advance(source, offset), bytesOfRow);
  }
  b.arriveAfterCopies(full);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::unique_ptr<Loader>
mlir::pit::hopper::createTensorMapLoader(const ContractionKernel &kernel) {
  return std::make_unique<TensorMapLoader>(kernel);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createRowGatherLoader(const ContractionKernel &kernel) {
  return std::make_unique<RowGatherLoader>(kernel);
}
