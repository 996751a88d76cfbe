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

/// Calls a function of `pit_runtime_calls.h`, which is declared in the module
/// where it is not yet. All arguments, and the result if it has one, are `i64`.
/// Returns the result.
Value createRuntimeCall(OpBuilder &builder, Location loc, ModuleOp module,
                        StringRef name, ValueRange arguments,
                        bool hasResult = false);

/// What a number of an access is; as pit_runtime_calls.h has it.
enum class AccessNumber { Read, Write, Offset, Size };

/// What tells `pit_rt_bad_index` which number of which op it is about: the line
/// of the op, a dimension, and what the number is there.
int64_t getAccessCode(Location loc, int64_t axis, AccessNumber number);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_RUNTIMECALLS_H
