//===- SliceCanonicalization.h - Slices and views, safely -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_SLICECANONICALIZATION_H
#define PIT_LIB_DIALECT_PIT_IR_SLICECANONICALIZATION_H

namespace mlir {
class RewritePatternSet;
namespace pit {

/// Patterns for slices and views that take the place of upstream ones that make
/// ops which do not verify.
void populateSliceCanonicalization(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_DIALECT_PIT_IR_SLICECANONICALIZATION_H
