//===- Inputs.h - Arguments of the entry function ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_INPUTS_H
#define PIT_TOOLS_PIT_RUN_INPUTS_H

#include "Npy.h"
#include "Options.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace mlir::pit::run {

/// Checks that every argument and result is a ranked tensor or a scalar of a
/// type the tool can pass.
llvm::Error checkSignature(func::FuncOp entry);

/// Reads or generates one array per argument. Scalars are arrays of rank 0.
llvm::Expected<std::vector<::pit::npy::Array>>
bindInputs(func::FuncOp entry, const Options &options);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_INPUTS_H
