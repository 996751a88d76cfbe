//===- DenseVariant.h - When the dense variant runs instead -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where little is dead, a product is faster with nothing skipped. How much is
// live is known on the device alone, and a kernel has both variants: its blocks
// decide, all in the same way, before they begin.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DENSEVARIANT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DENSEVARIANT_H

#include "ContractionKernel.h"
#include "DeviceModel.h"

#include "PIT/Selection/CostModel.h"

namespace mlir::pit::hopper {

/// In which a kernel's `mostLive` counts.
inline constexpr int64_t kLiveUnit = 256;

/// What a sample counts in each of its numbers where everything is live: a
/// word has bits of several steps.
double getLiveNumbers(const ContractionKernel &kernel,
                      const ProductShape &shape);

/// The share of live micro-tiles up to which skipping the others pays in a
/// product of such extents, by measured times; none if there are no times.
std::optional<double> getMostLiveShare(const DeviceModel &device,
                                       MicroTile tile,
                                       const ProductShape &shape);
/// The same if that is known of a sample before anything is packed, so that
/// packing counts.
std::optional<double> getMostLiveToPack(const DeviceModel &device,
                                        MicroTile tile,
                                        const ProductShape &shape);
/// The same of one strip of at most `kMostRowsOfClusters` rows whose tiles, in
/// both products, clusters of blocks share; none where it would hardly ever
/// pay.
std::optional<double> getMostLiveOfClusters(const DeviceModel &device,
                                            const ProductShape &shape);
inline constexpr int64_t kMostRowsOfClusters = 32;
/// The share of sampled blocks of C up to which tiles of such rows and columns
/// take no longer than the dense product; none if there are no times.
std::optional<double> getMostSampledShare(const DeviceModel &device,
                                          int64_t rows, int64_t columns,
                                          const ProductShape &shape);
/// The kernel's `mostLive` by the first share.
std::optional<int64_t> getMostLive(const DeviceModel &device,
                                   const ContractionKernel &kernel,
                                   const ProductShape &shape);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DENSEVARIANT_H
