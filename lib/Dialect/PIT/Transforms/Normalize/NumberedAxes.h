//===- NumberedAxes.h - Axes that a pattern lists ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_NUMBEREDAXES_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_NUMBEREDAXES_H

#include "mlir/IR/Value.h"

namespace mlir::pit {

/// Whether folding a reshape into a structured op would split an axis along
/// which a mark lies, here or in another op that shares the axis through its
/// operands. The pattern could not travel on: it numbers what the reshape makes
/// two axes of. `fused` is where the reshape reads the op's result, or the op
/// that of the reshape.
bool splitsNumberedAxis(OpOperand &fused);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_NUMBEREDAXES_H
