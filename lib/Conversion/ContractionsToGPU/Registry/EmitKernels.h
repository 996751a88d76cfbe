//===- EmitKernels.h - Kernels and launches as they are planned -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_EMITKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_EMITKERNELS_H

#include "FamilyRegistry.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::hopper {

struct EmittedKernels {
  unsigned numKernels = 0, numContractions = 0;
};

/// Emits the kernels of the contract ops of a function's body that are planned
/// for wgmma, and their launches. A plan that does not fit its op or the device
/// is an error.
FailureOr<EmittedKernels> emitKernels(func::FuncOp function,
                                      const FamilyRegistry &families,
                                      MatchRequirements needs,
                                      const EmitOptions &options);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_EMITKERNELS_H
