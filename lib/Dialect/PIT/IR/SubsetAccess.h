//===- SubsetAccess.h - Elements that reads and writes touch ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_SUBSETACCESS_H
#define PIT_LIB_DIALECT_PIT_IR_SUBSETACCESS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether a store overwrites exactly the elements that the read reads, each of
/// them once. The tensors that they belong to are not compared.
bool accessSameElements(SReadOp read, SWriteOp write);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_IR_SUBSETACCESS_H
