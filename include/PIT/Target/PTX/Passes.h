//===- Passes.h - From kernels to PTX ---------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_PASSES_H
#define PIT_TARGET_PTX_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::pit {

#define GEN_PASS_DECL
#include "PIT/Target/PTX/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "PIT/Target/PTX/Passes.h.inc"

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_PASSES_H
