//===- Passes.h - Passes that stay in the dialect ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_PASSES_H
#define PIT_DIALECT_PIT_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::pit {

#define GEN_PASS_DECL
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_PASSES_H
