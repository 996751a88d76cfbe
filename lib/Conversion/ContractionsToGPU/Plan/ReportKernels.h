//===- ReportKernels.h - Remarks of the kernels of products -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"

#include "PIT/Support/Remarks.h"

namespace mlir::pit::hopper {

/// Begins the remark of the kernel that takes a contract op's match.
remarks::InFlight reportProduct(const ContractionMatch &match,
                                StringRef instructions, StringRef family);

/// Adds tiles, stages, and what is as large as them.
void reportShape(remarks::InFlight &remark, const ContractionKernel &kernel);
/// Tells of a kernel with the tile loop: its tiles, stages and variants.
void reportKernel(const ContractionMatch &match,
                  const ContractionKernel &kernel, StringRef family);

/// Extents of a tile, and a share in units of 1/kLiveUnit, as remarks say them.
std::string spellTile(int64_t m, int64_t n, int64_t k);
std::string spellShare(int64_t units);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_REPORTKERNELS_H
