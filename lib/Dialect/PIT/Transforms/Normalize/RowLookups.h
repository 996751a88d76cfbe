//===- RowLookups.h - Elements at the place of an arg-max -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_ROWLOOKUPS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_ROWLOOKUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// Replaces the element of a row that an op on numbers of rows looks up, where
/// an arg-max over as many columns says which, by a sum over the row of which
/// one element counts: a kernel that has the row in registers needs no memory
/// for it. Returns how many.
int64_t replaceRowLookups(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_ROWLOOKUPS_H
