//===- StripOperand.cpp - Strips of rows in shared memory -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripOperand.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value StripOperand::describe(KernelBuilder &b, Value address) const {
  if (!isNarrow())
    return b.matrixDescriptor(address, layout);
  // As KernelBuilder::matrixDescriptor has it, with the swizzle of 2, 4 or 8
  // chunks of 16 bytes: 3, 2 or 1 in bits 62-63.
  int64_t swizzle = rows == 64 ? 1 : rows == 32 ? 2 : 3;
  int64_t groupBytes = 8 * rows * 2;
  int64_t fixed = int64_t(uint64_t(swizzle) << 62) | (groupBytes / 16) << 32 |
                  (groupBytes / 16) << 16;
  return b.bitOr(b.extend(b.bitAnd(b.shiftRight(address, 4), 0x3FFF)), fixed);
}

int64_t StripOperand::getStepBytes() const {
  return isNarrow() ? kProductDepth * rows * 2
                    : pit::hopper::getStepBytes(layout);
}
