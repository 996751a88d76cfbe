//===- RaggedKLoader.cpp - Segments of k, by a list or packed -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped GEMM of ragged k, k-grouped GEMM: a tile multiplies the rows of A
// and B that its segment lists. Listed rows are copied by threads, 16 bytes
// each, and put where the copy engine would have put them. What lies packed is
// together in memory, and the copy engine takes whole steps of it. In the step
// where the segment ends threads copy both, as what follows belongs to another
// segment, or to nobody: it has to be zero in both operands, since zero times
// NaN is not.
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Thread t copies chunk t % 8 of every panel, of four rows from number
/// t / 8 * 4 on.
class RaggedKLoader : public Loader {
public:
  RaggedKLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  // Every thread of the warpgroup, and the one that announces bytes.
  unsigned getNumArrivals() const override {
    return kThreads + (usesCopyEngine() ? 1 : 0);
  }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  unsigned getNumRegisters() const override { return 72; }

  void prepare(KernelBuilder &b) override;
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override;
  SmallVector<Value> prefetchStep(KernelBuilder &b, Value k) override;
  void beginStep(ValueRange prefetched) override {
    numbers = llvm::to_vector_of<Value>(prefetched);
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kThreads = 128, kChunks = 8;
  static constexpr int64_t kTileK = ContractionKernel::kTileKOf16Bits;
  static constexpr int64_t kRows = kTileK / (kThreads / kChunks);
  /// Elements of a chunk of 16 bytes, and of a row of a panel.
  static constexpr int64_t kChunk = 8, kPanel = kChunks * kChunk;
  static constexpr int64_t kPanelBytes = kTileK * 128;

  /// An operand's columns of the tile, and where they go in a stage.
  struct Columns {
    Value map, base, stride, first, extent;
    int64_t count, place, bytes;
    bool packed, tail;
    /// How the copy engine's map has them: columns of a box, and whether all
    /// panels of it are one.
    int64_t ofBox;
    bool asPanels;
  };
  Columns getColumnsOfA() const;
  Columns getColumnsOfB() const;
  bool usesCopyEngine() const { return kernel.packsA || kernel.packsB; }
  /// Whether a list has to be read.
  bool usesNumbers() const { return !kernel.packsA || !kernel.packsB; }
  void copyRows(KernelBuilder &b, Value k, Value stage, const Columns &columns,
                bool isWhole);

  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  Value firstRow, column, isFirst;
  SmallVector<Value> targets, numbers;
};

} // namespace

RaggedKLoader::Columns RaggedKLoader::getColumnsOfA() const {
  const KernelArguments &arguments = state.arguments;
  Columns columns;
  columns.map = arguments.tensorMapA, columns.base = arguments.baseA;
  columns.stride = arguments.strideA, columns.extent = arguments.m;
  columns.first = position.row, columns.count = kernel.tileM;
  columns.place = 0, columns.bytes = kernel.getBytesOfA();
  columns.packed = kernel.packsA, columns.tail = kernel.tailM;
  columns.ofBox = kernel.tileM, columns.asPanels = false;
  return columns;
}

RaggedKLoader::Columns RaggedKLoader::getColumnsOfB() const {
  const KernelArguments &arguments = state.arguments;
  Columns columns;
  columns.map = arguments.tensorMapB, columns.base = arguments.baseB;
  columns.stride = arguments.strideB, columns.extent = arguments.n;
  columns.first = position.column, columns.count = kernel.tileN;
  columns.place = kernel.getBytesOfA(), columns.bytes = kernel.getBytesOfB();
  columns.packed = kernel.packsB, columns.tail = kernel.tailN;
  columns.ofBox = kernel.getBoxColumns(), columns.asPanels = kernel.panelsOfB;
  return columns;
}

void RaggedKLoader::prepare(KernelBuilder &b) {
  Value chunk = b.bitAnd(state.thread, kChunks - 1);
  firstRow = b.mul(b.shiftRight(state.thread, 3), kRows);
  column = b.mul(chunk, kChunk);
  isFirst = b.isEqual(state.thread, 0);
  // The swizzle: chunk c of row r lies at c ^ (r % 8).
  targets.clear();
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = b.add(firstRow, i);
    Value place = b.bitXor(chunk, b.bitAnd(row, kChunks - 1));
    targets.push_back(b.add(b.mul(row, 128), b.mul(place, 16)));
  }
}

