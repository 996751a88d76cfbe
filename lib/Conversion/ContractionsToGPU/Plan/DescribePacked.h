//===- DescribePacked.h - Packed SpMM: tiles and clusters -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEPACKED_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEPACKED_H

#include "DescribeKernel.h"

namespace mlir::pit::hopper {

/// Whether it is a mask that says what is packed.
bool isPackedByMask(const ContractionMatch &match);

/// Sets the tiles of a kernel of packed micro-tiles, and how many blocks share
/// one.
void describePacked(const ContractionMatch &match, const DeviceModel &device,
                    ContractionKernel &kernel);

/// The dense variant of a packed kernel whose tiles are shared by clusters,
/// with the same tiles, clusters and threads; null if it has none that pays.
std::shared_ptr<ContractionKernel>
describeDenseClusters(const ContractionMatch &match, const DeviceModel &device,
                      const ContractionKernel &packed);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEPACKED_H
