//===- Names.h - Names that PTX allows --------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_PTX_NAMES_H
#define PIT_LIB_TARGET_PTX_NAMES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {

/// Whether `name` is an identifier of PTX (ISA, "Identifiers"): letters,
/// digits, `_` and `$`, of which the first is no digit, and not `_` or `$`
/// alone.
bool isPTXName(StringRef name);

/// Renames what `module` defines under other names, and updates the uses in
/// `program`, which holds it. A kernel has its name from the user's function,
/// which may be called `a.b`.
LogicalResult renameForPTX(gpu::GPUModuleOp module, ModuleOp program);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_PTX_NAMES_H
