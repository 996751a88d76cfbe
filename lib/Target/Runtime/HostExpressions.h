//===- HostExpressions.h - Expression trees of manifests --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_HOSTEXPRESSIONS_H
#define PIT_LIB_TARGET_RUNTIME_HOSTEXPRESSIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace mlir::pit {

/// Makes `{"op": op, "args": [a, b]}`, folded where that is plain.
llvm::json::Value makeExpression(llvm::StringRef op, llvm::json::Value a,
                                 llvm::json::Value b);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_HOSTEXPRESSIONS_H
