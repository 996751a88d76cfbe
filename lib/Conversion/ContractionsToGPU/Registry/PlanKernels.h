//===- PlanKernels.h - #pit.plan of wgmma kernels ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_PLANKERNELS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_PLANKERNELS_H

#include "FamilyRegistry.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::hopper {

/// Gives each contract op of the function's body that kernels with wgmma can
/// compute, and that has none, a plan. Products of the same listed rows become
/// parts of one launch; kernels that follow one another hand rows over, or bits
/// of live blocks.
void planKernels(func::FuncOp function, const FamilyRegistry &families,
                 const PlanOptions &options);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_PLANKERNELS_H
