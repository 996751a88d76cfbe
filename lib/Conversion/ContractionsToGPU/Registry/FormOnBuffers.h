//===- FormOnBuffers.h - pit.contract formed on buffers ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FORMONBUFFERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FORMONBUFFERS_H

#include "FamilyRegistry.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::hopper {

/// Which kernels ops are formed for.
struct FormTarget {
  /// As remarks call them, and what is tried for what they refuse.
  StringRef kernels, next;
  /// Whether kernels are those of warpgroups, which all families have.
  bool isOfWarpgroups = true;
  /// Whether one takes a match after all; says why not. Null if they all do.
  llvm::function_ref<bool(const ContractionMatch &, const MatchLog &)> accepts =
      nullptr;
};

/// Replaces each contraction of the function's body that kernels with such
/// needs can take, with the elementwise ops behind it, by one `pit.contract`.
/// Returns how many there are; what is refused ends with a remark.
unsigned formKernels(func::FuncOp function, const FamilyRegistry &families,
                     MatchRequirements needs, const FormTarget &target);

/// Those of kernels with `wgmma`.
unsigned formWgmmaKernels(func::FuncOp function, const FamilyRegistry &families,
                          MatchRequirements needs);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_REGISTRY_FORMONBUFFERS_H
