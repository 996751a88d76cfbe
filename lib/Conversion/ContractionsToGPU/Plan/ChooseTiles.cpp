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
// follows from what was measured on the card. Where rows are counted on the
// device, a kernel has code for several sizes, and takes the one that wins with
// as many rows as there are.
//
//===----------------------------------------------------------------------===//

#include "DescribeKernel.h"
#include "EstimateProduct.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// What a match multiplies, with a guess where an extent is dynamic.
static ProductWork getWork(const ContractionMatch &match,
                           const ContractionKernel &kernel) {
  ProductShape shape = guessShape(match);
  ProductWork work{shape.m, shape.n, shape.k, kernel.getInputBytes()};
  // Windows have most elements in common.
  if (match.window)
    work.ofA = 1. / match.window.getNumTaps();
  if (!match.batched)
    return work;
  work.ofC = guessBatches(match);
  work.ofA = match.a.segmentAxis ? work.ofC : 1;
  work.ofB = match.b.segmentAxis ? work.ofC : 1;
  return work;
}

void mlir::pit::hopper::limitStages(const DeviceModel &device,
                                    ContractionKernel &kernel) {
  while (kernel.stages > 2 &&
         kernel.getSharedBytes() > device.chip->getSharedBytes())
    --kernel.stages;
}

/// As many stages of it as there is room for.
static void setTiling(const Tiling &tiling, const DeviceModel &device,
                      ContractionKernel &kernel) {
  kernel.tileM = tiling.rows;
  kernel.tileN = tiling.columns;
  kernel.stages = tiling.stages;
  kernel.swapped = tiling.swapped;
  kernel.splitsK = tiling.splitsK;
  kernel.consumers = tiling.getConsumers(/*ofSegments=*/kernel.segmented);
  // Whether the copy engine stores, which takes more room, is known later.
  ContractionKernel largest = kernel;
  largest.storesBoxes = true;
  limitStages(device, largest);
  kernel.stages = largest.stages;
}

/// The number of the family's tiling with the least estimated time of those
/// that fit, the geometric mean of several works; none if none fits.
static std::optional<size_t>
findFastest(const TunedFamily &family, ArrayRef<ProductWork> works,
            const DeviceModel &device,
            function_ref<bool(const Tiling &)> fits) {
  std::optional<size_t> best;
  double least = 0;
  for (size_t i = 0; i < family.tilings.size(); ++i) {
    if (!fits(family.tilings[i]))
      continue;
    double cost = 0;
    for (const ProductWork &work : works)
      cost += std::log(device.getTuning().estimate(
          family, i, work, *device.card, device.multiprocessors));
    if (best && cost >= least)
      continue;
    best = i;
    least = cost;
  }
  return best;
}

