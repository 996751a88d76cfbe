//===- SwappedProduct.cpp - Swap A/B: columns of B times rows of A --------===//
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
// takes no more time than its width needs. So do the tails of long segments
// that lack so many rows that this pays.
//
// The same goes for a product of few rows: there are few tiles then, and each
// is computed by a cluster of blocks, which share its steps along k. What they
// sum up to is added in the order of the blocks, so that every run gives the
// same.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/ClusterWriter.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/SwappedWriter.h"
#include "GPU/Pipeline/Cluster.h"
#include "GPU/Pipeline/SegmentFinder.h"
#include "Products.h"

using namespace mlir;
using namespace mlir::pit::hopper;

// Not every set of widths in one kernel keeps the assembler from serialising
// the products (C7511); these do.
static constexpr int64_t kSegmentWidths[] = {48,  80,  112, 128,
                                             136, 144, 152, 160};
static constexpr int64_t kTailWidths[] = {16, 48, 80, 112, 128};
/// Those in between are of tiles that count as whole.
static constexpr int64_t kWideTailWidths[] = {16, 48, 80, 96, 136, 144, 152};

namespace {

class SwappedProduct : public TileProduct {
public:
  SwappedProduct(const ContractionKernel &kernel, const KernelState &state,
                 ArrayRef<int64_t> widths)
      : kernel(kernel), state(state), widths(widths), writer(kernel, state),
        sums(getClusterShape(kernel)), clusterWriter(kernel, state) {}

  void prepare(Ring &ring, Value warp) override;
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override {
    return computeRows(ring, widths, tile, position);
  }

private:
  /// Each warpgroup has its share of the columns of B in blocks of 64: one
  /// after the other, or the same columns of two matrices.
  static constexpr int64_t kBlockColumns = 64;
  int64_t getNumBlocks() const {
    return kernel.tileN / kBlockColumns / kernel.consumers;
  }
  int64_t getBlocksOfProduct() const {
    return getNumBlocks() / kernel.products;
  }
  static constexpr int64_t kBlockBytes = kBlockColumns * 128;
  /// Whether blocks of a cluster share what they write by pieces of 16 rows and
  /// columns, of which there are enough for many. Pairs, by groups of 16 rows,
  /// take up to .6 microseconds less.
  bool writesPieces() const {
    return kernel.splitsK > 2 && !kernel.storesWords();
  }
  using Accumulators = SmallVector<Value>;

  SmallVector<Value> computeRows(Ring &ring, ArrayRef<int64_t> widths,
                                 TilePosition tile, ValueRange position);
  SmallVector<Value> computeWidth(Ring &ring, int64_t width, TilePosition tile,
                                  ValueRange position);
  void writeBlock(Ring &ring, SmallVector<SmallVector<Value>> products,
                  int64_t block, TilePosition tile, int64_t accumulators = 0);
  void writeShare(Ring &ring, ArrayRef<Value> accumulators, int64_t width,
                  TilePosition tile);
  Accumulators multiplyStage(Ring &ring, Accumulators accumulators,
                             int64_t width, RingPosition position, Value step,
                             bool overwrite);

  const ContractionKernel &kernel;
  const KernelState &state;
  ArrayRef<int64_t> widths;
  SwappedWriter writer;
  /// Where blocks of a cluster share the steps.
  ClusterSums sums;
  ClusterWriter clusterWriter;
  MatrixDescriptor descriptorA, descriptorB;
  /// Of the tile: the warpgroup's first column, and in it, the warp's.
  Value firstColumn, warpColumn;
};

/// Tiles of `tileM` rows, all or most of which their segment has, and the
/// others.
class MixedProduct : public TileProduct {
public:
  MixedProduct(const ContractionKernel &kernel, const KernelState &state,
               std::unique_ptr<Writer> writer)
      : kernel(kernel),
        whole(createRowProduct(kernel, state, std::move(writer))),
        tail(kernel, state,
             kernel.extraRows ? ArrayRef(kWideTailWidths)
                              : ArrayRef(kTailWidths)) {}

