//===- Families.h - The families of kernels that there are ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_FAMILIES_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_FAMILIES_H

#include "Conversion/ContractionsToGPU/Registry/FamilyRegistry.h"

namespace mlir::pit::hopper {

/// All of them, in the order of tries.
const FamilyRegistry &getFamilies();

/// Whole matrices.
std::unique_ptr<ContractionFamily> createGemmFamily();
/// The same for each of a number of batches.
std::unique_ptr<ContractionFamily> createBatchedFamily();
std::unique_ptr<ContractionFamily> createConvolutionFamily();
/// Rows of A or C through one list, and segments of rows with a B each.
std::unique_ptr<ContractionFamily> createGatherFamily();
std::unique_ptr<ContractionFamily> createGroupedFamily();
/// Sums over listed k, and over those of segments.
std::unique_ptr<ContractionFamily> createListedKFamily();
std::unique_ptr<ContractionFamily> createRaggedKFamily();
/// Micro-tiles of A or B are live: pieces of single rows, those of few k, which
/// are packed, and larger ones.
std::unique_ptr<ContractionFamily> createPieceFamily();
std::unique_ptr<ContractionFamily> createPackedFamily();
std::unique_ptr<ContractionFamily> createBlockFamily();
/// Blocks of C by a mask, the others filled; and listed ones.
std::unique_ptr<ContractionFamily> createMaskedFamily();
std::unique_ptr<ContractionFamily> createSampledFamily();

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_FAMILIES_H
