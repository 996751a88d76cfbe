//===- DescribePacked.cpp - Packed SpMM: tiles and clusters ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribePacked.h"
#include "DenseVariant.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

bool mlir::pit::hopper::isPackedByMask(const ContractionMatch &match) {
  return match.packed && DetectIntoOp(match.detection).getBy();
}

/// Tiles of so few columns leave registers and shared memory for two blocks.
static int64_t getBlocksAtOnce(int64_t columnsOfClusters) {
  constexpr int64_t kMostColumnsOfTwo = 128;
  return columnsOfClusters <= kMostColumnsOfTwo ? 2 : 1;
}

/// How long clusters of blocks take for so many tiles, as the columns that the
/// busiest multiprocessors read one after the other. Clusters do not fill all
/// multiprocessors (of 132, fifteen clusters of eight have 120), and
/// one more than fit takes a round of its own.
static double estimateClusters(int64_t tiles, int64_t columns, int64_t splits,
                               int64_t multiprocessors) {
  const int64_t atOnce = getBlocksAtOnce(columns),
                clusters = std::max<int64_t>(multiprocessors / splits - 1, 1);
  int64_t rounds = llvm::divideCeil(tiles, clusters * atOnce);
  if (rounds == 1)
    return columns * std::max(double(tiles) / clusters, 1.);
  return double(rounds) * atOnce * columns;
}

/// The more columns, the longer are the rows of B that the copy engine brings
/// one by one, and the more it moves; but half of the multiprocessors shall
/// have something to do. Where tiles are too few, clusters of blocks share k.
void mlir::pit::hopper::describePacked(const ContractionMatch &match,
                                       const DeviceModel &device,
                                       ContractionKernel &kernel) {
  constexpr int64_t kMostColumns = 1024, kMostSums = 32 * 1024,
                    kLeastColumns = 128, kMostCopiedColumns = 256;
  // A cluster has eight blocks at most, each with room for its sums.
  constexpr int64_t kMostSplits = 8, kMostSharedSums = 16 * 1024;
  kernel.packed = match.packed;
  kernel.swapped = true;
  kernel.tileM = match.packed->rows;
  kernel.tileN = std::min(kMostColumns, kMostSums / kernel.tileM);
  while (kernel.tileN > kLeastColumns && kernel.tileN / 2 >= match.n)
    kernel.tileN /= 2;
  if (!ShapedType::isDynamic(match.m) && match.m > 0) {
    auto countTiles = [&](int64_t columns) -> int64_t {
      return llvm::divideCeil(match.m, kernel.tileM) *
             llvm::divideCeil(match.n, columns);
    };
    auto getMostSplits = [&] {
      return kernel.tileM * kernel.tileN > kMostSharedSums
                 ? 1
                 : std::min<int64_t>(kMostSplits,
                                     llvm::divideCeil(match.k, kPackedPart));
    };
    while (kernel.tileN > kLeastColumns &&
           2 * countTiles(kernel.tileN) * getMostSplits() <
               device.multiprocessors)
      kernel.tileN /= 2;
    kernel.splitsK = std::clamp<int64_t>(
        device.multiprocessors / countTiles(kernel.tileN), 1, getMostSplits());
    auto estimate = [&](int64_t columns) {
      return estimateClusters(countTiles(columns), columns, kernel.splitsK,
                              device.multiprocessors);
    };
    if (kernel.splitsK == kMostSplits)
      for (int64_t columns = kLeastColumns;
           columns * kernel.tileM <= kMostSharedSums; columns += kLeastColumns)
        if (estimate(columns) < estimate(kernel.tileN))
          kernel.tileN = columns;
  }
  kernel.packed->copiesRows = kernel.tileN <= kMostCopiedColumns;
  kernel.storesBoxes = kernel.splitsK == 1;
  if (kernel.splitsK > 1)
    kernel.blocksAtOnce = getBlocksAtOnce(kernel.tileN);
  chooseStages(kernel, device.chip->getSharedBytes(kernel.blocksAtOnce));
}

std::shared_ptr<ContractionKernel>
mlir::pit::hopper::describeDenseClusters(const ContractionMatch &match,
                                         const DeviceModel &device,
                                         const ContractionKernel &packed) {
  // A stage is given back once the next step's products are under way: with
  // one, they would wait for each other. Two hide too little of what loads
  // take.
  constexpr int64_t kLeastStages = 3;
  if (packed.splitsK == 1 || isPackedByMask(match) ||
      match.layoutA != SharedLayout::KMajor || match.m > packed.tileM ||
      packed.tileM > kMostRowsOfClusters)
    return nullptr;
  ContractionMatch dense = withNothingSkipped(match);
  auto kernel = std::make_shared<ContractionKernel>(describeOperands(dense));
  kernel->swapped = true;
  kernel->tileM = packed.tileM;
  kernel->tileN = packed.tileN;
  kernel->consumers = packed.consumers;
  kernel->splitsK = packed.splitsK;
  kernel->blocksAtOnce = packed.blocksAtOnce;
  chooseStages(*kernel, device.chip->getSharedBytes(kernel->blocksAtOnce));
  setTails(dense, *kernel);
  return kernel->stages < kLeastStages ? nullptr : kernel;
}
