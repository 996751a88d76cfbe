//===- DoublePrecision.h - The same program computed in f64 -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_DOUBLEPRECISION_H
#define PIT_TOOLS_PIT_RUN_DOUBLEPRECISION_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit::run {

/// Replaces f16, bf16 and f32 by f64 everywhere, constants included, so that
/// the program's own rounding errors can be measured. Fails on programs that
/// look at the bits of floats, without a diagnostic.
LogicalResult convertToDoublePrecision(ModuleOp module);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_DOUBLEPRECISION_H
