//===- DenseForm.h - Structured ops without their index ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKS_DENSEFORM_H
#define PIT_DIALECT_PIT_TRANSFORMS_MARKS_DENSEFORM_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {

/// The body of a structured sparse op, run densely on other operands: tiles, or
/// whole tensors. `captured` maps what the body reads from outside.
linalg::GenericOp createDenseForm(RewriterBase &rewriter, GenericOp op,
                                  ValueRange inputs, ValueRange outputs,
                                  ArrayRef<AffineMap> maps,
                                  ArrayRef<utils::IteratorType> iterators,
                                  IRMapping captured = IRMapping());

/// Whether the body divides by elements that lie along all axes of the index:
/// they may be zero where nothing is live, and a dense form has no number
/// there.
bool dividesByElements(GenericOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKS_DENSEFORM_H
