//===- SwappedProduct.cpp - Columns of B times rows of A --------------===//
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
// takes no more time than its width needs. So do the tails of long segments.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "SwappedWriter.h"
#include "TileProduct.h"

using namespace mlir;
using namespace mlir::pit::hopper;

// Not every set of widths in one kernel keeps the assembler from serialising
// the products (C7511); these do.
static constexpr int64_t kSegmentWidths[] = {48,  80,  112, 128,
                                             136, 144, 152, 160};
static constexpr int64_t kTailWidths[] = {16, 48, 80, 112, 128};

namespace {

class SwappedProduct : public TileProduct {
public:
  SwappedProduct(const ContractionKernel &kernel, ArrayRef<int64_t> widths)
      : kernel(kernel), widths(widths), writer(kernel) {}

  void prepare(Ring &ring, Value warp) override;
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override {
    return computeRows(ring, widths, tile, position);
  }

private:
  /// Each warpgroup has two blocks of 64 columns of B: one after the other, or
  /// the same columns of two matrices.
  static constexpr int64_t kBlocks = 2, kBlockColumns = 64;
  int64_t getBlocksOfProduct() const { return kBlocks / kernel.products; }
  static constexpr int64_t kBlockBytes = kBlockColumns * 128;
  using Accumulators = SmallVector<Value>;

  SmallVector<Value> computeRows(Ring &ring, ArrayRef<int64_t> widths,
                                 TilePosition tile, ValueRange position);
  SmallVector<Value> computeWidth(Ring &ring, int64_t width, TilePosition tile,
                                  ValueRange position);
  Accumulators multiplyStage(Ring &ring, Accumulators accumulators,
                             int64_t width, RingPosition position,
                             bool overwrite);

  const ContractionKernel &kernel;
  ArrayRef<int64_t> widths;
  SwappedWriter writer;
  Value descriptorA, descriptorB, warpColumn;
};

/// Rows of whole tiles all belong to their segment.
class MixedProduct : public TileProduct {
public:
  MixedProduct(const ContractionKernel &kernel, std::unique_ptr<Writer> writer)
      : kernel(kernel), whole(createRowProduct(kernel, std::move(writer))),
        tail(kernel, kTailWidths) {}

  void prepare(Ring &ring, Value warp) override {
    whole->prepare(ring, warp);
    tail.prepare(ring, warp);
  }
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override {
    KernelBuilder &b = ring.b;
    Value isWhole = b.compare(arith::CmpIPredicate::ule,
                              b.add(tile.row, kernel.tileM), tile.end);
    return b.choose(
        isWhole, [&] { return whole->compute(ring, tile, position); },
        [&] { return tail.compute(ring, tile, position); });
  }
  void finish(Ring &ring) override { whole->finish(ring); }

private:
  const ContractionKernel &kernel;
  std::unique_ptr<TileProduct> whole;
  SwappedProduct tail;
};

} // namespace

void SwappedProduct::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  descriptorA =
      b.matrixDescriptor(ring.state.sharedAddress, SharedLayout::KMajor);
  // Columns or panels of 64 of them: the same distance.
  descriptorB = b.matrixDescriptor(
      b.add(b.add(ring.state.sharedAddress,
                  b.mul(ring.consumer, getBlocksOfProduct() * kBlockBytes)),
            kernel.getBytesOfA()),
      kernel.layoutB);
  warpColumn = b.add(b.mul(ring.consumer, getBlocksOfProduct() * kBlockColumns),
                     b.mul(b.bitAnd(warp, 3), 16));
  writer.prepare(b, ring.state, warp);
}

