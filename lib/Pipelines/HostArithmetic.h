//===- HostArithmetic.h - Scalars of programs on the host -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_PIPELINES_HOSTARITHMETIC_H
#define PIT_PIPELINES_HOSTARITHMETIC_H

#include "mlir/Pass/PassManager.h"

namespace mlir::pit {

/// Arithmetic and functions of all types to those of types that CPUs compute
/// with. Passes of functions.
void addHostArithmetic(OpPassManager &functions);

/// What these leave to the LLVM dialect. Passes of modules, without
/// structured control flow and vector ops.
void addHostArithmeticToLLVM(OpPassManager &modules);

} // namespace mlir::pit

#endif // PIT_PIPELINES_HOSTARITHMETIC_H
