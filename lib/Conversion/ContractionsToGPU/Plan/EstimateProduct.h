//===- EstimateProduct.h - About how long a product takes -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ESTIMATEPRODUCT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ESTIMATEPRODUCT_H

#include "DeviceModel.h"

#include <optional>

namespace mlir::pit::hopper {

/// A product of an [m, k] and a [k, n] matrix of 16 bits, before it is planned.
struct ProductExtents {
  int64_t m, n, k;
  /// Whether A and B may change places: k is contiguous in A.
  bool mayBeSwapped = false;
};

/// Cycles of the tiles that chooseTiles would take, about 0.5 ns each.
double estimateProduct(const ProductExtents &extents,
                       const DeviceModel &device);

/// The same in so many parts along k, which are batches with results of f32,
/// and of adding these up in memory; nothing if parts would not be as long as
/// each other, in whole steps.
std::optional<double> estimateParts(const ProductExtents &extents,
                                    int64_t parts, const DeviceModel &device);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ESTIMATEPRODUCT_H
