//===- Rules.h - What the compiler says of its rules ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RULES_H
#define PIT_TOOLS_PIT_RUN_RULES_H

#include "Report.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit::run {

/// Reads the attribute `pit.rules` of a function: an array of dictionaries with
/// the keys id, pattern, loc, kind, axis and micro_tile.
std::vector<::pit::run::Rule> readRules(ModuleOp module, StringRef entry);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_RULES_H
