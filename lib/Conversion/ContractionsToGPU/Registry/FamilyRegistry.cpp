//===- FamilyRegistry.cpp - Families in the order of tries ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FamilyRegistry.h"

#include "PIT/Dialect/PIT/IR/PITFamilies.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

void FamilyRegistry::add(std::unique_ptr<ContractionFamily> family) {
  assert(!find(family->getId()) && "two families of one id");
  families.push_back(std::move(family));
}

const ContractionFamily *FamilyRegistry::find(KernelFamily id) const {
  auto it = llvm::find_if(
      families, [&](const auto &family) { return family->getId() == id; });
  return it == families.end() ? nullptr : it->get();
}

SmallVector<const ContractionFamily *>
FamilyRegistry::findFor(ContractOp op) const {
  SmallVector<const ContractionFamily *> found;
  for (const auto &family : families)
    if (computesDomain(family->getId(), op.getDomain(),
                       op.getMask() != nullptr))
      found.push_back(family.get());
  return found;
}
