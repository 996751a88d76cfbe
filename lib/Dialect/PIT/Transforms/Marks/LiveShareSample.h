//===- LiveShareSample.h - How much of some places is live ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_LIVESHARESAMPLE_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_LIVESHARESAMPLE_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether more than `share` of the micro-tiles that a detection of values
/// looks for are live, by a sample of them, and twice its standard error: an
/// i1, whose ops read a few thousand elements. Null where the tensor is small,
/// or has other elements in a micro-tile than those of its extents.
Value createIsSampleLive(OpBuilder &builder, DetectOp detect, double share);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_LIVESHARESAMPLE_H