  void prepare(Ring &ring, Value warp) override {
    whole->prepare(ring, warp);
    tail.prepare(ring, warp);
  }
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override {
    KernelBuilder &b = ring.b;
    return b.choose(
        isWholeTile(b, kernel.tileM, kernel.extraRows, tile),
        [&] { return whole->compute(ring, tile, position); },
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
  descriptorA = b.matrixDescriptor(state.sharedAddress, SharedLayout::KMajor);
  // Columns or panels of 64 of them: the same distance.
  descriptorB = b.matrixDescriptor(
      b.add(b.add(state.sharedAddress,
                  b.mul(ring.consumer, getBlocksOfProduct() * kBlockBytes)),
            kernel.getBytesOfA()),
      kernel.layoutB);
  firstColumn = b.mul(ring.consumer, getBlocksOfProduct() * kBlockColumns);
  warpColumn = b.mul(b.bitAnd(warp, 3), 16);
  writer.prepare(ring, warp);
  if (writesPieces())
    clusterWriter.prepare(ring, warp);
  else if (kernel.splitsK > 1)
    sums.prepare(b, state, warp);
}

SwappedProduct::Accumulators
SwappedProduct::multiplyStage(Ring &ring, Accumulators accumulators,
                              int64_t width, RingPosition position, Value step,
                              bool overwrite) {
  KernelBuilder &b = ring.b;
  Value offset = ring.begin(position, step);
  MatrixDescriptor a = b.advanceDescriptor(descriptorA, offset);
  MatrixDescriptor bb = b.advanceDescriptor(descriptorB, offset);
  // From a matrix' columns to the other's, the other warpgroup's lie between.
  int64_t blockBytes = kBlockBytes * kernel.products;
  auto multiply = [&](Value sums, int64_t block, int64_t step, bool overwrite) {
    return b.multiply(
        sums,
        b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB) +
                                    block * blockBytes),
        b.advanceDescriptor(a, step * getStepBytes(SharedLayout::KMajor)),
        width, kernel.inputType, kernel.layoutB, SharedLayout::KMajor,
        overwrite);
  };
  if (kernel.sumsStagesApart()) {
    for (auto [block, accumulator] : llvm::enumerate(accumulators))
      accumulator = addStage(b, accumulator, /*column=*/0, width, overwrite,
                             [&, block = int64_t(block)](
                                 Value partial, int64_t i, bool overwrite) {
                               return multiply(partial, block, i, overwrite);
                             });
    return accumulators;
  }
  b.beginProducts();
  for (int64_t step = 0; step < kProductsOfStage; ++step)
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      accumulators[block] =
          multiply(accumulators[block], block, step, overwrite && step == 0);
  b.commitProducts();
  return accumulators;
}

SmallVector<Value> SwappedProduct::computeWidth(Ring &ring, int64_t width,
                                                TilePosition tile,
                                                ValueRange position) {
  KernelBuilder &b = ring.b;
  const int64_t blocks = getNumBlocks();
  RingPosition first{position[0], position[1]};
  Accumulators accumulators;
  for (int64_t block = 0; block < blocks; ++block)
    accumulators.push_back(LLVM::UndefOp::create(b, b.accumulatorType(width)));
  accumulators = multiplyStage(ring, accumulators, width, first, b.i32(0),
                               /*overwrite=*/true);
  RingPosition following = ring.next(first);
  SmallVector<Value> values = accumulators;
  values.append({following.stage, following.phase, first.stage});
  values = b.forLoop(b.i32(1), ring.numSteps, b.i32(1), values,
                     [&](Value step, ValueRange values) -> SmallVector<Value> {
                       RingPosition here{values[blocks], values[blocks + 1]};
                       SmallVector<Value> result = multiplyStage(
                           ring, llvm::to_vector(values.take_front(blocks)),
                           width, here, step, /*overwrite=*/false);
                       b.waitProducts(1);
                       ring.release(values[blocks + 2]);
                       RingPosition after = ring.next(here);
                       result.append({after.stage, after.phase, here.stage});
                       return result;
                     });
  b.waitProducts(0);
  ring.release(values[blocks + 2]);
  ring.afterProducts();
  if (kernel.splitsK > 1) {
    ArrayRef<Value> sumsOfBlocks = ArrayRef(values).take_front(blocks);
    if (writesPieces())
      clusterWriter.write(ring, sumsOfBlocks, width, tile);
    else
      writeShare(ring, sumsOfBlocks, width, tile);
    return {values[blocks], values[blocks + 1]};
  }
  writer.begin(ring);
  for (int64_t block = 0; block < getBlocksOfProduct(); ++block) {
    SmallVector<SmallVector<Value>> products;
    for (int64_t product = 0; product < kernel.products; ++product)
      products.push_back(b.getElements(values[block + product], width / 2));
    writeBlock(ring, std::move(products), block, tile,
               (blocks - (block + 1) * kernel.products) * width / 2);
  }
  return {values[blocks], values[blocks + 1]};
}

/// Writes sums of a block's columns, of the tile's first rows or all, while
/// `accumulators` of others wait.
void SwappedProduct::writeBlock(Ring &ring,
                                SmallVector<SmallVector<Value>> products,
                                int64_t block, TilePosition tile,
                                int64_t accumulators) {
  KernelBuilder &b = ring.b;
  Value column = b.add(b.add(tile.column, firstColumn), block * kBlockColumns);
  Fragment fragment;
  fragment.products = std::move(products);
  if (kernel.epilogue) {
    fragment.transposed = true;
    fragment.row = b.add(tile.row, b.mul(b.bitAnd(state.lane, 3), 2));
    fragment.column =
        b.add(b.add(column, warpColumn), b.shiftRight(state.lane, 2));
  }
  writer.write(ring,
               applyEpilogue(b, kernel, state, tile, fragment, accumulators),
               column, tile);
}

/// Every block of the cluster adds up and writes 16 rows in turn.
void SwappedProduct::writeShare(Ring &ring, ArrayRef<Value> accumulators,
                                int64_t width, TilePosition tile) {
  KernelBuilder &b = ring.b;
  const int64_t groups = width / ClusterSums::kGroupRows;
  for (auto [block, accumulator] : llvm::enumerate(accumulators))
    sums.publish(b, b.getElements(accumulator, width / 2), block * groups);
  syncCluster(b);
  for (int64_t block = 0; block < getBlocksOfProduct(); ++block)
    for (int64_t first = 0; first < groups; first += kernel.splitsK) {
      Value group = b.add(state.rank, first);
      auto write = [&] {
        TilePosition part = tile;
        part.row = b.add(tile.row, b.mul(group, ClusterSums::kGroupRows));
        SmallVector<SmallVector<Value>> products;
        for (int64_t product = 0; product < kernel.products; ++product)
          products.push_back(
              sums.add(b, b.add(group, (block + product) * groups)));
        writeBlock(ring, std::move(products), block, part);
      };
      if (first + kernel.splitsK <= groups)
        write();
      else
        b.ifThen(b.isLess(group, b.i32(groups)), write);
    }
  // Others may still read what this block would overwrite, or leave behind.
  syncCluster(b);
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
mlir::pit::hopper::createSwappedProduct(const ContractionKernel &kernel,
                                        const KernelState &state) {
  ArrayRef<int64_t> widths(kernel.tileM);
  if (kernel.segmented)
    widths = ArrayRef(kSegmentWidths).take_while([&](int64_t width) {
      return width <= kernel.tileM;
    });
  return std::make_unique<SwappedProduct>(kernel, state, widths);
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createMixedProduct(const ContractionKernel &kernel,
                                      const KernelState &state,
                                      std::unique_ptr<Writer> writer) {
  return std::make_unique<MixedProduct>(kernel, state, std::move(writer));
}
