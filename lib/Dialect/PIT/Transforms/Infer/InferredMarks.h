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

/// How many elements along `dim` of a tensor of truth values, or of numbers,
/// are not zero at most, for each place along its other dimensions; none where
/// that does not follow from the program. Dimensions are few, and so is what is
/// looked through.
std::optional<int64_t> countLiveAtMost(Value value, int64_t dim);

/// Makes tensors of the conditions on places and integers by which elementwise
/// ops below `root` choose between a constant and something else.
void separateTruth(Operation *root);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_INFER_INFERREDMARKS_H
