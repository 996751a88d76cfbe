//===- Versions.h - Products of unknown extents, several times --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_PLANKERNELS_VERSIONS_H
#define PIT_LIB_CONVERSION_PLANKERNELS_VERSIONS_H

#include "Conversion/ContractionsToGPU/Mma/MMAPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// Makes versions (`pit.version`) of each product of whole matrices or batches
/// that has no plan, where the caller alone knows an extent, or how far rows
/// are apart.
void createVersions(func::FuncOp function, const mma::MMATarget &target);

/// Makes one of neighbours whose plans are equal. A product of which one
/// version has no plan has none, and one version, again.
void mergeVersions(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_PLANKERNELS_VERSIONS_H
