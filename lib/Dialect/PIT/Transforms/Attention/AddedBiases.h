//===- AddedBiases.h - Modifiers of logits that are no masks ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_ATTENTION_ADDEDBIASES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_ATTENTION_ADDEDBIASES_H

#include "mlir/IR/Value.h"

namespace mlir::pit {

/// Whether a tensor of floats may have been made to kill what it is added to:
/// it holds low numbers, or data of the caller's, chosen by truth values or as
/// they are. Sums of products, looked up, reshaped, scaled and added, do not
/// hold such on purpose. Only speed depends on the answer.
bool mayBeMask(Value tensor);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_ATTENTION_ADDEDBIASES_H
