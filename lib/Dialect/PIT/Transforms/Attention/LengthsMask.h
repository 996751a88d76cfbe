//===- LengthsMask.h - Masks of what lies behind sequences -------*- C++ -*===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LENGTHSMASK_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LENGTHSMASK_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether a tensor of (sequence, position) is 0 inside of the sequences that
/// `detect` lists, and -inf elsewhere.
bool isLengthsMask(Value value, DetectOp detect);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LENGTHSMASK_H
