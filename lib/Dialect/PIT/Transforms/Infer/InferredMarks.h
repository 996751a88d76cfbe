//===- InferredMarks.h - Marks that nobody wrote ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_INFERREDMARKS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_INFERREDMARKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"

namespace mlir::pit {

/// Makes tensors of the conditions on places and integers by which elementwise
/// ops below `root` choose between a constant and something else.
void separateTruth(Operation *root);

/// Whether `value` is an argument of floats, or a view of one, of which nothing
/// is read but how elements compare with constants: a mask.
bool isOnlyCompared(Value value);

/// Whether `holds` for all uses of a value, seen through views of it. Uses that
/// read no elements are left out.
bool allReadersOf(Value value, function_ref<bool(OpOperand &)> holds);

/// Compares bounds that marks promise with what the program proves. A bound
/// that is refuted is removed, one that is wider than a proven one becomes it;
/// a remark names both.
void compareBounds(Operation *root);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_INFERREDMARKS_H
