//===- RaggedKLoader.cpp - Listed k, gathered or packed -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped GEMM of ragged k, k-grouped GEMM: a tile multiplies the rows of A
// and B that its segment lists. One list, with an operand packed through it, is
// a single segment. Listed rows are copied by threads, 16 bytes
// each, and put where the copy engine would have put them. What lies packed is
// together in memory, and the copy engine takes whole steps of it. In the step
// where the segment ends threads copy both, as what follows belongs to another
// segment, or to nobody: it has to be zero in both operands, since zero times
// NaN is not.
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"
#include "OperandCopies.h"
#include "PanelRows.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class RaggedKLoader : public Loader {
public:
  RaggedKLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  // Every thread of the warpgroup, and the one that announces bytes.
  unsigned getNumArrivals() const override {
    return PanelRows::kThreads + (usesCopyEngine() ? 1 : 0);
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
  static constexpr int64_t kTileK = ContractionKernel::kTileKOf16Bits,
                           kRows = PanelRows::kRows;

  struct Operand {
    PanelRows::Columns columns;
    /// Where it goes in a stage, and how many bytes it has there.
    int64_t place, bytes;
    bool isPacked;
    /// The copy engine's map, columns of a box, and whether all panels of a box
    /// are one.
    Value map;
    int64_t ofBox;
    bool asPanels;
  };
  Operand getA() const;
  Operand getB() const;
  bool usesCopyEngine() const { return kernel.packsA || kernel.packsB; }
  /// Whether a list has to be read.
  bool usesNumbers() const { return !kernel.packsA || !kernel.packsB; }
  void copyRows(KernelBuilder &b, Value k, Value stage, const Operand &operand,
                bool isWhole);
  void copyBoxes(KernelBuilder &b, Value k, Value stage, Value full,
                 const Operand &operand);

  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  PanelRows rows;
  Value isFirst;
  SmallVector<Value> numbers;
};

} // namespace

RaggedKLoader::Operand RaggedKLoader::getA() const {
  const KernelArguments &arguments = state.arguments;
  return {{arguments.baseA, arguments.strideA, position.row, arguments.m,
           kernel.tileM, kernel.tailM},
          /*place=*/0,
          kernel.getBytesOfA(),
          kernel.packsA,
          arguments.tensorMapA,
          kernel.tileM,
          /*asPanels=*/false};
}

RaggedKLoader::Operand RaggedKLoader::getB() const {
  const KernelArguments &arguments = state.arguments;
  return {{arguments.baseB, arguments.strideB, position.column, arguments.n,
           kernel.tileN, kernel.tailN},
          kernel.getBytesOfA(),
          kernel.getBytesOfB(),
          kernel.packsB,
          arguments.tensorMapB,
          kernel.getBoxColumns(),
          kernel.panelsOfB};
}

void RaggedKLoader::prepare(KernelBuilder &b) {
  rows.prepare(b, state.thread);
  isFirst = b.isEqual(state.thread, 0);
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
  Value first = b.add(b.add(position.firstK, k), rows.getFirstRow());
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

/// By threads. Only in the step where the segment ends are there rows that do
/// not exist.
void RaggedKLoader::copyRows(KernelBuilder &b, Value k, Value stage,
                             const Operand &operand, bool isWhole) {
  Value first = b.add(b.add(position.firstK, k), rows.getFirstRow());
  SmallVector<Value> packed, exist(kRows);
  for (int64_t i = 0; i < kRows; ++i) {
    packed.push_back(b.add(first, i));
    if (!isWhole)
      exist[i] = b.isLess(packed[i], position.endK);
  }
  rows.copy(b, b.advance(stage, operand.place), operand.columns,
            operand.isPacked ? packed : numbers, exist);
}

/// By the copy engine.
void RaggedKLoader::copyBoxes(KernelBuilder &b, Value k, Value stage,
                              Value full, const Operand &operand) {
  const PanelRows::Columns &columns = operand.columns;
  for (int64_t box = 0; box < columns.count; box += operand.ofBox)
    copyTile(b, b.advance(stage, operand.place + box * kernel.kRowBytes),
             operand.map, full, b.add(columns.first, box),
             b.add(position.firstK, k), operand.ofBox, SharedLayout::MNMajor,
             operand.asPanels);
}

void RaggedKLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  const Operand operands[] = {getA(), getB()};
  Value end = b.add(b.add(position.firstK, k), kTileK);
  Value isWhole = b.compare(arith::CmpIPredicate::sle, end, position.endK);
  auto loadWhole = [&] {
    if (usesCopyEngine())
      b.ifThen(isFirst, [&] {
        int64_t bytes = 0;
        for (const Operand &operand : operands)
          bytes += operand.isPacked ? operand.bytes : 0;
        b.arriveExpectingBytes(full, bytes);
        for (const Operand &operand : operands)
          if (operand.isPacked)
            copyBoxes(b, k, stage, full, operand);
      });
    for (const Operand &operand : operands)
      if (!operand.isPacked)
        copyRows(b, k, stage, operand, /*isWhole=*/true);
  };
  auto loadEnd = [&] {
    if (usesCopyEngine())
      b.ifThen(isFirst, [&] { b.arrive(full); });
    for (const Operand &operand : operands)
      copyRows(b, k, stage, operand, /*isWhole=*/false);
  };
  b.ifThenElse(isWhole, loadWhole, loadEnd);
  b.arriveAfterCopies(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createRaggedKLoader(const ContractionKernel &kernel,
                                       const KernelState &state) {
  return std::make_unique<RaggedKLoader>(kernel, state);
}
