//===- SharePictures.h - What of the arguments is live ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_SHAREPICTURES_H
#define PIT_TOOLS_PIT_RUN_SHAREPICTURES_H

#include "Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/JSON.h"

namespace mlir::pit::run {

/// Of each mark on an argument or an op of the function, and of each argument
/// of booleans, where it is live for these inputs: `patterns` of
/// docs/report.schema.json. What a program computes, such as the zeros of a
/// ReLU, is not known here.
llvm::json::Array
makeSharePictures(func::FuncOp entry,
                  const std::vector<::pit::npy::Array> &inputs);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_SHAREPICTURES_H
