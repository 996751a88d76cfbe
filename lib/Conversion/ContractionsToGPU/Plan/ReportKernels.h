//===- ReportKernels.h - Remarks of the kernels of products -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H

#include "Conversion/ContractionsToGPU/Plan/RowSumKernel.h"
#include "Conversion/ContractionsToGPU/Plan/WantedKernel.h"

#include "PIT/Support/Remarks.h"

namespace mlir::pit::hopper {

/// Begins the remark of the kernel that takes a contract op's match.
remarks::InFlight reportProduct(const ContractionMatch &match,
                                StringRef instructions, StringRef family);

/// Tell of a kernel with its tiles, stages and variants.
void reportKernel(const ContractionMatch &match,
                  const ContractionKernel &kernel);
void reportKernel(const ContractionMatch &match, const RowSumKernel &kernel);
void reportKernel(const WantedMatch &match, const WantedKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H
