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

/// Stands on marks between `--pit-infer-marks`, which tries them, and
/// `--pit-select-marks`, which keeps those that serve.
inline constexpr StringLiteral kInferredMark("__inferred_mark");

/// Stands on inferred marks that stay, so that they are told from those that
/// were written.
inline constexpr StringLiteral kKeptMark("__kept_mark");

/// On marks that were found: their pattern is followed by ops that run along
/// its rows, and others stay dense.
inline constexpr StringLiteral kRowsOnly("__rows_only");

/// What `--pit-normalize` does to what is below `root`. Without `foldViews`,
/// reshapes stay outside of ops: marks say which of them must.
LogicalResult bringToNormalForm(Operation *root, bool foldViews = true);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALFORM_H
