//===- PITAttention.h - Attention by sequences ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attention ops of the pit dialect. They are not in PIT.h, as few files
// need them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITATTENTION_H
#define PIT_DIALECT_PIT_IR_PITATTENTION_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// A derivative of a logit: a number, 0 if the logit does not depend on the
/// argument, times 1 - t * t for each of `caps`, results of `math.tanh` in the
/// region.
struct LogitSlope {
  double factor = 0.0;
  SmallVector<Value, 1> caps;
};

} // namespace mlir::pit

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITAttentionOps.h.inc"

#endif // PIT_DIALECT_PIT_IR_PITATTENTION_H
