//===- EmptyTensorCanonicalization.h - Ops on no elements -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_EMPTYTENSORCANONICALIZATION_H
#define PIT_LIB_DIALECT_PIT_IR_EMPTYTENSORCANONICALIZATION_H

namespace mlir {
class RewritePatternSet;
namespace pit {

/// Patterns for reshapes, pads and slices of tensors without elements.
void populateEmptyTensorCanonicalization(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_DIALECT_PIT_IR_EMPTYTENSORCANONICALIZATION_H
