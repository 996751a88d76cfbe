//===- DecomposeBackward.h - Gradients of attention ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_DECOMPOSEBACKWARD_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_DECOMPOSEBACKWARD_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"

namespace mlir::pit {

/// The formula of the op as structured ops in front of it; returns what its
/// results are.
SmallVector<Value> decomposeBackward(OpBuilder &builder, AttendBackwardOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_DECOMPOSEBACKWARD_H
