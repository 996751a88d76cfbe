//===- Views.h - Views of buffers that say what they drop -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `memref.subview` may drop dimensions of size 1 without saying which ones.
// Upstream infers them from strides. Where strides are dynamic and another
// dimension of size 1 is kept, it picks a wrong one, and a dimension gets the
// extent of another. Here the caller names the dropped dimensions.
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

/// Creates a view of `buffer` without the `dropped` dimensions, which are
/// ascending and have size 1. Its strides are dynamic where static ones could
/// be mistaken. Steps are 1 if `steps` is empty.
Value createView(OpBuilder &b, Location loc, Value buffer,
                 ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                 ArrayRef<int64_t> dropped, ArrayRef<OpFoldResult> steps = {});

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_VIEWS_H
