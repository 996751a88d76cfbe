//===- Types.h - What signatures may hold -----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_TYPES_H
#define PIT_TOOLS_PIT_RUN_TYPES_H

#include "Inputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace mlir::pit::run {

/// The runtime's element type, PIT_DTYPE_INVALID for others.
pit_dtype dtypeOf(Type type);

/// Fails on argument and result types that cannot be passed.
llvm::Error checkSignature(func::FuncOp entry);

/// The arguments of a function that has passed the check.
std::vector<::pit::run::ArgumentType> readArgumentTypes(func::FuncOp entry);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_TYPES_H
