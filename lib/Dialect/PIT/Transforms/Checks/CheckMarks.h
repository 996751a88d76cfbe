//===- CheckMarks.h - Attributes that no pass reads -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKMARKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKMARKS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {

/// Warns of the op's attributes of the dialect that no pass of a pipeline on
/// `program` reads. Fails, with an error, where one stands that the dialect
/// allows nowhere but cannot verify: on an operand or a result of a call.
LogicalResult checkMarks(Operation *op, ModuleOp program);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKMARKS_H
