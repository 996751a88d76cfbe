//===- NormalForm.h - The form that patterns travel through -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALFORM_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALFORM_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// On marks that `--pit-infer-marks` tries; `--pit-select-marks` keeps those
/// that help a product, and removes this attribute.
inline constexpr StringLiteral kInferredMark("__inferred_mark");

/// On inferred marks that stay: tells them from marks that were written.
inline constexpr StringLiteral kKeptMark("__kept_mark");

/// On inferred marks: only ops that run along the pattern's rows follow it.
/// Other ops stay dense.
inline constexpr StringLiteral kRowsOnly("__rows_only");

/// On lists that a pass has put together, which need no check.
inline constexpr StringLiteral kProvenLists("__proven_lists");

/// Runs the rewrites of `--pit-normalize` on the ops below `root`. Without
/// `foldViews`, no reshape is folded into an op: inference runs so, as only the
/// marks that it adds say which reshapes must stay.
LogicalResult bringToNormalForm(Operation *root, bool foldViews = true);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALFORM_H
