//===- StatusBuffer.h - Runtime calls of code on the device -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_HOST_STATUSBUFFER_H
#define PIT_GPU_HOST_STATUSBUFFER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// What code that becomes kernels calls where a `pit.check` does not hold: with
/// the address of the message on the device and both numbers, as i64.
inline constexpr llvm::StringLiteral kDeviceCheckCallee = "pit_rt_refuse";

/// The function's status buffer, which becomes its last argument if there is
/// none yet: four i64, the status code, the rule or the address of a message,
/// the value and its bound.
Value getStatusBuffer(func::FuncOp function);

/// Turns calls that report errors to the runtime into stores to a status
/// buffer, of which the first one stays. Calls that count or time are dropped.
void lowerRuntimeCallsToStatus(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_GPU_HOST_STATUSBUFFER_H
