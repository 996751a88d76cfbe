//===- ChooseTiles.cpp - Tiles and split-K of a dense GEMM, by cost -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of few rows has few tiles of the usual size, and most of the chip
// would have nothing to do. Smaller tiles, and pairs of blocks that share one
// along k, occupy it; but they read more per product. Which of them wins
// follows from a few numbers of the chip. Where rows are counted on the device,
// a kernel has code for several sizes, and takes the one that wins with as many
// rows as there are.
//
//===----------------------------------------------------------------------===//

#include "DescribeKernel.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// A way to compute a product.
struct Tiling {
  int64_t tileM, tileN, stages;
  bool swapped = false;
  int64_t splitsK = 1;
};

/// What is multiplied: how often A, B and C are there, of elements of so many
/// bytes.
struct Work {
  int64_t m, n, k, elementBytes;
  double ofA = 1;
  int64_t ofB = 1, ofC = 1;
};

/// Cycles of a block that overlap with nothing; those of a cluster that meets,
/// and of one of its blocks that adds up 16 rows. Measured.
constexpr double kBlockCycles = 2500, kClusterCycles = 1000,
                 kGroupCycles = 1500;
/// What the lesser of two things that overlap adds to the greater.
constexpr double kHidden = 1. / 8;

} // namespace

static double overlap(double a, double b) {
  return std::max(a, b) + std::min(a, b) * kHidden;
}

/// About how many cycles it takes.
static double estimate(const Work &work, const Tiling &tiling,
                       const DeviceModel &device) {
  constexpr int64_t kRowBytes = ContractionKernel::kRowBytes;
  const TileRates &rates = *device.chip->rates;
  auto [m, n, k, elementBytes, ofA, ofB, ofC] = work;
  int64_t tiles = llvm::divideCeil(m, tiling.tileM) *
                  llvm::divideCeil(n, tiling.tileN) * ofC;
  int64_t blocks = std::max<int64_t>(tiles * tiling.splitsK, 1);
  int64_t rounds = llvm::divideCeil(blocks, device.multiprocessors);
  int64_t steps = llvm::divideCeil(
      llvm::divideCeil(k, kRowBytes / elementBytes), tiling.splitsK);

  // Instructions multiply 64 rows, and read both operands from shared memory.
  int64_t rows = tiling.swapped ? tiling.tileN : tiling.tileM,
          columns = tiling.swapped ? tiling.tileM : tiling.tileN;
  double products = double(rows) * columns * kRowBytes / rates.productBytes;
  double loadBytes = (rows + columns) * kRowBytes;
  double readBytes = rows / 64. * (64 + columns) * kRowBytes;
  double step = std::max({products, loadBytes / rates.loadBytes,
                          (loadBytes + readBytes) / rates.sharedBytes});
  // Few blocks, as of a last round, do not use all of the memory's speed.
  double bytes =
      (double(m) * k * ofA + double(k) * n * ofB + double(m) * n * ofC) *
      elementBytes;
  int64_t last = blocks % device.multiprocessors;
  auto getSpeed = [&](int64_t blocks) {
    return std::min(device.card->getMemoryBytesPerCycle(),
                    blocks * rates.memoryBytesOfOne);
  };
  double memory =
      bytes * (blocks - last) / blocks / getSpeed(device.multiprocessors);
  if (last > 0)
    memory += bytes * last / blocks / getSpeed(last);
  double alone = kBlockCycles;
  if (tiling.splitsK > 1)
    alone += kClusterCycles +
             kGroupCycles * llvm::divideCeil(tiling.tileM / 16, tiling.splitsK);
  return overlap(rounds * steps * step, memory) + rounds * alone;
}

/// What a match multiplies, with a guess where an extent is dynamic.
static Work getWork(const ContractionMatch &match,
                    const ContractionKernel &kernel) {
  ProductShape shape = guessShape(match);
  Work work{shape.m, shape.n, shape.k, kernel.getInputBytes()};
  // Windows have most elements in common.
  if (match.window)
    work.ofA = 1. / match.window.getNumTaps();
  if (!match.batched)
    return work;
  int64_t batches = getNumBatches(match);
  work.ofC = ShapedType::isDynamic(batches) ? kGuessedBatches : batches;
  work.ofA = match.a.segmentAxis ? work.ofC : 1;
  work.ofB = match.b.segmentAxis ? work.ofC : 1;
  return work;
}

