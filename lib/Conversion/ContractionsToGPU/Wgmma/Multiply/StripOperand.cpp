//===- StripOperand.cpp - A strip of rows as a wgmma operand --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripOperand.h"

using namespace mlir;
using namespace mlir::pit::hopper;

MatrixDescriptor StripOperand::describe(KernelBuilder &b, Value address) const {
  if (!isNarrow())
    return b.matrixDescriptor(address, layout);
  // The swizzle of 8, 4 or 2 chunks of 16 bytes.
  unsigned swizzle = rows == 64 ? 1 : rows == 32 ? 2 : 3;
  int64_t groupBytes = 8 * rows * 2;
  return b.matrixDescriptor(address, groupBytes, groupBytes, swizzle);
}

int64_t StripOperand::getStepBytes() const {
  return isNarrow() ? kProductDepth * rows * 2
                    : pit::hopper::getStepBytes(layout);
}
