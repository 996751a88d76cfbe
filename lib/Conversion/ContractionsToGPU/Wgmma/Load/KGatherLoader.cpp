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
#include "PanelRows.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class KGatherLoader : public Loader {
public:
  KGatherLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return PanelRows::kThreads; }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  // With fewer, the numbers read ahead are spilled.
  unsigned getNumRegisters() const override { return 72; }

  void prepare(KernelBuilder &b) override { rows.prepare(b, state.thread); }
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override {
    position = tile;
  }
  SmallVector<Value> prefetchStep(KernelBuilder &b, Value k) override;
  void beginStep(ValueRange prefetched) override {
    numbers = llvm::to_vector_of<Value>(prefetched);
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kRows = PanelRows::kRows;

  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  PanelRows rows;
  SmallVector<Value> numbers;
};

} // namespace

SmallVector<Value> KGatherLoader::prefetchStep(KernelBuilder &b, Value k) {
  unsigned width = kernel.rowNumberType.getIntOrFloatBitWidth();
  auto type = VectorType::get({kRows}, kernel.rowNumberType);
  Value first = b.add(k, rows.getFirstRow());
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

void KGatherLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  const KernelArguments &arguments = state.arguments;
  Value first = b.add(k, rows.getFirstRow());
  SmallVector<Value> areListed;
  for (int64_t i = 0; i < kRows; ++i)
    areListed.push_back(b.isLess(b.add(first, i), state.depth));
  rows.copy(b, stage,
            {arguments.baseA, arguments.strideA, position.row, arguments.m,
             kernel.tileM, kernel.tailM},
            numbers, areListed);
  rows.copy(b, b.advance(stage, kernel.getBytesOfA()),
            {arguments.baseB, arguments.strideB, position.column, arguments.n,
             kernel.tileN, kernel.tailN},
            numbers, areListed);
  b.arriveAfterCopies(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createKGatherLoader(const ContractionKernel &kernel,
                                       const KernelState &state) {
  return std::make_unique<KGatherLoader>(kernel, state);
}
