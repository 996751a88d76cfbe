//===- PITCheck.h - What arguments have to agree in -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pit dialect's op for checks, apart from PIT.h as few files need it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITCHECK_H
#define PIT_DIALECT_PIT_IR_PITCHECK_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {

/// Whether a call goes on: what checks write, and nothing else does.
struct CheckResource : public SideEffects::Resource::Base<CheckResource> {
  StringRef getName() final { return "PITChecks"; }
};

} // namespace mlir::pit

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITCheckOps.h.inc"

namespace mlir::pit {

/// The function with the checks of a function's arguments; null where there is
/// none.
func::FuncOp getChecks(func::FuncOp function);

/// Reports an attribute `pit.checks` that names no function of checks with the
/// same arguments. Behind those, the function may have a status buffer.
LogicalResult verifyChecks(func::FuncOp function);

/// Whether the function holds the checks of others: these are never called.
bool holdsChecks(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITCHECK_H
