//===- KGatherLoader.cpp - Gathered k: both operands by a list ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measured on an H200, all of a list of 4096 in random order, in points of the
// dense kernel's speed: one load of four numbers instead of four loads gains 2;
// eight lanes to a row instead of sixteen, 1. Nothing is gained by loading
// numbers more than one step ahead, or by copies without zero-filling for whole
// stages; two warps lose 10, and one warp for each stage 6. With half of the
// copies the kernel is as fast as the dense one.
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Thread t copies chunk t % 8 of every panel, of four listed rows from number
/// t / 8 * 4 on.
class KGatherLoader : public Loader {
public:
  KGatherLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return kThreads; }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  // With fewer, the numbers read ahead are spilled.
  unsigned getNumRegisters() const override { return 72; }

  void prepare(KernelBuilder &b) override;
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override {
    position = tile;
  }
  SmallVector<Value> prefetchStep(KernelBuilder &b, Value k) override;
  void beginStep(ValueRange prefetched) override {
    numbers = llvm::to_vector_of<Value>(prefetched);
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kThreads = 128, kChunks = 8;
  static constexpr int64_t kRows =
      ContractionKernel::kTileKOf16Bits / (kThreads / kChunks);
  /// Elements of a chunk of 16 bytes, and of a row of a panel.
  static constexpr int64_t kChunk = 8, kPanel = kChunks * kChunk;
  static constexpr int64_t kPanelBytes =
      ContractionKernel::kTileKOf16Bits * 128;

  /// An operand's columns of the tile.
  struct Columns {
    Value base, stride, first, extent;
    int64_t count;
    bool tail;
  };
  void copyRows(KernelBuilder &b, Value k, Value target,
                const Columns &columns);

  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  Value firstRow, column;
  SmallVector<Value> targets, numbers;
};

} // namespace

void KGatherLoader::prepare(KernelBuilder &b) {
  Value chunk = b.bitAnd(state.thread, kChunks - 1);
  firstRow = b.mul(b.shiftRight(state.thread, 3), kRows);
  column = b.mul(chunk, kChunk);
  // The swizzle: chunk c of row r lies at c ^ (r % 8).
  targets.clear();
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = b.add(firstRow, i);
    Value place = b.bitXor(chunk, b.bitAnd(row, kChunks - 1));
    targets.push_back(b.add(b.mul(row, 128), b.mul(place, 16)));
  }
}

SmallVector<Value> KGatherLoader::prefetchStep(KernelBuilder &b, Value k) {
  unsigned width = kernel.rowNumberType.getIntOrFloatBitWidth();
  auto type = VectorType::get({kRows}, kernel.rowNumberType);
  Value first = b.add(k, firstRow);
  auto getPointer = [&](Value packed) {
    return b.advance(state.arguments.rowNumbers,
                     b.mul(b.extend(packed), width / 8));
  };
  auto loadAll = [&] {
    Value loaded = b.load(getPointer(first), type, 16);
    SmallVector<Value> result;
    for (int64_t i = 0; i < kRows; ++i)
      result.push_back(LLVM::ExtractElementOp::create(b, loaded, b.i32(i)));
    return result;
  };
  // Behind the end of the list is no number, nor perhaps any memory.
  auto loadListed = [&] {
    SmallVector<Value> result;
    for (int64_t i = 0; i < kRows; ++i) {
      Value packed = b.add(first, i);
      result.append(b.choose(
          b.isLess(packed, state.depth),
          [&]() -> SmallVector<Value> {
            return {b.load(getPointer(packed), kernel.rowNumberType)};
          },
          [&]() -> SmallVector<Value> {
            return {arith::ConstantIntOp::create(b, 0, width)};
          }));
    }
    return result;
  };
  Value areListed =
      b.compare(arith::CmpIPredicate::ule, b.add(first, kRows), state.depth);
  return b.choose(areListed, loadAll, loadListed);
}

void KGatherLoader::copyRows(KernelBuilder &b, Value k, Value stage,
                             const Columns &columns) {
  Value first = b.add(columns.first, column);
  Value base = b.advance(columns.base, b.extend(b.mul(first, 2)));
  Value rowBytes = b.extend(b.mul(columns.stride, 2));
  for (int64_t i = 0; i < kRows; ++i) {
    Value source = b.advance(base, b.mul(b.extend(numbers[i]), rowBytes));
    Value target = b.advance(stage, targets[i]);
    Value isListed = b.isLess(b.add(b.add(k, firstRow), i), state.depth);
    for (int64_t panel = 0; panel < columns.count / kPanel; ++panel) {
      // Extents are multiples of 8, so that a chunk is either inside or beyond
      // the end. What is beyond is filled with zeros, and nothing is read.
      Value exists = isListed;
      if (columns.tail)
        exists = b.bitAnd(
            exists, b.isLess(b.add(first, panel * kPanel), columns.extent));
      b.copy16(b.advance(target, panel * kPanelBytes),
               b.advance(source, panel * kPanel * 2),
               b.select(exists, b.i32(16), b.i32(0)));
    }
  }
}

void KGatherLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  const KernelArguments &arguments = state.arguments;
  copyRows(b, k, stage,
           {arguments.baseA, arguments.strideA, position.row, arguments.m,
            kernel.tileM, kernel.tailM});
  copyRows(b, k, b.advance(stage, kernel.getBytesOfA()),
           {arguments.baseB, arguments.strideB, position.column, arguments.n,
            kernel.tileN, kernel.tailN});
  b.arriveAfterCopies(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createKGatherLoader(const ContractionKernel &kernel,
                                       const KernelState &state) {
  return std::make_unique<KGatherLoader>(kernel, state);
}
