//===- PackOperands.h - Copies of what kernels cannot read ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_PACKOPERANDS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_PACKOPERANDS_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"

namespace mlir::pit::attention {

/// Whether rows of an operand can be copied 16 bytes at a time: their elements
/// lie side by side, and rows begin at multiples of that.
bool hasAlignedRows(Value buffer, unsigned rowDimension);

/// Copies queries, keys and values whose rows kernels cannot read, transposed
/// keys among them, into buffers of their own, in which they can; where those
/// of the result are such, they are copied back behind the op.
void packOperands(AttendOp op);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_PACKOPERANDS_H
