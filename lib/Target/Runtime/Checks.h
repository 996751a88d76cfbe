//===- Checks.h - Checks as calls of the runtime ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_CHECKS_H
#define PIT_LIB_TARGET_RUNTIME_CHECKS_H

#include "CallBuilder.h"

#include "PIT/Dialect/PIT/IR/PITCheck.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::pit {

/// A check, with its operands where it is made.
struct MadeCheck {
  CheckOp op;
  Value condition, first, second;
};

/// Makes what checks need of the arguments that `mapping` has for them.
SmallVector<MadeCheck> makeChecks(func::FuncOp checks,
                                  ImplicitLocOpBuilder &builder,
                                  IRMapping &mapping);

/// Calls `pit_rt_check` for a call of the runtime, or for none where `frame` is
/// null at run time.
void callCheck(MadeCheck check, Value frame, ModuleOp module,
               ImplicitLocOpBuilder &builder, RuntimeCalls &calls);

/// Makes calls of the checks in the middle of functions.
void lowerChecksInBodies(ModuleOp module);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_CHECKS_H
