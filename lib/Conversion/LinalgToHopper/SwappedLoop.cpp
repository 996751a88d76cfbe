//===- SwappedLoop.cpp - The main loop for short segments -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where segments have few rows, reading B costs the most, and a second tile of
// rows for what does not fit into the first reads it again. Here columns of B
// are the 64 rows of the matrix instructions, and rows of A their columns, of
// which instructions exist in steps of 8: a tile holds up to 160 rows, and
// takes no more time than its width needs.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"
#include "SwappedWriter.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class SwappedLoop : public MainLoop {
public:
  SwappedLoop(KernelBuilder &builder, const ContractionKernel &kernel,
              const KernelState &state, Loader &loader, Scheduler &scheduler)
      : MainLoop(builder, kernel, state, loader, scheduler), writer(kernel) {}

private:
  /// Each warpgroup has 128 columns of B.
  static constexpr int64_t kBlocks = 2, kBlockColumns = 64;
  static constexpr int64_t kBlockBytes = kBlockColumns * 128;
  using Accumulators = SmallVector<Value>;

  void prepareToCompute(Value warp) override;
  SmallVector<Value> computeTile(TilePosition tile, ValueRange ring) override;
  SmallVector<Value> computeWidth(int64_t width, TilePosition tile,
                                  ValueRange ring);
  Accumulators multiplyStage(Accumulators accumulators, int64_t width,
                             RingPosition position, bool overwrite);

  SwappedWriter writer;
  Value descriptorA, descriptorB, warpColumn;
};

} // namespace

void SwappedLoop::prepareToCompute(Value warp) {
  descriptorA = b.matrixDescriptor(state.sharedAddress, SharedLayout::KMajor);
  // Columns or panels of 64 of them: the same distance.
  descriptorB = b.matrixDescriptor(
      b.add(b.add(state.sharedAddress, b.mul(consumer, kBlocks * kBlockBytes)),
            kernel.getBytesOfA()),
      kernel.layoutB);
  warpColumn = b.add(b.mul(consumer, kBlocks * kBlockColumns),
                     b.mul(b.bitAnd(warp, 3), 16));
  writer.prepare(b, state, warp);
}

SwappedLoop::Accumulators SwappedLoop::multiplyStage(Accumulators accumulators,
                                                     int64_t width,
                                                     RingPosition position,
                                                     bool overwrite) {
  Value offset = beginStage(position);
  Value a = b.add(descriptorA, offset), bb = b.add(descriptorB, offset);
  b.beginProducts();
  for (int64_t step = 0; step < kernel.tileK / kDepth; ++step)
    for (int64_t block = 0; block < kBlocks; ++block)
      accumulators[block] = b.multiply(
          accumulators[block],
          b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB) +
                                      block * kBlockBytes),
          b.advanceDescriptor(a, step * getStepBytes(SharedLayout::KMajor)),
          width, kernel.inputType, kernel.layoutB, SharedLayout::KMajor,
          overwrite && step == 0);
  b.commitProducts();
  return accumulators;
}

SmallVector<Value> SwappedLoop::computeWidth(int64_t width, TilePosition tile,
                                             ValueRange carried) {
  RingPosition ring{carried[0], carried[1]};
  Accumulators accumulators;
  for (int64_t block = 0; block < kBlocks; ++block)
    accumulators.push_back(LLVM::UndefOp::create(b, b.accumulatorType(width)));
  accumulators = multiplyStage(accumulators, width, ring, /*overwrite=*/true);
  RingPosition following = next(ring);
  SmallVector<Value> values = accumulators;
  values.append({following.stage, following.phase, ring.stage});
  values = b.forLoop(b.i32(1), numSteps, b.i32(1), values,
                     [&](Value, ValueRange values) -> SmallVector<Value> {
                       RingPosition here{values[kBlocks], values[kBlocks + 1]};
                       SmallVector<Value> result = multiplyStage(
                           llvm::to_vector(values.take_front(kBlocks)), width,
                           here, /*overwrite=*/false);
                       b.waitProducts(1);
                       release(values[kBlocks + 2]);
                       RingPosition after = next(here);
                       result.append({after.stage, after.phase, here.stage});
                       return result;
                     });
  b.waitProducts(0);
  release(values[kBlocks + 2]);
  for (int64_t block = 0; block < kBlocks; ++block)
    writer.write(b, getElements(values[block], width / 2),
                 b.add(b.add(tile.column, warpColumn), block * kBlockColumns),
                 tile);
  return {values[kBlocks], values[kBlocks + 1]};
}

SmallVector<Value> SwappedLoop::computeTile(TilePosition tile,
                                            ValueRange ring) {
  // Not every set of widths in one kernel keeps the assembler from serialising
  // the products (C7511); this one does.
  static constexpr int64_t kWidths[] = {48, 80, 112, 128, 144, 160};
  Value rows = b.sub(tile.end, tile.row);
  std::function<SmallVector<Value>(ArrayRef<int64_t>)> choose =
      [&](ArrayRef<int64_t> widths) -> SmallVector<Value> {
    if (widths.size() == 1)
      return computeWidth(widths.front(), tile, ring);
    Value fits =
        b.compare(arith::CmpIPredicate::ule, rows, b.i32(widths.front()));
    return b.choose(
        fits, [&] { return computeWidth(widths.front(), tile, ring); },
        [&] { return choose(widths.drop_front()); });
  };
  return choose(kWidths);
}

void mlir::pit::hopper::emitSwappedLoop(KernelBuilder &builder,
                                        const ContractionKernel &kernel,
                                        const KernelState &state,
                                        Loader &loader, Scheduler &scheduler) {
  SwappedLoop(builder, kernel, state, loader, scheduler).emit();
}