void mlir::pit::hopper::chooseTiles(const ContractionMatch &match,
                                    const DeviceModel &device,
                                    ContractionKernel &kernel) {
  // Two products at a time have tiles of their own.
  bool isUnknown =
      ShapedType::isDynamic(match.m) && !match.batched && !getVersion(match);
  if (isUnknown || match.b2)
    return;
  ProductWork work = getWork(match, kernel);
  const CardDatabase &tuning = device.getTuning();
  // What is measured are single products of 16 bits.
  const TunedFamily &family =
      match.batched || match.window || work.elementBytes != 2 ? tuning.others
                                                              : tuning.gemm;
  // Tiles that would be empty for the most part take longer than the model
  // says.
  constexpr int64_t kRows = 128;
  bool maySwap = match.layoutA == SharedLayout::KMajor && kernel.mayBeSwapped(),
       isMeasured = !family.products.empty(),
       hasRows = !maySwap || 2 * work.m > kRows || isMeasured;
  auto fits = [&](const Tiling &tiling) {
    if (tiling.swapped)
      return maySwap;
    // Windows are loaded in boxes of so many rows.
    if (match.window && tiling.rows != kRows)
      return false;
    // Batches have enough tiles, however narrow they are: those of the heads of
    // attention.
    return hasRows && (tiling.columns > 64 || match.batched || isMeasured);
  };
  std::optional<size_t> best = findFastest(family, work, device, fits);
  // Of few rows, only swapped tiles fit, of which a database need not have any.
  if (!best)
    best = findFastest(family, work, device, [](const Tiling &tiling) {
      return !tiling.swapped && tiling.rows == kRows;
    });
  setTiling(family.tilings[*best], device, kernel);
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// How many rows a segment may have: as many as the lists have room for, or
/// what short and long ones usually have. What suits one number alone would
/// need a second tile for most of the segments with a few rows more.
static SmallVector<int64_t> guessRowsOfSegment(const ContractionMatch &match,
                                               int64_t segments,
                                               bool areShort) {
  auto assemble = match.index.getDefiningOp<AssembleOp>();
  auto coords =
      assemble ? dyn_cast<ShapedType>(assemble.getCoords().getType()) : nullptr;
  if (coords && coords.hasStaticShape())
    return {std::max<int64_t>(
        llvm::divideCeil(coords.getNumElements(), segments), 1)};
  if (areShort)
    return {32, 64, 96, 128, 192};
  return {256, 512, 1024, 2048};
}

bool mlir::pit::hopper::chooseTilesOfSegments(const ContractionMatch &match,
                                              const DeviceModel &device,
                                              int64_t mostRows,
                                              ContractionKernel &kernel) {
  constexpr int64_t kGuessedSegments = 32, kWide = 256;
  const TunedFamily &family = device.getTuning().grouped;
  if (family.products.empty() || ShapedType::isDynamic(match.n) ||
      ShapedType::isDynamic(match.k))
    return false;
  int64_t segments =
      std::max<int64_t>(getNumSegments(match).value_or(kGuessedSegments), 1);
  SmallVector<ProductWork> works;
  for (int64_t rows : guessRowsOfSegment(match, segments, kernel.swapped))
    works.push_back({rows, match.n * kernel.products, match.k,
                     kernel.getInputBytes(), double(segments), segments,
                     segments});
  auto fits = [&](const Tiling &tiling) {
    // Both products have their columns in each warpgroup.
    return tiling.swapped == kernel.swapped &&
           (kernel.products == 1 || tiling.columns == kWide) &&
           (tiling.rows <= mostRows || tiling.columns < kWide);
  };
  std::optional<size_t> best = findFastest(family, works, device, fits);
  if (best)
    setTiling(family.tilings[*best], device, kernel);
  return best.has_value();
}

//===----------------------------------------------------------------------===//
// Parts along k
//===----------------------------------------------------------------------===//

static constexpr int64_t kHalfBytes = 2, kFloatBytes = 4;

/// The least estimate of a family's tilings. By the usual rates, as those that
/// were fitted to one family are not to be compared with those of another.
static double estimateLeast(const TunedFamily &family, const ProductWork &work,
                            bool maySwap, const DeviceModel &device) {
  double least = std::numeric_limits<double>::infinity();
  for (const Tiling &tiling : family.tilings)
    if (!tiling.swapped || maySwap)
      least =
          std::min(least, estimateCycles(work, tiling, TileModel(),
                                         device.card->getMemoryBytesPerCycle(),
                                         device.multiprocessors));
  return least;
}

double mlir::pit::hopper::estimateProduct(const ProductExtents &extents,
                                          const DeviceModel &device) {
  return estimateLeast(device.getTuning().gemm,
                       {extents.m, extents.n, extents.k, kHalfBytes},
                       extents.mayBeSwapped, device);
}

std::optional<double>
mlir::pit::hopper::estimateParts(const ProductExtents &extents, int64_t parts,
                                 const DeviceModel &device) {
  // A launch whose start is hidden by the one before.
  constexpr double kLaunchCycles = 4000;
  constexpr int64_t kStep = ContractionKernel::kRowBytes / kHalfBytes;
  if (extents.k % (parts * kStep) != 0)
    return std::nullopt;
  ProductWork work{extents.m,  extents.n,     extents.k / parts,
                   kHalfBytes, double(parts), parts,
                   parts};
  // Parts are written, and read again, in f32.
  double memory = device.card->getMemoryBytesPerCycle(),
         ofResult = double(extents.m) * extents.n,
         added = ofResult * (parts * kFloatBytes + kHalfBytes) / memory +
                 ofResult * parts * (kFloatBytes - kHalfBytes) / memory *
                     TileModel().hidden;
  return estimateLeast(device.getTuning().others, work, extents.mayBeSwapped,
                       device) +
         added + kLaunchCycles;
}

//===----------------------------------------------------------------------===//
// Rows that are counted on the device
//===----------------------------------------------------------------------===//

/// Up to how many rows tiles win over all larger ones, which come behind them;
/// 0 if they do not even win with one.
static int64_t countRowsOfWin(const ContractionMatch &match,
                              const ContractionKernel &kernel,
                              ArrayRef<Tiling> tilings,
                              const DeviceModel &device) {
  // Smaller tiles load more bytes per product, and lose at last.
  constexpr int64_t kStep = 64, kMostRows = 1 << 16;
  auto estimateRows = [&](int64_t rows, const Tiling &tiling) {
    ProductWork work{rows, match.n,      match.k,     kernel.getInputBytes(),
                     1,    kernel.parts, kernel.parts};
    return estimateCycles(work, tiling, TileModel(),
                          device.card->getMemoryBytesPerCycle(),
                          device.multiprocessors);
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
    setTiling(tilings[i], device, *variant);
    variant->storesBoxes = false;
    variant->tailM = true;
    variant->tailN = match.n % variant->getTileColumns() != 0;
    last->mostRows = mostRows = rows;
    last->few = variant;
    last = variant.get();
    ++variants;
  }
}
