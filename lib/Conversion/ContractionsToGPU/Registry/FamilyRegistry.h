//===- FamilyRegistry.h - Families in the order of tries --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FAMILYREGISTRY_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FAMILYREGISTRY_H

#include "ContractionFamily.h"

namespace mlir::pit::hopper {

/// Families of kernels; the first that takes an op has it.
class FamilyRegistry {
public:
  FamilyRegistry() = default;
  FamilyRegistry(FamilyRegistry &&) = default;

  /// Adds one that is tried behind those that are there. A plan names one
  /// family, so that there must be none of this id yet.
  void add(std::unique_ptr<ContractionFamily> family);

  ArrayRef<std::unique_ptr<ContractionFamily>> getAll() const {
    return families;
  }
  /// Null if there is none.
  const ContractionFamily *find(KernelFamily id) const;
  /// Those that compute the op's domain.
  SmallVector<const ContractionFamily *> findFor(ContractOp op) const;

private:
  std::vector<std::unique_ptr<ContractionFamily>> families;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FAMILYREGISTRY_H