void RaggedKLoader::beginTile(KernelBuilder &b, TilePosition tile, ValueRange) {
  position = tile;
}

/// Numbers of the thread's listed rows; segments begin anywhere, so they are
/// read one by one. Those behind the end are that of the segment's last row.
SmallVector<Value> RaggedKLoader::prefetchStep(KernelBuilder &b, Value k) {
  if (!usesNumbers())
    return {};
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  Value first = b.add(b.add(position.firstK, k), firstRow);
  // An empty segment has none: any number that there is.
  Value last =
      arith::MaxSIOp::create(b, b.sub(position.endK, 1), b.i32(0)).getResult();
  SmallVector<Value> result;
  for (int64_t i = 0; i < kRows; ++i) {
    Value packed = b.minimum(b.add(first, i), last);
    result.push_back(b.load(
        b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width)),
        kernel.rowNumberType));
  }
  return result;
}

void RaggedKLoader::copyRows(KernelBuilder &b, Value k, Value stage,
                             const Columns &columns, bool isWhole) {
  Value first = b.add(columns.first, column);
  Value base = b.advance(columns.base, b.extend(b.mul(first, 2)));
  Value rowBytes = b.extend(b.mul(columns.stride, 2));
  Value to = b.advance(stage, columns.place);
  Value firstOfThread = b.add(b.add(position.firstK, k), firstRow);
  for (int64_t i = 0; i < kRows; ++i) {
    Value packed = b.add(firstOfThread, i);
    Value exists = isWhole ? Value() : b.isLess(packed, position.endK);
    Value number = columns.packed ? packed : numbers[i];
    Value source = b.advance(base, b.mul(b.extend(number), rowBytes));
    Value target = b.advance(to, targets[i]);
    for (int64_t panel = 0; panel < columns.count / kPanel; ++panel) {
      // Extents are multiples of 8, so that a chunk is either inside or beyond
      // the end. What is beyond is filled with zeros, and nothing is read.
      Value here = exists;
      if (columns.tail) {
        Value inside = b.isLess(b.add(first, panel * kPanel), columns.extent);
        here = here ? b.bitAnd(here, inside) : inside;
      }
      b.copy16(b.advance(target, panel * kPanelBytes),
               b.advance(source, panel * kPanel * 2),
               here ? b.select(here, b.i32(16), b.i32(0)) : Value());
    }
  }
}

void RaggedKLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  const Columns operands[] = {getColumnsOfA(), getColumnsOfB()};
  Value first = b.add(position.firstK, k);
  Value isWhole =
      b.compare(arith::CmpIPredicate::sle, b.add(first, kTileK), position.endK);
  auto loadWhole = [&] {
    if (usesCopyEngine())
      b.ifThen(isFirst, [&] {
        int64_t bytes = 0;
        for (const Columns &columns : operands)
          bytes += columns.packed ? columns.bytes : 0;
        b.arriveExpectingBytes(full, bytes);
        for (const Columns &columns : operands)
          for (int64_t box = 0; columns.packed && box < columns.count;
               box += columns.ofBox)
            copyTile(b,
                     b.advance(stage, columns.place + box * kernel.kRowBytes),
                     columns.map, full, b.add(columns.first, box), first,
                     columns.ofBox, SharedLayout::MNMajor, columns.asPanels);
      });
    for (const Columns &columns : operands)
      if (!columns.packed)
        copyRows(b, k, stage, columns, /*isWhole=*/true);
  };
  auto loadEnd = [&] {
    if (usesCopyEngine())
      b.ifThen(isFirst, [&] { b.arrive(full); });
    for (const Columns &columns : operands)
      copyRows(b, k, stage, columns, /*isWhole=*/false);
  };
  b.ifThenElse(isWhole, loadWhole, loadEnd);
  b.arriveAfterCopies(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createRaggedKLoader(const ContractionKernel &kernel,
                                       const KernelState &state) {
  return std::make_unique<RaggedKLoader>(kernel, state);
}
