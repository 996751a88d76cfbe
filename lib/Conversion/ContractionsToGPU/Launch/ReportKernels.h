//===- ReportKernels.h - Remarks of the kernels of products -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_REPORTKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_REPORTKERNELS_H

#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/WantedBlocks.h"

namespace mlir::pit::hopper {

/// Why a match is not taken around which the device needs a scalar.
inline constexpr StringLiteral kCrossedByScalar =
    "a scalar that the device computes before it is used behind it, so both "
    "are in one kernel, and none can start between";

/// Begins the remark of the kernel that takes the match, at the product, and
/// says of the match's other ops that they are part of it.
remarks::InFlight reportProduct(const ContractionMatch &match,
                                StringRef instructions, StringRef family);

/// Says why elementwise work behind the match is not part of it; to be called
/// before other matches' ops are erased.
void reportEpilogueEnd(const ContractionMatch &match);

/// Tell of a kernel with its tiles, stages and variants.
void reportKernel(const ContractionMatch &match,
                  const ContractionKernel &kernel);
void reportKernel(const ContractionMatch &match, const RowSumKernel &kernel);
void reportKernel(const WantedMatch &match, const WantedKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_REPORTKERNELS_H
