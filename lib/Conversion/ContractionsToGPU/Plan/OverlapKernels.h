//===- OverlapKernels.h - Overlap of two GEMMs by flags per row -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the rows that a product writes to segments are the A of the next one,
// the last tiles of the first leave multiprocessors without work, and most of
// what the second one needs is there. So the first kernel counts, in a flag per
// a few segments, the rows that are written, and the second one waits for the
// rows of each of its tiles instead of the end of the first.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_OVERLAPKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_OVERLAPKERNELS_H

#include <cstdint>

#include "DeviceModel.h"

namespace mlir::pit::hopper {

struct ContractionKernel;
struct ContractionMatch;

/// Flags, i32; few enough that another kernel clears them on the way.
inline constexpr int64_t kNumFlags = 30;

/// Whether the second product's A are the rows that the first one writes, of
/// the same segments. Then sets what their kernels need to know.
bool overlapKernels(const ContractionMatch &first,
                    ContractionKernel &firstKernel,
                    const ContractionMatch &second,
                    ContractionKernel &secondKernel, const DeviceModel &device);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_OVERLAPKERNELS_H
