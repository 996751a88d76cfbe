//===- OwnKernel.h - Families with a kernel of their own --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not the tile loop is described by a struct of its own, which may have
// a variant with nothing skipped, `dense`, and computes one product a launch.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_OWNKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_OWNKERNEL_H

#include "Conversion/ContractionsToGPU/Plan/KernelPlan.h"
#include "Conversion/ContractionsToGPU/Plan/VerifyKernel.h"
#include "Conversion/ContractionsToGPU/Registry/ContractionFamily.h"

namespace mlir::pit::hopper {

template <typename Derived, typename Kernel>
class OwnKernel : public llvm::RTTIExtends<Derived, ProductKernel> {
public:
  OwnKernel(const ContractionFamily &family, ContractionMatch match)
      : llvm::RTTIExtends<Derived, ProductKernel>(family, std::move(match)) {}

  int64_t getSharedBytes() const override { return kernel.getSharedBytes(); }

protected:
  /// Takes the variant with nothing skipped from the plan, if it has one, and
  /// its limit. Says at the op what does not fit, if so.
  LogicalResult bindDense(PlanAttr plan, VariantGuard guard, int64_t &limit) {
    auto emitError = [&] { return this->getLastOp().emitOpError(); };
    const ContractionMatch &match = this->parts.front();
    if (failed(verifyVariants(match, plan, {guard}, emitError)))
      return failure();
    VariantAttr variant = findVariant(plan, guard);
    if (!variant)
      return success();
    limit = variant.getLimit();
    kernel.dense = bindDenseVariant(match, variant.getPlan());
    return verifyKernel(*kernel.dense, emitError);
  }

  Kernel kernel;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_OWNKERNEL_H
