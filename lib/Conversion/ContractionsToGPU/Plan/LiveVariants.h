//===- LiveVariants.h - Block SpMM: tile variants by live share -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEVARIANTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEVARIANTS_H

#include "ContractionKernel.h"

#include <vector>

namespace mlir::pit::hopper {

/// A kernel of live micro-tiles for as many of them as up to `mostPercent` of
/// the steps have.
struct LiveVariant {
  ContractionKernel kernel;
  int64_t mostPercent = 100;
};

/// The kernel, which has blocks, and others of the same product with the same
/// arguments, threads and shared memory, but other tiles, which are faster
/// where less or more is live: for more and more of it, the last one for all.
std::vector<LiveVariant> getVariantsByLive(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEVARIANTS_H
