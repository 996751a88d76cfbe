//===- DenseVariant.cpp - When the dense variant runs instead -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseVariant.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// None if there are no times, or nothing to multiply.
static std::optional<CostModel> getCostModel(const DeviceModel &device,
                                             const ProductShape &shape) {
  if (!device.times || shape.getVolume() == 0)
    return std::nullopt;
  return CostModel(*device.times, shape);
}

/// Whether to skip is decided when it is known what is dead, so that the time
/// to find it does not count.
std::optional<double>
mlir::pit::hopper::getMostLiveShare(const DeviceModel &device, MicroTile tile,
                                    const ProductShape &shape) {
  std::optional<CostModel> model = getCostModel(device, shape);
  if (!model)
    return std::nullopt;
  return 1 - *model->getBreakEven(model->getNearest(tile));
}

std::optional<double>
mlir::pit::hopper::getMostLiveToPack(const DeviceModel &device, MicroTile tile,
                                     const ProductShape &shape) {
  std::optional<CostModel> model = getCostModel(device, shape);
  if (!model)
    return std::nullopt;
  return 1 - *model->getBreakEvenWithIndex(model->getNearest(tile));
}

/// The database has no such products. They wait for B above all: the more there
/// is of it, the less counts what it takes to pack. Measured of 1 to 32 rows,
/// of B of 32, 200 and 392 MiB on an H200: as long where .34 to .47, .61 to .74
/// and .9 to 1 are live. Where it pays only with nearly all live, to look costs
/// more.
std::optional<double>
mlir::pit::hopper::getMostLiveOfClusters(const DeviceModel &device,
                                         const ProductShape &shape) {
  constexpr int64_t kElementBytes = 2;
  const CrossingPoints &points = device.getTuning().crossings;
  const double bytes =
      points.clustersMicroseconds * device.card->memoryRate * 1e3;
  double share =
      points.clustersLeast + double(shape.n) * shape.k * kElementBytes / bytes;
  return share < points.clustersMost ? std::optional(share) : std::nullopt;
}

std::optional<double>
mlir::pit::hopper::getMostSampledShare(const DeviceModel &device, int64_t rows,
                                       int64_t columns,
                                       const ProductShape &shape) {
  std::optional<CostModel> model = getCostModel(device, shape);
  return model ? model->getMostSampledShare(rows, columns) : std::nullopt;
}

double mlir::pit::hopper::getLiveNumbers(const ContractionKernel &kernel,
                                         const ProductShape &shape) {
  if (kernel.packed)
    return double(shape.k) / llvm::divideCeil(shape.k, kPackedPart);
  int64_t depth = kernel.blocks->depth;
  int64_t words = llvm::divideCeil(llvm::divideCeil(shape.k, depth), 32),
          steps = llvm::divideCeil(
              shape.k, std::max(depth, ContractionKernel::kTileKOf16Bits));
  if (kernel.blocks->wordsAcross) {
    steps = llvm::divideCeil(shape.m, kernel.blocks->rows);
    words = llvm::divideCeil(steps, 32);
  }
  return double(steps) / words;
}

std::optional<int64_t>
mlir::pit::hopper::getMostLive(const DeviceModel &device,
                               const ContractionKernel &kernel,
                               const ProductShape &shape) {
  // How many k share a micro-tile makes no difference to the product: packed,
  // they are multiplied one by one, others by whole steps.
  std::optional<double> share = getMostLiveShare(
      device,
      kernel.packed
          ? MicroTile{kernel.packed->rows, 1}
          : MicroTile{kernel.blocks->rows, ContractionKernel::kTileKOf16Bits},
      shape);
  if (!share)
    return std::nullopt;
  return *share * kLiveUnit * getLiveNumbers(kernel, shape);
}
