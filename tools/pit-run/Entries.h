//===- Entries.h - Functions that a caller may name -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_ENTRIES_H
#define PIT_TOOLS_PIT_RUN_ENTRIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pit::run {

/// The function called `name`; without a name `main`, or else the only public
/// one. Null if there is none.
mlir::func::FuncOp findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// What may be named, behind an error.
std::string describeEntries(mlir::ModuleOp module);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_ENTRIES_H
