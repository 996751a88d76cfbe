//===- ContractionFamily.cpp - What a family of kernels is ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionFamily.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

char ProductKernel::ID = 0;

ContractionFamily::~ContractionFamily() = default;

ContractOp ProductKernel::getLastOp() const {
  return cast<ContractOp>(parts.back().ops.back());
}

void ProductKernel::join(ProductKernel &earlier) {
  parts.insert(parts.begin(), std::make_move_iterator(earlier.parts.begin()),
               std::make_move_iterator(earlier.parts.end()));
  earlier.parts.clear();
}
