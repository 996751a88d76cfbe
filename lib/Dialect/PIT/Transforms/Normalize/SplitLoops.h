//===- SplitLoops.h - Loops that maps divide --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heads of a group share keys: head h reads those of h floordiv 4. Written so,
// no axis is one of a product of matrices, and none may be permuted. Of two
// loops, groups and heads of a group, each dimension is one.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_SPLITLOOPS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_SPLITLOOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Makes two loops of each below `root` whose number maps divide by a constant,
/// with `floordiv` or `mod`, and use in no other way but as it is. The extent
/// has to be a known multiple of the constant. Ops that opted out, see
/// PITDialect::DenseAttrHelper, stay as they are.
LogicalResult splitLoops(Operation *root);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_SPLITLOOPS_H
