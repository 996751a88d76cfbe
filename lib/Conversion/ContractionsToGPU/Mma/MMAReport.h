//===- MMAReport.h - Remarks of kernels with mma.sync -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAREPORT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAREPORT_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "MMAKernel.h"

namespace mlir::pit::mma {

/// Tells of the kernel that takes a match, with its tiles and stages.
void reportKernel(const hopper::ContractionMatch &match,
                  const MMAKernel &kernel);

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAREPORT_H