void mlir::pit::hopper::chooseTiles(const ContractionMatch &match,
                                    const DeviceModel &device,
                                    ContractionKernel &kernel) {
  // Two products at a time have tiles of their own.
  bool isUnknown =
      ShapedType::isDynamic(match.m) && !match.batched && !getVersion(match);
  if (isUnknown || match.b2)
    return;
  Work work = getWork(match, kernel);
  SmallVector<Tiling> tilings;
  // Tiles that would be empty for the most part take longer than estimated.
  constexpr int64_t kRows = 128;
  bool maySwap = match.layoutA == SharedLayout::KMajor && kernel.mayBeSwapped();
  if (!maySwap || 2 * work.m > kRows)
    tilings.append({{kRows, 256, 4}, {kRows, 128, 6}});
  // Batches have enough tiles, however wide they are: that of the heads of
  // attention.
  if (match.batched && 2 * work.m > kRows)
    tilings.push_back({kRows, 64, 8});
  // As many stages as fit. Of the clusters, only pairs ever won.
  if (maySwap)
    tilings.append({{16, 128, 8, true},
                    {32, 128, 8, true},
                    {64, 128, 8, true},
                    {16, 64, 12, true},
                    {32, 64, 12, true},
                    {64, 64, 10, true},
                    {128, 64, 7, true},
                    {16, 64, 12, true, 2},
                    {32, 64, 12, true, 2},
                    {64, 64, 10, true, 2},
                    {128, 64, 7, true, 2}});
  auto estimateTiling = [&](const Tiling &tiling) {
    return estimate(work, tiling, device);
  };
  const Tiling *best =
      llvm::min_element(tilings, [&](const Tiling &a, const Tiling &b) {
        return estimateTiling(a) < estimateTiling(b);
      });
  kernel.tileM = best->tileM;
  kernel.tileN = best->tileN;
  kernel.stages = best->stages;
  kernel.swapped = best->swapped;
  kernel.splitsK = best->splitsK;
  // Of the columns that are rows of instructions, each warpgroup has 64.
  if (kernel.swapped)
    kernel.consumers = kernel.tileN / 64;
}

//===----------------------------------------------------------------------===//
// Rows that are counted on the device
//===----------------------------------------------------------------------===//

static void setTiling(const Tiling &tiling, ContractionKernel &kernel) {
  kernel.tileM = tiling.tileM;
  kernel.tileN = tiling.tileN;
  kernel.stages = tiling.stages;
  kernel.swapped = tiling.swapped;
}

/// Up to how many rows tiles win over all larger ones, which come behind them;
/// 0 if they do not even win with one.
static int64_t countRowsOfWin(const ContractionMatch &match,
                              const ContractionKernel &kernel,
                              ArrayRef<Tiling> tilings,
                              const DeviceModel &device) {
  // Smaller tiles load more bytes per product, and lose at last.
  constexpr int64_t kStep = 64, kMostRows = 1 << 16;
  auto estimateRows = [&](int64_t rows, const Tiling &tiling) {
    Work work{rows, match.n,      match.k,     kernel.getInputBytes(),
              1,    kernel.parts, kernel.parts};
    return estimate(work, tiling, device);
  };
  for (int64_t rows = kStep; rows <= kMostRows; rows += kStep) {
    double cycles = estimateRows(rows, tilings.front());
    if (llvm::any_of(tilings.drop_front(), [&](const Tiling &larger) {
          return estimateRows(rows, larger) <= cycles;
        }))
      return rows - kStep;
  }
  return kMostRows;
}

void mlir::pit::hopper::chooseTilesOfFewRows(const ContractionMatch &match,
                                             const DeviceModel &device,
                                             ContractionKernel &kernel) {
  // Each variant is code of its own, that is compiled and loaded.
  constexpr int kMostVariants = 2;
  constexpr int64_t kLeastRows = 256;
  // As many threads, from the least tiles on. The last is the kernel's own.
  const Tiling tilings[] = {{16, 128, 8, true},
                            {32, 128, 8, true},
                            {64, 128, 8, true},
                            {128, 128, 6},
                            {kernel.tileM, kernel.tileN, kernel.stages}};
  ContractionKernel *last = &kernel;
  int64_t mostRows = std::numeric_limits<int64_t>::max();
  int variants = 0;
  for (int64_t i = std::size(tilings) - 2; i >= 0 && variants < kMostVariants;
       --i) {
    int64_t rows =
        countRowsOfWin(match, kernel, ArrayRef(tilings).drop_front(i), device);
    if (rows < kLeastRows || rows >= mostRows)
      continue;
    auto variant = std::make_shared<ContractionKernel>(kernel);
    variant->few = nullptr;
    variant->mostRows = 0;
    setTiling(tilings[i], *variant);
    variant->storesBoxes = false;
    variant->tailM = true;
    variant->tailN = match.n % variant->getTileColumns() != 0;
    last->mostRows = mostRows = rows;
    last->few = variant;
    last = variant.get();
    ++variants;
  }
}
