//===- RuntimeCalls.h - Calls into the runtime library ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXES_RUNTIMECALLS_H
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXES_RUNTIMECALLS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {

/// Calls a function of `pit_runtime.h`, which is declared in the module where
/// it is not yet. All arguments are `i64`.
void createRuntimeCall(OpBuilder &builder, Location loc, ModuleOp module,
                       StringRef name, ValueRange arguments);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_RUNTIMECALLS_H
