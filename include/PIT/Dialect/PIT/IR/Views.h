//===- Views.h - Views of buffers that say what they drop -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `memref.subview` may drop dimensions of size 1, and does not say which.
// Upstream asks the strides, and where those are unknown and another dimension
// of size 1 is left, takes a wrong one: the extent of a dimension is then that
// of another. Here the dropped ones are named.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_VIEWS_H
#define PIT_DIALECT_PIT_IR_VIEWS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pit {

/// The type of a view of `whole` without the `dropped` dimensions, which are
/// ascending and have size 1.
MemRefType getViewType(MemRefType whole, ArrayRef<int64_t> dropped);

/// A view of `buffer` without the `dropped` dimensions, which are ascending and
/// have size 1; where they may be mistaken, with strides that are not known.
/// Without `steps` it has all elements between its first and last ones.
Value createView(OpBuilder &b, Location loc, Value buffer,
                 ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                 ArrayRef<int64_t> dropped, ArrayRef<OpFoldResult> steps = {});

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_VIEWS_H
