//===- VerifyKernel.h - Plans that do not fit their product -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#pit.plan` verifies what its fields say of one another. What they say of the
// product is only known where a kernel is bound to both.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERIFYKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERIFYKERNEL_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"

namespace mlir::pit::hopper {

/// Whether a plan has only variants of such guards, and masks what the match
/// needs masked: nothing itself, and in variants with nothing skipped what is
/// dead and not zero. To be asked before the plan is bound; says what is wrong.
LogicalResult verifyVariants(const ContractionMatch &match, PlanAttr plan,
                             ArrayRef<VariantGuard> guards,
                             function_ref<InFlightDiagnostic()> emitError);

/// The guards that variants of kernels with the tile loop may have.
SmallVector<VariantGuard> getGuards(const ContractionMatch &match);

/// Whether the loop can compute such tiles of such a product, and its variants
/// are of the same blocks; says what is wrong.
LogicalResult verifyKernel(const ContractionKernel &kernel,
                           function_ref<InFlightDiagnostic()> emitError);

/// Whether a variant's blocks have so many threads.
LogicalResult verifyThreads(const ContractionKernel &variant, int64_t threads,
                            function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_VERIFYKERNEL_H