SwappedProduct::Accumulators
SwappedProduct::multiplyStage(Ring &ring, Accumulators accumulators,
                              int64_t width, RingPosition position,
                              bool overwrite) {
  KernelBuilder &b = ring.b;
  Value offset = ring.begin(position);
  Value a = b.add(descriptorA, offset), bb = b.add(descriptorB, offset);
  // From a matrix' columns to the other's, the other warpgroup's lie between.
  int64_t blockBytes = kBlockBytes * kernel.products;
  b.beginProducts();
  for (int64_t step = 0; step < kernel.tileK / kProductDepth; ++step)
    for (int64_t block = 0; block < kBlocks; ++block)
      accumulators[block] = b.multiply(
          accumulators[block],
          b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB) +
                                      block * blockBytes),
          b.advanceDescriptor(a, step * getStepBytes(SharedLayout::KMajor)),
          width, kernel.inputType, kernel.layoutB, SharedLayout::KMajor,
          overwrite && step == 0);
  b.commitProducts();
  return accumulators;
}

SmallVector<Value> SwappedProduct::computeWidth(Ring &ring, int64_t width,
                                                TilePosition tile,
                                                ValueRange position) {
  KernelBuilder &b = ring.b;
  RingPosition first{position[0], position[1]};
  Accumulators accumulators;
  for (int64_t block = 0; block < kBlocks; ++block)
    accumulators.push_back(LLVM::UndefOp::create(b, b.accumulatorType(width)));
  accumulators =
      multiplyStage(ring, accumulators, width, first, /*overwrite=*/true);
  RingPosition following = ring.next(first);
  SmallVector<Value> values = accumulators;
  values.append({following.stage, following.phase, first.stage});
  values = b.forLoop(b.i32(1), ring.numSteps, b.i32(1), values,
                     [&](Value, ValueRange values) -> SmallVector<Value> {
                       RingPosition here{values[kBlocks], values[kBlocks + 1]};
                       SmallVector<Value> result = multiplyStage(
                           ring, llvm::to_vector(values.take_front(kBlocks)),
                           width, here, /*overwrite=*/false);
                       b.waitProducts(1);
                       ring.release(values[kBlocks + 2]);
                       RingPosition after = ring.next(here);
                       result.append({after.stage, after.phase, here.stage});
                       return result;
                     });
  b.waitProducts(0);
  ring.release(values[kBlocks + 2]);
  writer.begin(b);
  for (int64_t block = 0; block < getBlocksOfProduct(); ++block) {
    Value column = b.add(b.add(tile.column, warpColumn), block * kBlockColumns);
    Fragment fragment;
    for (int64_t product = 0; product < kernel.products; ++product)
      fragment.products.push_back(
          b.getElements(values[block + product], width / 2));
    if (kernel.epilogue) {
      fragment.transposed = true;
      fragment.row = b.add(tile.row, b.mul(b.bitAnd(ring.state.lane, 3), 2));
      fragment.column = b.add(column, b.shiftRight(ring.state.lane, 2));
    }
    writer.write(b, applyEpilogue(b, kernel, ring.state, tile, fragment),
                 column, tile);
  }
  return {values[kBlocks], values[kBlocks + 1]};
}

/// Takes the first of the widths that holds all rows.
SmallVector<Value> SwappedProduct::computeRows(Ring &ring,
                                               ArrayRef<int64_t> widths,
                                               TilePosition tile,
                                               ValueRange position) {
  int64_t width = widths.front();
  if (widths.size() == 1)
    return computeWidth(ring, width, tile, position);
  KernelBuilder &b = ring.b;
  Value fits =
      b.compare(arith::CmpIPredicate::ule, tile.end, b.add(tile.row, width));
  return b.choose(
      fits, [&] { return computeWidth(ring, width, tile, position); },
      [&] { return computeRows(ring, widths.drop_front(), tile, position); });
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createSwappedProduct(const ContractionKernel &kernel) {
  return std::make_unique<SwappedProduct>(kernel, kSegmentWidths);
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createMixedProduct(const ContractionKernel &kernel,
                                      std::unique_ptr<Writer> writer) {
  return std::make_unique<MixedProduct>(kernel, std::move(writer));
}
