//===- MMAVerify.h - Plans of mma.sync that do not fit ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAVERIFY_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAVERIFY_H

#include "MMAKernel.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit::mma {

/// Whether a plan has nothing but what kernels with `mma.sync` and of threads
/// have, and multiplies inputs of the type; says what is wrong.
LogicalResult verifyPlan(PlanAttr plan, Type input,
                         function_ref<InFlightDiagnostic()> emitError);

/// Whether warps can compute such tiles; says what is wrong.
LogicalResult verifyKernel(const MMAKernel &kernel,
                           function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAVERIFY_H
