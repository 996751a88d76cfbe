//===- PITCheck.h - What arguments have to agree in -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op for run-time checks. It is not in PIT.h, as few files need it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITCHECK_H
#define PIT_DIALECT_PIT_IR_PITCHECK_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {

/// The resource that stands for whether a call goes on. Only checks write it.
struct CheckResource : public SideEffects::Resource::Base<CheckResource> {
  StringRef getName() final { return "PITChecks"; }
};

} // namespace mlir::pit

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITCheckOps.h.inc"

namespace mlir::pit {

/// The function that checks the arguments of `function`; null if there is none.
func::FuncOp getChecks(func::FuncOp function);

/// Verifies the attribute `pit.checks`: it must name a function of checks with
/// the same arguments, followed by a status buffer at most.
LogicalResult verifyChecks(func::FuncOp function);

/// Whether `function` holds checks of another function. It is never called
/// itself.
bool holdsChecks(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITCHECK_H
