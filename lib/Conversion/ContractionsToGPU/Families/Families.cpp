//===- Families.cpp - The families of kernels that there are --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

const FamilyRegistry &mlir::pit::hopper::getFamilies() {
  static const FamilyRegistry families = [] {
    FamilyRegistry families;
    families.add(createGemmFamily());
    families.add(createBatchedFamily());
    families.add(createConvolutionFamily());
    families.add(createGatherFamily());
    families.add(createGroupedFamily());
    families.add(createListedKFamily());
    families.add(createRaggedKFamily());
    families.add(createPieceFamily());
    families.add(createPackedFamily());
    families.add(createBlockFamily());
    families.add(createMaskedFamily());
    families.add(createSampledFamily());
    return families;
  }();
  return families;
}
