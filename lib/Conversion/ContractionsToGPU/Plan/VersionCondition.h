//===- VersionCondition.h - When the host launches a version ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERSIONCONDITION_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERSIONCONDITION_H

#include "Conversion/ContractionsToGPU/Match/Match.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// Whether a product may be one of VersionAlignment::Aligned, for all that is
/// known of it: what distances and columns are known come in whole 16 bytes.
bool mayBeAligned(const ContractionMatch &match);

/// Whether only the caller knows k, the columns, or how far rows are apart, so
/// that kernels would have to ask how much they can copy at a time.
bool hasUnknownDistances(const ContractionMatch &match);

/// The grid of so many blocks; of none where the match is a version of a
/// product whose condition does not hold.
gpu::KernelDim3 getGridOfVersion(ImplicitLocOpBuilder &b,
                                 const ContractionMatch &match, Value blocks);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERSIONCONDITION_H
