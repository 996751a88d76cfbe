//===- FormOnBuffers.h - Contract ops on buffers ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_FORMONBUFFERS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_FORMONBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::hopper {

struct ContractionMatch;
struct MatchRequirements;

/// Replaces each contraction of the function's body that kernels with such
/// needs can take, with the elementwise ops behind it, by one `pit.contract`;
/// only those that `accepts` does, if it is given. Returns how many there are.
unsigned formKernels(
    func::FuncOp function, MatchRequirements needs,
    llvm::function_ref<bool(const ContractionMatch &)> accepts = nullptr);

} // namespace mlir::pit::hopper

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MATCH_FORMONBUFFERS_H
